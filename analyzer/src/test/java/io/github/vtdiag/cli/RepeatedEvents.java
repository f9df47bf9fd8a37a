package io.github.vtdiag.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Makes long recordings of short ones: some of the events of each chunk are repeated at later
 * times, and the agent's snapshots with later numbers. All else, such as the stacks and threads
 * that they name, stays as it is.
 */
final class RepeatedEvents {
  /** Where numbers stand in a chunk's header. */
  private static final int SIZE_AT = 8;

  private static final int START_AT = 32;
  private static final int DURATION_AT = 40;
  private static final int TICKS_PER_SECOND_AT = 56;
  private static final int HEADER = 68;

  /** The field that numbers the agent's snapshots, after others that are numbers, too. */
  private static final String NUMBER = "look";

  /** More than there are snapshots in a short recording. */
  private static final long APART = 10_000;

  /** Which field of an event is which, -1 for none; all up to these are plain numbers. */
  private record Layout(int number, int thread) {}

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int written;

  private RepeatedEvents() {}

  /**
   * Writes a recording.
   *
   * @param types the events to repeat
   * @param virtual whether only those of virtual threads
   * @param events how many to add
   * @return how many it added; a little more, because those of a chunk are repeated together
   */
  static int write(Path source, Path target, Set<String> types, boolean virtual, int events)
      throws IOException {
    Map<Long, Layout> ids = new HashMap<>();
    Set<Long> threads = new HashSet<>();
    try (RecordingFile file = new RecordingFile(source)) {
      for (EventType type : file.readEventTypes()) {
        if (types.contains(type.getName())) {
          List<String> fields = type.getFields().stream().map(ValueDescriptor::getName).toList();
          int thread = Math.max(fields.indexOf("eventThread"), fields.indexOf("sampledThread"));
          ids.put(type.getId(), new Layout(fields.indexOf(NUMBER), thread));
        }
      }
      while (virtual && file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        boolean sample = event.hasField("sampledThread");
        RecordedThread thread = sample ? event.getThread("sampledThread") : event.getThread();
        if (thread != null && thread.isVirtual()) {
          threads.add(thread.getId());
        }
      }
    }
    Predicate<Long> wanted = virtual ? threads::contains : thread -> true;
    List<byte[]> chunks = chunks(Files.readAllBytes(source));
    int found = chunks.stream().mapToInt(chunk -> positions(chunk, ids, wanted).size()).sum();
    if (found == 0) {
      throw new IllegalStateException("none of " + types + " in " + source);
    }
    RepeatedEvents repeated = new RepeatedEvents();
    int times = (events + found - 1) / found;
    for (byte[] chunk : chunks) {
      repeated.chunk(chunk, ids, wanted, times);
    }
    Files.write(target, repeated.out.toByteArray());
    return repeated.written;
  }

  /** Writes all chunks of a recording again and again, each time after the ones before. */
  static void repeatChunks(Path source, Path target, int times) throws IOException {
    List<byte[]> chunks = chunks(Files.readAllBytes(source));
    ByteBuffer last = ByteBuffer.wrap(chunks.getLast());
    long nanos =
        last.getLong(START_AT)
            + last.getLong(DURATION_AT)
            - ByteBuffer.wrap(chunks.getFirst()).getLong(START_AT);
    try (OutputStream out = Files.newOutputStream(target)) {
      for (int i = 0; i < times; i++) {
        for (byte[] chunk : chunks) {
          ByteBuffer header = ByteBuffer.wrap(chunk);
          out.write(chunk);
          header.putLong(START_AT, header.getLong(START_AT) + nanos);
        }
      }
    }
  }

  private static List<byte[]> chunks(byte[] recording) {
    List<byte[]> chunks = new ArrayList<>();
    for (int at = 0; at < recording.length; ) {
      int size = (int) ByteBuffer.wrap(recording).getLong(at + SIZE_AT);
      chunks.add(Arrays.copyOfRange(recording, at, at + size));
      at += size;
    }
    return chunks;
  }

  /** Where the events of these types and threads begin. */
  private static List<Integer> positions(
      byte[] chunk, Map<Long, Layout> types, Predicate<Long> wanted) {
    List<Integer> positions = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(chunk);
    for (int at = HEADER; at < chunk.length; ) {
      int size = (int) number(in.position(at));
      Layout layout = types.get(number(in));
      if (layout != null) {
        long thread = 0;
        for (int field = 0; field <= layout.thread(); field++) {
          thread = number(in);
        }
        if (wanted.test(thread)) {
          positions.add(at);
        }
      }
      at += size;
    }
    return positions;
  }

  private void chunk(byte[] chunk, Map<Long, Layout> types, Predicate<Long> wanted, int times) {
    List<Integer> positions = positions(chunk, types, wanted);
    ByteBuffer in = ByteBuffer.wrap(chunk);
    long nanos = in.getLong(DURATION_AT);
    long ticks = (long) (in.getLong(TICKS_PER_SECOND_AT) / 1e9 * nanos);
    ByteArrayOutputStream added = new ByteArrayOutputStream();
    for (int time = 1; time <= times; time++) {
      for (int at : positions) {
        int size = (int) number(in.position(at));
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        long type = number(in);
        writeNumber(event, type);
        // The first field of every event is its start.
        writeNumber(event, number(in) + time * ticks);
        int numbered = types.get(type).number();
        for (int field = 1; field <= numbered; field++) {
          boolean last = field == numbered;
          writeNumber(event, number(in) + (last ? time * APART : 0));
        }
        event.write(chunk, in.position(), at + size - in.position());
        writeSize(added, event.size());
        added.writeBytes(event.toByteArray());
        written++;
      }
    }
    in.putLong(SIZE_AT, (long) chunk.length + added.size());
    in.putLong(DURATION_AT, nanos * (times + 1));
    out.writeBytes(chunk);
    out.writeBytes(added.toByteArray());
  }

  /** Seven bits a byte, the lowest first; the ninth byte has eight. */
  private static long number(ByteBuffer in) {
    long number = 0;
    for (int i = 0; i < 8; i++) {
      byte part = in.get();
      number |= (part & 0x7FL) << (7 * i);
      if (part >= 0) {
        return number;
      }
    }
    return number | (in.get() & 0xFFL) << 56;
  }

  private static void writeNumber(ByteArrayOutputStream out, long number) {
    long rest = number;
    for (int i = 0; i < 8; i++) {
      if ((rest & ~0x7FL) == 0) {
        out.write((int) rest);
        return;
      }
      out.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /** As the JVM writes it: four bytes, which it counts, too. */
  private static void writeSize(ByteArrayOutputStream out, int content) {
    int size = content + 4;
    out.write((size & 0x7F) | 0x80);
    out.write((size >> 7 & 0x7F) | 0x80);
    out.write((size >> 14 & 0x7F) | 0x80);
    out.write(size >> 21 & 0x7F);
  }
}
