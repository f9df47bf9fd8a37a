package io.github.vtdiag.recording;

/**
 * Several numbers as one key of a {@link io.github.vtdiag.jfr.LongIntMap}. A record would be an
 * object for each of millions of events.
 */
final class PackedKey {
  private static final int TEXT_BITS = 20;

  /** There are fewer different texts in a chunk. */
  static final int MAX_TEXTS = 1 << TEXT_BITS;

  private PackedKey() {}

  /** What an event says, and its stack. */
  static long ofLook(int label, int stack) {
    return (long) label << Integer.SIZE | stack;
  }

  /**
   * The words of a pin's event.
   *
   * @param reason the number of a text, as all three
   */
  static long ofTexts(int reason, int operation, int lock) {
    return reason | (long) operation << TEXT_BITS | (long) lock << (2 * TEXT_BITS);
  }
}
