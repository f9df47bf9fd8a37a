package shop;

final class Ids {
  private static long last;

  private Ids() {}

  static synchronized long next() {
    return ++last;
  }
}
