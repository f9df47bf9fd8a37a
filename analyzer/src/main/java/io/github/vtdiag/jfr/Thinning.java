package io.github.vtdiag.jfr;

/**
 * Takes some of very many events: the first {@value #ALL} each, then half as many of the next as
 * many, a quarter of the next twice as many, and so on. Which ones depends on nothing but their
 * place among the events of a chunk, so that of a chunk that is cut off the same ones are taken as
 * of all of it. Each is picked by chance among those that it stands for, because programs repeat
 * themselves.
 */
public final class Thinning {
  private static final int ALL_BITS = 12;
  private static final int ALL = 1 << ALL_BITS;

  private int taken;
  private long next;

  /** The place of the next one to take, counted from 0. */
  long next() {
    return next;
  }

  /** Says that it was taken. */
  void take() {
    taken++;
    long step = standsFor(taken);
    // The first place of those that the next one stands for: each step has ALL / 2 of them.
    long first = taken < ALL ? taken : step / 2 * ALL + (taken - ALL) % (ALL / 2) * step;
    next = first + (step == 1 ? 0 : mixed(first) & (step - 1));
  }

  /**
   * How many events one that was taken stands for.
   *
   * @param number how many were taken before it
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
