/// story: A static synchronized method takes an id from a slow service, one caller at a time.
/// java: 21
/// kind: pin
/// holder: StaticSynchronizedMethod$Ids.next
/// truth: bytecode: next is ACC_STATIC and ACC_SYNCHRONIZED
class StaticSynchronizedMethod {
  static class Ids {
    private static long last;

    static synchronized long next() throws Exception {
      Thread.sleep(40);
      return ++last;
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(Ids::next);
  }
}
