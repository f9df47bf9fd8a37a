package io.github.vtdiag.program;

/** What instructions name, as numbers: how, in which type, which signature. */
final class CallReferences {
  private static final int NUMBERS = 4;

  private final IntList numbers = new IntList();

  /**
   * @param kind how, as {@link CallScan} counts it
   * @param face the interface of a lambda; -1 for what is none
   */
  void add(int kind, int type, int signature, int face) {
    numbers.add(kind);
    numbers.add(type);
    numbers.add(signature);
    numbers.add(face);
  }

  int size() {
    return numbers.size / NUMBERS;
  }

  int kind(int reference) {
    return numbers.get(NUMBERS * reference);
  }

  int type(int reference) {
    return numbers.get(NUMBERS * reference + 1);
  }

  int signature(int reference) {
    return numbers.get(NUMBERS * reference + 2);
  }

  int face(int reference) {
    return numbers.get(NUMBERS * reference + 3);
  }
}
