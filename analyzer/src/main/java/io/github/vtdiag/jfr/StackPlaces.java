package io.github.vtdiag.jfr;

import java.util.Arrays;

/** The places of the stacks of a chunk, by numbers that hold in this chunk. */
final class StackPlaces {
  private static final int MISSING = -1;

  private final LongIntMap numbers = new LongIntMap();
  private long[] ids = new long[64];
  private int[] places = new int[64];
  private int[] ends = new int[64];

  void clear() {
    numbers.clear();
  }

  /** Returns the number of a stack; a new one for a stack that is missing. */
  int number(long id) {
    int number = numbers.get(id);
    return number == LongIntMap.ABSENT ? add(id, MISSING) : number;
  }

  private int add(long id, int place) {
    int number = numbers.size();
    if (number == ids.length) {
      ids = Arrays.copyOf(ids, number * 2);
      places = Arrays.copyOf(places, number * 2);
      ends = Arrays.copyOf(ends, number * 2);
    }
    ids[number] = id;
    places[number] = place;
    ends[number] = MISSING;
    numbers.put(id, number);
    return number;
  }

  /**
   * Notes where a stack begins; if several have one id, the first counts.
   *
   * @return its number, or {@link LongIntMap#ABSENT} if it is not that one
   */
  int note(long id, int place) {
    return numbers.get(id) == LongIntMap.ABSENT ? add(id, place) : LongIntMap.ABSENT;
  }

  /** Notes where it ends. */
  void noteEnd(int number, int end) {
    ends[number] = end;
  }

  long id(int number) {
    return ids[number];
  }

  boolean isMissing(int number) {
    return places[number] == MISSING;
  }

  int place(int number) {
    return places[number];
  }

  /** Returns where it ends; before its place if the end is unknown, because it is damaged. */
  int end(int number) {
    return ends[number];
  }
}
