package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.jfr.ChunkSource;
import io.github.vtdiag.jfr.Constants;
import io.github.vtdiag.jfr.EventTypes;
import io.github.vtdiag.jfr.Metadata;
import io.github.vtdiag.jfr.Problems;
import io.github.vtdiag.jfr.Walk;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.ThreadEvent;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field of every event that we read is what the JDK's own reader says. */
class OracleTest {
  @TempDir Path directory;

  static Stream<Arguments> recordings() {
    return Stream.of(Jvms.values())
        .flatMap(
            jvm ->
                Stream.of("default", "profile")
                    .flatMap(
                        settings ->
                            Stream.of("once", "chunks", "agent")
                                .map(argument -> Arguments.of(jvm, settings, argument))));
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void readsWhatTheJdkReads(Jvms jvm, String settings, String argument) throws Exception {
    Path recording = jvm.record(settings, argument);
    Map<String, Integer> counts = new TreeMap<>();
    List<Path> chunks = split(recording, directory);
    assertEquals(argument.equals("chunks"), chunks.size() > 2, "chunks");
    for (Path chunk : chunks) {
      compare(chunk, counts);
    }
    int rounds = argument.equals("chunks") ? 3 : 1;
    int perRound = PinningProgram.ROUNDS;
    boolean monitorsPin = jvm.feature < JavaRelease.UNPINNED_MONITORS;
    atLeast(counts, Events.PINNED, monitorsPin ? rounds * perRound * 5 + 2 : 2);
    atLeast(counts, Events.MONITOR_ENTER, rounds * perRound);
    atLeast(counts, Events.MONITOR_WAIT, rounds * perRound);
    atLeast(counts, Events.JVM, chunks.size());
    atLeast(counts, Events.CPU, 1);
    atLeast(counts, Events.SETTING, 100);
    atLeast(counts, Events.HEAP_AT_GC, 2);
    atLeast(counts, Events.HEAP_USAGE, chunks.size());
    if (argument.equals("agent")) {
      atLeast(counts, Events.AGENT, 1);
      atLeast(counts, Events.WAITING, 2);
      atLeast(counts, Events.LOCK_MAP, 5);
      atLeast(counts, Events.MONITOR_SAMPLE, 2);
    }
    atLeast(counts, "frames", rounds * perRound * 30);
    atLeast(counts, "truncated", monitorsPin ? rounds * perRound + 1 : 1);
  }

  private static void atLeast(Map<String, Integer> counts, String what, int least) {
    int count = counts.getOrDefault(what, 0);
    assertTrue(count >= least, () -> what + ": " + count + " of at least " + least + ": " + counts);
  }

  /** Cuts a recording into its chunks: the JDK's reader uses the first chunk's clock for all. */
  static List<Path> split(Path recording, Path directory) throws Exception {
    byte[] bytes = Files.readAllBytes(recording);
    List<Path> chunks = new ArrayList<>();
    int place = 0;
    while (place < bytes.length) {
      int size = (int) ByteBuffer.wrap(bytes).getLong(place + 8);
      Path chunk = directory.resolve("chunk-" + chunks.size() + ".jfr");
      Files.write(chunk, Arrays.copyOfRange(bytes, place, place + size));
      chunks.add(chunk);
      place += size;
    }
    return chunks;
  }

  private static void compare(Path chunk, Map<String, Integer> counts) throws Exception {
    Map<String, List<RecordedEvent>> expected = new HashMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(chunk)) {
      expected.computeIfAbsent(event.getEventType().getName(), n -> new ArrayList<>()).add(event);
    }
    Map<String, Integer> met = new HashMap<>();
    Problems problems = new Problems();
    forEachEvent(
        Files.readAllBytes(chunk),
        problems,
        (event, stack) -> {
          int index = met.merge(event.type(), 1, Integer::sum) - 1;
          compare(expected.get(event.type()).get(index), event, stack, counts);
        });
    assertEquals(List.of(), problems.sentences());
    met.forEach((type, count) -> assertEquals(expected.get(type).size(), count, type));
    met.forEach((type, count) -> counts.merge(type, count, Integer::sum));
    for (String type : Events.EPISODES) {
      assertEquals(expected.containsKey(type), met.containsKey(type), type);
    }
  }

