package io.github.vtdiag.program;

/** The things that instructions name, in numbers: the kind, the type and the signature. */
final class CallReferences {
  private static final int NUMBERS = 4;

  private final IntList numbers = new IntList();

  /**
   * @param kind the kind of reference, one of {@link CallScan}'s constants
   * @param face the interface of a lambda; -1 for any other reference
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
