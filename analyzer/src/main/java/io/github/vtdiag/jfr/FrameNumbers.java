package io.github.vtdiag.jfr;

import java.util.Arrays;

/** Numbers frames: there are few different ones, in very many stacks. */
final class FrameNumbers {
  private long[] ids = new long[1024];
  private int[] kinds = new int[1024];
  private int[] lines = new int[1024];
  private int[] bcis = new int[1024];
  private int[] table = new int[2048];
  private int size;

  /** The number of each frame's method; a method has several frames. */
  private int[] methods = new int[1024];

  private final LongIntMap methodNumbers = new LongIntMap();
  private long[] methodIds = new long[256];

  int size() {
    return size;
  }

  int method(int frame) {
    return methods[frame];
  }

  int kind(int frame) {
    return kinds[frame];
  }

  int line(int frame) {
    return lines[frame];
  }

  int bci(int frame) {
    return bcis[frame];
  }

  int methodCount() {
    return methodNumbers.size();
  }

  long methodId(int method) {
    return methodIds[method];
  }

  /** Returns the number of the frame, a new one if there is none yet. */
  int number(long method, int kind, int line, int bci) {
    int slot = slot(method, kind, line, bci);
    if (table[slot] > 0) {
      return table[slot] - 1;
    }
    if (size == ids.length) {
      ids = Arrays.copyOf(ids, size * 2);
      kinds = Arrays.copyOf(kinds, size * 2);
      lines = Arrays.copyOf(lines, size * 2);
      bcis = Arrays.copyOf(bcis, size * 2);
      methods = Arrays.copyOf(methods, size * 2);
    }
    ids[size] = method;
    kinds[size] = kind;
    lines[size] = line;
    bcis[size] = bci;
    methods[size] = methodNumber(method);
    table[slot] = ++size;
    if (size * 2 > table.length) {
      table = new int[table.length * 2];
      for (int i = 0; i < size; i++) {
        table[slot(ids[i], kinds[i], lines[i], bcis[i])] = i + 1;
      }
    }
    return size - 1;
  }

  private int methodNumber(long id) {
    int number = methodNumbers.get(id);
    if (number == LongIntMap.ABSENT) {
      number = methodNumbers.size();
      if (number == methodIds.length) {
        methodIds = Arrays.copyOf(methodIds, number * 2);
      }
      methodIds[number] = id;
      methodNumbers.put(id, number);
    }
    return number;
  }

  private int slot(long method, int kind, int line, int bci) {
    long hash = (method * 31 + ((long) line << 32 | (bci & 0xFFFF_FFFFL))) * 31 + kind;
    hash *= 0x9E3779B97F4A7C15L;
    int mask = table.length - 1;
    int slot = (int) (hash ^ (hash >>> 32)) & mask;
    while (table[slot] > 0) {
      int frame = table[slot] - 1;
      if (ids[frame] == method
          && bcis[frame] == bci
          && lines[frame] == line
          && kinds[frame] == kind) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
