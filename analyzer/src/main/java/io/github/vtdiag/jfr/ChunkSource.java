package io.github.vtdiag.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a stream of bytes into chunks, and finds the next chunk after damage. A chunk's bytes stay
 * valid until it is released, so that it can be read while the next ones are fetched. Its buffer is
 * reused after that.
 */
public final class ChunkSource {
  /**
   * The bytes after the end with which an event's first bytes can be read without checking the end.
   */
  public static final int PADDING = 32;

  private static final int FIRST_SIZE = 1 << 20;
  private static final int READ_SIZE = 1 << 18;

  /** The approximate limit for an array. */
  public static final int MAX_SIZE = Integer.MAX_VALUE - (1 << 20);

  /**
   * The size from which a buffer is not kept without need. A JVM ends a chunk after 12 MB of
   * events. The constants, which can be as many or more, come on top.
   */
  private static final int LARGE = 1 << 26;

  /** The unit of buffer sizes, so that a buffer has room for the next chunks too. */
  private static final int STEP = 1 << 22;

  /**
   * The distance before the damage at which the next chunk may begin: its header can pass for an
   * event.
   */
  private static final int OVERRUN = 4096;

  private final InputStream in;
  private final int maxSize;
  private Buffer current = new Buffer(FIRST_SIZE);
  private byte[] buffer = current.bytes;
  private final List<Buffer> free = new ArrayList<>();

  private int filled;
  private boolean atEnd;
  private IOException failure;
  private ChunkHeader header;
  private int start;
  private int end;
  private int next;
  private boolean oversized;
  private long skipped;

  /** Bytes that chunks share, and the number of those chunks. */
  static final class Buffer {
    final byte[] bytes;
    private int users;

    private Buffer(int size) {
      bytes = new byte[size + PADDING];
    }
  }

  /** Reads chunks of up to {@code maxSize} bytes, and the beginning of larger ones. */
  ChunkSource(InputStream in, int maxSize) {
    this.in = in;
    this.maxSize = maxSize;
  }

  /** Returns the bytes in which {@link #start} and {@link #end} are places. */
  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  /** Returns where the chunk, or what is available of it, ends. */
  int end() {
    return end;
  }

  ChunkHeader header() {
    return header;
  }

  /** Returns whether bytes are missing that the header announces. */
  boolean cut() {
    return header.sized() && end - start < header.size();
  }

  /** Returns whether the chunk did not fit into memory. */
  boolean oversized() {
    return oversized;
  }

  /** Returns the number of bytes so far that belonged to no chunk. */
  long skipped() {
    return skipped;
  }

  /** Returns why the stream ended early, or null. */
  IOException failure() {
    return failure;
  }

  /**
   * Goes to the next chunk.
   *
   * @return false if there is none
   */
  boolean next() {
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
    // A little more, to see whether another one follows.
    fill(size > maxSize - ChunkHeader.SIZE ? size : size + ChunkHeader.SIZE);
    end = start + (int) Math.min(size, filled - start);
    if (!header.sized()) {
      end = indexOfMagic(buffer, start + ChunkHeader.SIZE, end);
    }
    next = end;
    return true;
  }

  /** Returns whether all of the chunk is there, and the next one or nothing follows it. */
  boolean followed() {
    return header.finished()
        && header.sized()
        && !cut()
        && !oversized
        && (filled - end >= 4 ? ChunkHeader.isMagic(buffer, end) : atEnd && filled == end);
  }

  /** Keeps the bytes of the chunk valid until they are released. */
  synchronized Buffer share() {
    current.users++;
    return current;
  }

  /** Releases a chunk's bytes. */
  synchronized void release(Buffer used) {
    used.users--;
    if (used.users == 0 && used != current && used.bytes.length <= LARGE) {
      free.add(used);
    }
  }

  /** Takes an unused buffer of at least this size; the previous one may still be read. */
  private synchronized void replace(int size) {
    Buffer old = current;
    Buffer fitting = null;
    for (Buffer candidate : free) {
      if (candidate.bytes.length >= size + PADDING) {
        fitting = candidate;
      }
    }
    if (fitting == null) {
      free.clear(); // smaller than what is needed now
      fitting = new Buffer(size);
    } else {
      free.remove(fitting);
    }
    current = fitting;
    buffer = fitting.bytes;
    if (old.users == 0 && old.bytes.length >= size + PADDING && old.bytes.length <= LARGE) {
      free.add(old);
    }
  }

  private synchronized boolean isRead() {
    return current.users > 0;
  }

  /** Handles damage of the chunk at {@code place}: another may begin before its end. */
  void resync(int place) {
    int magic = indexOfMagic(buffer, searchFrom(start, place), filled);
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
      int place = indexOfMagic(buffer, start, filled);
      if (place == filled && !atEnd) {
        place -= 3; // it may begin here
      }
      skipTo(place);
    }
    skipTo(filled);
    return false;
  }

  private void skipTo(int place) {
    // Data that a killed JVM wrote after its last flush is no damage.
    if (header == null || header.finished()) {
      skipped += place - start;
    }
    start = place;
  }

  /**
   * Returns where another chunk may begin at the earliest, if the one at {@code start} is damaged
   * at a place.
   */
  static int searchFrom(int start, int place) {
    return Math.max(place - OVERRUN, start + ChunkHeader.SIZE);
  }

  /** Returns the place of the first magic number at or after {@code from}, or {@code to}. */
  static int indexOfMagic(byte[] bytes, int from, int to) {
    for (int i = from; i <= to - 4; i++) {
      if (ChunkHeader.isMagic(bytes, i) && !isCopy(bytes, i)) {
        return i;
      }
    }
    return to;
  }

  /**
   * Returns whether it is the copy of the header that is a chunk's last constant: an array of
   * bytes, its length before it.
   */
  private static boolean isCopy(byte[] bytes, int place) {
    return place > 0 && bytes[place - 1] == ChunkHeader.SIZE;
  }

  /**
   * Reads until {@code size} bytes follow {@code start}; returns false if there are not so many.
   */
  private boolean fill(long size) {
    if (start > 0 && size > buffer.length - PADDING - start && filled - start <= READ_SIZE) {
      moveToFront(); // now, while there is little to move
    }
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
    // Moved only if that frees half of it: otherwise each of many small chunks would move the rest.
    if (start > capacity / 2 || (start > 0 && capacity == maxSize)) {
      moveToFront();
      return true;
    }
    long grown =
        Math.min(size < maxSize ? roomFor(start + size, 2L * capacity) : 2L * capacity, maxSize);
    if (grown <= capacity) {
      oversized = true;
      return false;
    }
    try {
      byte[] from = buffer;
      replace((int) grown);
      System.arraycopy(from, 0, buffer, 0, filled);
      return true;
    } catch (OutOfMemoryError e) {
      oversized = true;
      return false;
    }
  }

  /**
   * Returns the room for a size in a header, which may be wrong; a large size is reached step by
   * step.
   */
  private static long roomFor(long size, long otherwise) {
    if (size <= FIRST_SIZE) {
      return FIRST_SIZE;
    }
    return size <= LARGE ? (size + STEP - 1) / STEP * STEP : otherwise;
  }

  /** Moves what follows {@code start} to the beginning of a buffer, which has room for it then. */
  private void moveToFront() {
    int rest = filled - start;
    byte[] from = buffer;
    if (isRead()) {
      boolean large = rest == 0 && from.length > LARGE;
      replace(large ? FIRST_SIZE : from.length - PADDING);
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
