package io.github.vtdiag.jfr;

/**
 * Selects some of very many events: each of the first {@value #ALL}, half of the next as many, a
 * quarter of the next twice as many, and so on. The selection depends only on their place among the
 * events of a chunk. So a chunk that is cut off has the same selection as the whole chunk. Each
 * event is picked at random among those that it stands for, because programs repeat themselves.
 */
public final class Thinning {
  private static final int ALL_BITS = 12;
  private static final int ALL = 1 << ALL_BITS;

  private int taken;
  private long next;
  private long seen;

  /** Returns whether the next event of the chunk is one of the selected. */
  boolean isTaken() {
    if (seen++ != next) {
      return false;
    }
    take();
    return true;
  }

  /** Counts the next one as taken. */
  private void take() {
    taken++;
    long step = standsFor(taken);
    // The first place of those that the next one stands for: each step has ALL / 2 of them.
    long first = taken < ALL ? taken : step / 2 * ALL + (taken - ALL) % (ALL / 2) * step;
    next = first + (step == 1 ? 0 : mixed(first) & (step - 1));
  }

  /**
   * Returns the number of events that a taken one stands for.
   *
   * @param number the number of events that were taken before it
   */
  public static long standsFor(int number) {
    return number < ALL ? 1 : 2L << ((number - ALL) >>> (ALL_BITS - 1));
  }

  /** The finalizer of MurmurHash3, by Austin Appleby, who gave it to the public. */
  private static long mixed(long value) {
    long mixed = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }
}
