package io.github.vtdiag.recording;

/**
 * Several numbers as one key of a {@link io.github.vtdiag.jfr.LongIntMap}. A record would be an
 * object for each of millions of events.
 */
final class PackedKey {
  private static final int TEXT_BITS = 20;

  /** More than the number of different texts in a chunk. */
  static final int MAX_TEXTS = 1 << TEXT_BITS;

  private PackedKey() {}

  /** Returns the key of an event's label and stack. */
  static long ofLook(int label, int stack) {
    return (long) label << Integer.SIZE | stack;
  }

  /**
   * Returns the key of the texts of a pin's event.
   *
   * @param reason the number of a text, as all three
   */
  static long ofTexts(int reason, int operation, int lock) {
    return reason | (long) operation << TEXT_BITS | (long) lock << (2 * TEXT_BITS);
  }
}
