package vtdiag.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into chunks, and finds the next chunk after damage. A chunk's bytes stay
 * as they are until the next but one is asked for, so that it can be read while the next one is
 * fetched: two buffers take turns.
 */
public final class ChunkSource {
  /** So that an event's first bytes can be read without looking at the end each time. */
  public static final int PADDING = 32;

  private static final int FIRST_SIZE = 1 << 20;
  private static final int READ_SIZE = 1 << 18;

  /** About what an array can hold. */
  public static final int MAX_SIZE = Integer.MAX_VALUE - (1 << 20);

  /** Not to be had twice without need; JFR's own limit for a chunk is 12 MB. */
  private static final int LARGE = 1 << 26;

  /** How far before the damage the next chunk may begin: its header can pass for an event. */
  private static final int OVERRUN = 4096;

  private final InputStream in;
  private final int maxSize;
  private byte[] buffer = new byte[FIRST_SIZE + PADDING];
  private byte[] other = new byte[FIRST_SIZE + PADDING];

  /** Whether {@code buffer} has the chunk before, so that its bytes must stay where they are. */
  private boolean shared;

  private int filled;
  private boolean atEnd;
  private IOException failure;
  private ChunkHeader header;
  private int start;
  private int end;
  private int next;
  private boolean oversized;
  private long skipped;

  /** Reads chunks of up to {@code maxSize} bytes, and of larger ones the beginning. */
  ChunkSource(InputStream in, int maxSize) {
    this.in = in;
    this.maxSize = maxSize;
  }

  /** The bytes that {@link #start} and {@link #end} are places in. */
  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  /** Where the chunk, or what there is of it, ends. */
  int end() {
    return end;
  }

  ChunkHeader header() {
    return header;
  }

  /** Whether bytes are missing that the header announces. */
  boolean cut() {
    return header.sized() && end - start < header.size();
  }

  /** Whether the chunk did not fit into memory. */
  boolean oversized() {
    return oversized;
  }

  /** How many bytes belonged to no chunk so far. */
  long skipped() {
    return skipped;
  }

  /** Why the stream ended early, or null. */
  IOException failure() {
    return failure;
  }

  /**
   * Goes to the next chunk.
   *
   * @return false if there is none
   */
  boolean next() {
    shared = header != null;
    if (oversized) {
      discardRest();
    } else {
      start = next;
    }
    if (start == filled) {
      moveToFront();
    }
    if (!findHeader()) {
      return false;
    }
    Bytes bytes = new Bytes();
    bytes.reset(buffer, start, filled);
    header = ChunkHeader.read(bytes);
    long size = header.sized() ? header.size() : Long.MAX_VALUE;
    fill(size);
    end = start + (int) Math.min(size, filled - start);
    if (!header.sized()) {
      end = indexOfMagic(start + ChunkHeader.SIZE, end);
    }
    next = end;
    return true;
  }

  /** Says that the chunk is damaged at {@code place}: another may begin before its end. */
  void resync(int place) {
    int from = Math.max(place - OVERRUN, start + ChunkHeader.SIZE);
    int magic = indexOfMagic(from, filled);
    if (magic < next) {
      next = magic;
      oversized = false; // it was its size that was wrong
    }
  }

  private boolean findHeader() {
    while (fill(ChunkHeader.SIZE)) {
      if (ChunkHeader.isMagic(buffer, start)) {
        return true;
      }
      fill(READ_SIZE);
      int place = indexOfMagic(start, filled);
      if (place == filled && !atEnd) {
        place -= 3; // it may begin here
      }
      skipTo(place);
    }
    skipTo(filled);
    return false;
  }

  private void skipTo(int place) {
    // What a killed JVM wrote after its last flush is no damage.
    if (header == null || header.finished()) {
      skipped += place - start;
    }
    start = place;
  }

  /** The first magic number at or after {@code from}, or {@code to}. */
  private int indexOfMagic(int from, int to) {
    for (int i = from; i <= to - 4; i++) {
      if (ChunkHeader.isMagic(buffer, i) && !isCopy(i)) {
        return i;
      }
    }
    return to;
  }

  /** A chunk's last constant is a copy of its header: an array of bytes, its length before it. */
  private boolean isCopy(int place) {
    return place > 0 && buffer[place - 1] == ChunkHeader.SIZE;
  }

  /** Reads until {@code size} bytes follow {@code start}; false if there are not so many. */
  private boolean fill(long size) {
    while (filled - start < size && !atEnd && makeRoom(size)) {
      try {
        int room = buffer.length - PADDING - filled;
        long wanted = Math.min(room, size - (filled - start));
        int count = in.read(buffer, filled, (int) Math.min(wanted, READ_SIZE));
        if (count < 0) {
          atEnd = true;
        } else {
          filled += count;
        }
      } catch (IOException e) {
        failure = e;
        atEnd = true;
      }
    }
    return filled - start >= size;
  }

  private boolean makeRoom(long size) {
    int capacity = buffer.length - PADDING;
    if (filled < capacity) {
      return true;
    }
    // Moved only if that frees half of it: else each of many small chunks would move the rest.
    if (start > capacity / 2 || (start > 0 && capacity == maxSize)) {
      moveToFront();
      return true;
    }
    long grown = Math.min(2L * capacity, maxSize);
    if (size < grown - start) {
      grown = start + size;
    }
    if (grown <= capacity) {
      oversized = true;
      return false;
    }
    try {
      buffer = Arrays.copyOf(buffer, (int) grown + PADDING);
      shared = false;
      return true;
    } catch (OutOfMemoryError e) {
      oversized = true;
      return false;
    }
  }

  /** Moves what follows {@code start} to the beginning of a buffer, which has room for it then. */
  private void moveToFront() {
    int rest = filled - start;
    byte[] from = buffer;
    if (shared) {
      // Chunks of a recording are about as long as each other; growing to it step by step would
      // leave twice that behind.
      boolean enough = other.length >= from.length || (rest == 0 && from.length > LARGE);
      buffer = enough ? other : new byte[from.length];
      other = from;
      shared = false;
    }
    System.arraycopy(from, start, buffer, 0, rest);
    start = 0;
    filled = rest;
  }

  private void discardRest() {
    oversized = false;
    long rest = header.sized() ? header.size() - (filled - start) : Long.MAX_VALUE;
    start = filled;
    moveToFront();
    try {
      while (rest > 0 && !atEnd) {
        int count = in.read(buffer, 0, (int) Math.min(rest, READ_SIZE));
        atEnd = count < 0;
        rest -= Math.max(0, count);
      }
    } catch (IOException e) {
      failure = e;
      atEnd = true;
    }
  }
}
