package io.github.vtdiag.jfr;

import java.util.Arrays;

/** Where the stacks of a chunk are, by numbers that hold in this chunk. */
final class StackPlaces {
  private static final int MISSING = -1;

  private final LongIntMap numbers = new LongIntMap();
  private long[] ids = new long[64];
  private int[] places = new int[64];
  private int[] ends = new int[64];

  void clear() {
    numbers.clear();
  }

  int size() {
    return numbers.size();
  }

  /** The number of a stack; of one that is nowhere, a new one. */
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
   * Notes where a stack begins; of several of one id the first counts.
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

  /** Where it ends; before its place if that is not known, because it is damaged. */
  int end(int number) {
    return ends[number];
  }
}