  /** Visits the events that {@code ChunkDecoder} would read, in the order of the file. */
  private static void forEachEvent(
      byte[] file, Problems problems, BiConsumer<ChunkEvent, StackTrace> visitor) {
    byte[] bytes = Arrays.copyOf(file, file.length + ChunkSource.PADDING);
    Bytes in = new Bytes();
    in.reset(bytes, 0, file.length);
    ChunkHeader header = ChunkHeader.read(in);
    in.reset(bytes, (int) header.metadata(), file.length);
    Metadata metadata = Metadata.read(in, null);
    EventTypes types = new EventTypes(metadata, ChunkDecoder.EVENTS);
    Walk walk = new Walk(bytes, ChunkHeader.SIZE, file.length, types);
    assertEquals(file.length, walk.end);
    Constants constants = new Constants();
    constants.reset(metadata, types.wanted(), bytes, file.length, walk, problems);
    StackNames stacks = new StackNames();
    stacks.reset(constants);
    Map<Long, ChunkEvent> cursors = new HashMap<>();
    types
        .wanted()
        .forEach(type -> cursors.put(type.id, new ChunkEvent(constants.values(type), header)));
    List<Walk.Places> all = new ArrayList<>();
    IntStream.range(0, ChunkDecoder.EVENTS.groups().size())
        .mapToObj(walk::wanted)
        .forEach(all::add);
    IntStream.range(0, ChunkDecoder.EVENTS.thinned().size())
        .mapToObj(walk::thinned)
        .forEach(all::add);
    for (Walk.Places places : all) {
      for (int i = 0; i < places.size(); i++) {
        in.reset(bytes, places.get(i), file.length);
        int end = places.get(i) + (int) in.varint();
        ChunkEvent event = cursors.get(in.varint());
        event.values.moveTo(bytes, in.position, end);
        int stack = constants.stackNumber(event.stackId());
        visitor.accept(event, StackNames.trace(stacks.stack(stack).named));
      }
    }
  }

  private static void compare(
      RecordedEvent expected,
      ChunkEvent actual,
      StackTrace actualStack,
      Map<String, Integer> counts) {
    assertEquals(nanos(expected.getStartTime()), actual.startNanos());
    assertEquals(expected.getDuration().toNanos(), actual.durationNanos());
    ThreadEvent kind = ThreadEvent.named(actual.type());
    String field = kind == null ? "eventThread" : kind.threadField();
    assertEquals(
        expected.hasField(field) ? thread(expected.getThread(field)) : ChunkEvent.NO_THREAD,
        actual.thread());
    StackTrace stack = stack(expected.getStackTrace());
    assertEquals(stack, actualStack);
    counts.merge("frames", stack.frames().size(), Integer::sum);
    counts.merge("truncated", stack.truncated() ? 1 : 0, Integer::sum);
    for (ValueDescriptor described : expected.getFields()) {
      String name = described.getName();
      Object value = expected.getValue(name);
      if (value instanceof RecordedThread thread) {
        assertEquals(thread(thread).name(), actual.text(name), name);
      } else if (value instanceof RecordedClass type) {
        // The event has the name as it is; who reads it cuts the address of a hidden class off.
        assertEquals(type.getName(), actual.text(name), name);
      } else if (value instanceof String text) {
        assertEquals(text, actual.text(name), name);
      } else if (value instanceof Boolean truth) {
        assertEquals(truth ? 1 : 0, actual.number(name), name);
      } else if (value instanceof Number number && !name.equals("duration")) {
        assertEquals(number.longValue(), actual.number(name), name);
      } else if (value == null) {
        assertEquals("", actual.text(name), name);
      }
    }
  }

  static long nanos(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
  }

  static ThreadRef thread(RecordedThread thread) {
    if (thread == null) {
      return ChunkEvent.NO_THREAD;
    }
    String name = thread.getJavaName() == null ? "" : thread.getJavaName();
    if (name.isEmpty() && !thread.isVirtual() && thread.getOSName() != null) {
      name = thread.getOSName();
    }
    return new ThreadRef(Math.max(0, thread.getJavaThreadId()), name, thread.isVirtual());
  }

  static StackTrace stack(RecordedStackTrace stack) {
    if (stack == null) {
      return StackTrace.ABSENT;
    }
    List<Frame> frames = new ArrayList<>();
    for (RecordedFrame frame : stack.getFrames()) {
      // How a frame was running is told of the innermost and of native ones.
      boolean told = frames.isEmpty() || frame.getType().equals("Native");
      frames.add(frame(frame, told ? kind(frame.getType()) : Frame.Kind.UNKNOWN));
    }
    return new StackTrace(frames, stack.isTruncated());
  }

  private static Frame frame(RecordedFrame frame, Frame.Kind kind) {
    RecordedClass type = frame.getMethod().getType();
    return new Frame(
        new ClassRef(type.getName(), loader(type.getClassLoader())),
        frame.getMethod().getName(),
        frame.getMethod().getDescriptor(),
        frame.getMethod().getModifiers(),
        frame.getBytecodeIndex(),
        frame.getLineNumber(),
        kind);
  }

  private static Frame.Kind kind(String type) {
    return switch (type) {
      case "Interpreted" -> Frame.Kind.INTERPRETED;
      case "JIT compiled" -> Frame.Kind.COMPILED;
      case "Inlined" -> Frame.Kind.INLINED;
      case "Native" -> Frame.Kind.NATIVE;
      default -> throw new AssertionError(type);
    };
  }

  private static String loader(RecordedClassLoader loader) {
    if (loader == null || loader.getType() == null) {
      return "";
    }
    return loader.getName() == null || loader.getName().isEmpty()
        ? loader.getType().getName()
        : loader.getName();
  }
}
