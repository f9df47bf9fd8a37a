package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.jfr.ChunkSource;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.ChunkBuilder.Out;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Layouts that today's JDKs do not write, and some that nobody should. */
class SyntheticRecordingTest {
  private static final long STRING = 20;
  private static final long THREAD = 21;
  private static final long STACK = 22;
  private static final long FRAME = 23;
  private static final long METHOD = 24;
  private static final long CLASS = 25;
  private static final long LOADER = 26;
  static final long PINNED = 100_000;

  private static RecordingData read(byte[]... chunks) throws DataException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] chunk : chunks) {
      all.writeBytes(chunk);
    }
    return read(new ByteArrayInputStream(all.toByteArray()));
  }

  private static RecordingData read(InputStream stream) throws DataException {
    // The timeout rethrows what the reader throws.
    return assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> read(stream, ChunkSource.MAX_SIZE));
  }

  private static RecordingData read(InputStream stream, int maxChunkSize) throws DataException {
    RecordingReader reader =
        new RecordingReader(
            "test", TimeRange.ALL, true, new SeenChunks(), maxChunkSize, EventSelection.ALL, true);
    reader.add(stream);
    return reader.finish().orElseThrow();
  }

  private static ChunkBuilder primitives() {
    return new ChunkBuilder()
        .type(10, "boolean", "")
        .type(11, "int", "")
        .type(12, "long", "")
        .type(STRING, "java.lang.String", "");
  }

  /** The types with their fields in an order that no JDK has, and fields that none has. */
  static ChunkBuilder shuffled() {
    return primitives()
        .type(
            THREAD,
            "java.lang.Thread",
            "",
            "virtual 10",
            "new 20",
            "javaThreadId 12",
            "javaName 20")
        .type(STACK, "jdk.types.StackTrace", "", "frames 23 array", "extra 12", "truncated 10")
        .type(
            FRAME,
            "jdk.types.StackFrame",
            "",
            "new 20 array",
            "bytecodeIndex 11",
            "type 20",
            "method 24 constant",
            "lineNumber 11")
        .type(
            METHOD,
            "jdk.types.Method",
            "",
            "modifiers 11",
            "descriptor 20",
            "name 20",
            "type 25 constant")
        .type(CLASS, "java.lang.Class", "", "name 20", "classLoader 26 constant")
        .type(LOADER, "jdk.types.ClassLoader", "", "name 20", "type 25 constant")
        .type(
            PINNED,
            Events.PINNED,
            ChunkBuilder.EVENT,
            "pinnedReason 20",
            "stackTrace 22 constant",
            "new 20 array",
            "eventThread 21 constant",
            "duration 12",
            "startTime 12");
  }

  static void pin(Out out, long stack, long thread, long start) {
    out.string("reason").number(stack).number(1).string("x").numbers(thread, 500, start);
  }

  static Consumer<Out> constants(long line) {
    return out -> {
      out.numbers(THREAD, 1, 7).oneByte(1).string("new").number(42).string("worker");
      out.numbers(STACK, 1, 8, 1).number(0).numbers(5).string("Inlined").numbers(9, line);
      out.number(1 << 20).oneByte(1);
      out.numbers(METHOD, 1, 9, Modifier.SYNCHRONIZED).string("()V").string("run").number(3);
      out.numbers(CLASS, 2, 3).string("com/example/A+0x00001234").number(4);
      out.number(5).string("com/example/Loader").number(4);
      out.numbers(LOADER, 1, 4).oneByte(Bytes.STRING_NULL).number(5);
    };
  }

  private static PinEpisode expected(long start, int line) {
    return new PinEpisode(
        PinEpisode.Kind.PINNED,
        ChunkBuilder.START_NANOS + start,
        500,
        new ThreadRef(42, "worker", true),
        new StackTrace(
            List.of(
                new Frame(
                    new ClassRef("com.example.A", "com.example.Loader"),
                    "run",
                    "()V",
                    Modifier.SYNCHRONIZED,
                    5,
                    line,
                    Frame.Kind.INLINED)),
            true),
        Optional.of("reason"),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void findsFieldsByNameNotByPlace() throws Exception {
    RecordingData data =
        read(
            shuffled()
                .constants(5, constants(17))
                .event(PINNED, out -> pin(out, 8, 7, 2_000))
                .event(PINNED, out -> pin(out, 8, 7, 1_000))
                .build());
    assertEquals(List.of(expected(1_000, 17), expected(2_000, 17)), data.pins().episodes());
    assertEquals(List.of(), data.facts().problems());
    assertEquals(1_000_000, data.facts().durationNanos());
    assertEquals(0, data.facts().jdk(), "not told");
  }

  @Test
  void keepsConstantsOfChunksApartAndSharesEqualStacks() throws Exception {
    RecordingData data =
        read(
            shuffled()
                .constants(5, constants(17))
                .event(PINNED, out -> pin(out, 8, 7, 1_000))
                .build(),
            shuffled()
                .event(PINNED, out -> pin(out, 8, 7, 2_000))
                .constants(5, constants(18))
                .build(),
            shuffled()
                .type(500, "test.More", ChunkBuilder.EVENT, "startTime 12")
                .event(500, out -> out.number(1))
                .event(PINNED, out -> pin(out, 8, 7, 3_000))
                .constants(5, constants(17))
                .build());
    assertEquals(
        List.of(expected(1_000, 17), expected(2_000, 18), expected(3_000, 17)),
        data.pins().episodes());
    assertSame(data.pins().episodes().get(0).stack(), data.pins().episodes().get(2).stack());
  }

  @Test
  void kindsOfFramesMeanWhatTheirOwnChunkSays() throws Exception {
    long kinds = 30;
    List<byte[]> chunks = new ArrayList<>();
    for (String kind : List.of("Interpreted", "Native", "Interpreted")) {
      chunks.add(
          primitives()
              .type(STACK, "jdk.types.StackTrace", "", "truncated 10", "frames 23 array")
              .type(FRAME, "jdk.types.StackFrame", "", "type 30 constant", "lineNumber 11")
              .type(kinds, "jdk.types.FrameType", "", "description 20")
              .type(
                  PINNED,
                  Events.PINNED,
                  ChunkBuilder.EVENT,
                  "startTime 12",
                  "duration 12",
                  "stackTrace 22 constant")
              .event(PINNED, out -> out.numbers(1_000 + chunks.size(), 500, 8))
              .constants(
                  2,
                  out ->
                      out.numbers(STACK, 1, 8)
                          .oneByte(0)
                          .numbers(2, 5, 17, 5, 18)
                          .numbers(kinds, 1, 5)
                          .string(kind))
              .build());
    }
    RecordingData data = read(chunks.toArray(byte[][]::new));
    assertEquals(List.of(), data.facts().problems());
    assertEquals(
        List.of(false, true, false),
        data.pins().episodes().stream()
            .map(pin -> pin.stack().frames().getLast().isNative())
            .toList());
  }

  @Test
  void saysThatConstantsAreMissing() throws Exception {
    RecordingData data = read(shuffled().event(PINNED, out -> pin(out, 8, 7, 1_000)).build());
    PinEpisode episode = data.pins().episodes().getFirst();
    assertTrue(episode.stack().isAbsent());
    assertEquals(ChunkEvent.NO_THREAD, episode.thread());
    assertEquals(
        List.of("missing constants, so that names, stacks or threads are: 2"),
        data.facts().problems());
    assertEquals(
        List.of(),
        read(shuffled().event(PINNED, out -> pin(out, 0, 0, 1_000)).build()).facts().problems(),
        "null is not missing");
  }

  @Test
  void takesTheFirstOfConstantsThatRepeat() throws Exception {
    RecordingData data =
        read(
            shuffled()
                .constants(5, constants(17))
                .constants(5, constants(18))
                .event(PINNED, out -> pin(out, 8, 7, 1_000))
                .build());
    assertEquals(List.of(expected(1_000, 17)), data.pins().episodes());
  }

  @Test
  void leavesOutADamagedPoolOnly() throws Exception {
    RecordingData data =
        read(
            shuffled()
                .constants(1, out -> out.numbers(THREAD, 1L << 40))
                .constants(2, out -> out.numbers(999, 1, 1, 1))
                .constants(Integer.MAX_VALUE, constants(17))
                .event(PINNED, out -> pin(out, 8, 7, 1_000))
                .build());
    assertEquals(List.of(expected(1_000, 17)), data.pins().episodes());
    assertEquals(
        List.of("damaged constants, so that names or stacks may be missing: 3"),
        data.facts().problems());
  }

  @Test
  void leavesOutADamagedEventOnly() throws Exception {
    RecordingData data =
        read(
            shuffled()
                .constants(5, constants(17))
                .event(PINNED, out -> out.string("cut short"))
                .event(PINNED, out -> out.oneByte(77))
                .event(PINNED, out -> pin(out, 8, 7, 1_000))
                .build());
    assertEquals(List.of(expected(1_000, 17)), data.pins().episodes());
    assertEquals(List.of("damaged events that were left out: 2"), data.facts().problems());
  }

  @Test
  void survivesAStackOfAbsurdLength() throws Exception {
    RecordingData data =
        read(
            shuffled()
                .constants(1, out -> out.numbers(STACK, 1, 8, Integer.MAX_VALUE))
                .event(PINNED, out -> pin(out, 8, 0, 1_000))
                .build());
    assertTrue(data.pins().episodes().getFirst().stack().isAbsent());
    assertEquals(
        List.of("damaged constants, so that names or stacks may be missing: 2"),
        data.facts().problems());
  }

  @Test
  void survivesConstantsThatHoldEachOther() throws Exception {
    ChunkBuilder chunk =
        primitives()
            .type(THREAD, "java.lang.Thread", "", "javaName 21 constant", "javaThreadId 12")
            .type(
                PINNED,
                Events.PINNED,
                ChunkBuilder.EVENT,
                "startTime 12",
                "eventThread 21 constant");
    // Each thread's name is the next one's, and the last one's is the first's.
    int threads = 10_000;
    for (int i = 1; i <= threads; i++) {
      int id = i;
      chunk.constants(1, out -> out.numbers(THREAD, 1, id, id % threads + 1, id));
    }
    for (int i = 1; i <= threads; i++) {
      int id = i;
      chunk.event(PINNED, out -> out.numbers(id, id));
    }
    RecordingData data = read(chunk.build());
    assertEquals(threads, data.pins().episodes().size());
    assertEquals(5, data.pins().episodes().get(4).thread().id());
  }

  @Test
  void survivesTypesThatHoldThemselves() throws Exception {
    String[] fields = new String[30];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = "f" + i + (i % 2 == 0 ? " 30 array" : " 31");
    }
    RecordingData data =
        read(
            shuffled()
                .type(30, "test.A", "", fields)
                .type(31, "test.B", "", fields)
                .type(32, "test.Unknown", "", "x 12345")
                .constants(2, out -> out.numbers(30, 1, 1, 1, 1, 1))
                .constants(1, out -> out.numbers(32, 1, 1, 1))
                .constants(5, constants(17))
                .event(PINNED, out -> pin(out, 8, 7, 1_000))
                .build());
    assertEquals(List.of(expected(1_000, 17)), data.pins().episodes());
    assertEquals(
        List.of("damaged constants, so that names or stacks may be missing: 2"),
        data.facts().problems());
  }

  @Test
  void readsEventsWithoutThreadStackOrDuration() throws Exception {
    RecordingData data =
        read(
            primitives()
                .type(PINNED, Events.PINNED, ChunkBuilder.EVENT, "startTime 12")
                .event(PINNED, out -> out.number(5))
                .build());
    PinEpisode episode = data.pins().episodes().getFirst();
    assertEquals(ChunkBuilder.START_NANOS + 5, episode.startNanos());
    assertEquals(0, episode.durationNanos());
    assertTrue(episode.stack().isAbsent());
    assertEquals(ChunkEvent.NO_THREAD, episode.thread());
  }

  @Test
  void takesNoOtherTypeForAnEventBecauseOfItsName() throws Exception {
    RecordingData data =
        read(
            primitives()
                .type(PINNED, Events.PINNED, "", "startTime 12")
                .event(PINNED, out -> out.number(5))
                .build());
    assertEquals(List.of(), data.pins().episodes());
  }

  @Test
  void learnsTheJdkFromALaterChunk() throws Exception {
    byte[] enter =
        shuffled()
            .type(
                200,
                Events.MONITOR_ENTER,
                ChunkBuilder.EVENT,
                "startTime 12",
                "eventThread 21 constant")
            .constants(5, constants(17))
            .event(200, out -> out.numbers(1, 7))
            .build();
    assertEquals(1, read(enter).pins().episodes().size(), "on an unknown JDK it can be a pin");
    for (int jdk : new int[] {21, 25}) {
      byte[] jvm =
          primitives()
              .type(201, Events.JVM, ChunkBuilder.EVENT, "startTime 12", "jvmVersion 20")
              .event(201, out -> out.number(1).string("VM (" + jdk + ".0.1) for"))
              .build();
      RecordingData data = read(enter, jvm);
      assertEquals(jdk, data.facts().jdk());
      assertEquals(jdk < JavaRelease.UNPINNED_MONITORS ? 1 : 0, data.pins().episodes().size());
      assertEquals(data.pins().episodes(), read(jvm, enter).pins().episodes());
    }
  }

  @Test
  void saysThatChunksAreOfTwoJvmsOfOneVersion() throws Exception {
    byte[][] jvms = new byte[2][];
    for (int i = 0; i < jvms.length; i++) {
      long started = 1_000L + i;
      jvms[i] =
          primitives()
              .type(
                  201,
                  Events.JVM,
                  ChunkBuilder.EVENT,
                  "startTime 12",
                  "jvmVersion 20",
                  "jvmStartTime 12")
              .event(201, out -> out.number(1).string("VM (21.0.1) for").number(started))
              .build();
    }
    assertEquals(List.of(), read(jvms[0], jvms[0]).facts().problems());
    assertEquals(
        List.of(
            "the recording is of more than one JVM: their carriers and threads are counted as"
                + " one's; name their files one by one"),
        read(jvms[0], jvms[1]).facts().problems());
  }

  @Test
  void takesTheSettingsThatHeldAllTheTime() throws Exception {
    byte[][] chunks = new byte[2][];
    String[][] changes = {{"true", "5 ms", "true", "20 ms"}, {"true", "0 ns", "true", "1 ms"}};
    for (int i = 0; i < chunks.length; i++) {
      ChunkBuilder chunk =
          shuffled()
              .type(
                  300,
                  Events.SETTING,
                  ChunkBuilder.EVENT,
                  "startTime 12",
                  "id 12",
                  "name 20",
                  "value 20");
      for (int j = 0; j < 4; j++) {
        String name = j % 2 == 0 ? "enabled" : "threshold";
        String value = changes[i][j];
        chunk.event(300, out -> out.numbers(1, PINNED).string(name).string(value));
      }
      chunk.event(300, out -> out.numbers(1, 4711).string("enabled").string("true"));
      chunks[i] = chunk.build();
    }
    assertEquals(
        Map.of(Events.PINNED, new RecordingFacts.EventSetting(true, 20_000_000, false, 0, "")),
        read(chunks).facts().settings());
    assertEquals(1_000_000, read(chunks[1]).facts().settings().get(Events.PINNED).thresholdNanos());
  }

  @Test
  void saysThatAnUnfinishedChunkHoldsNothingYet() {
    byte[] header = primitives().build();
    byte[] young = Arrays.copyOf(header, ChunkHeader.SIZE);
    ByteBuffer.wrap(young).putLong(8, ChunkHeader.SIZE).putLong(24, 0).put(64, (byte) 1);
    String message = assertThrows(DataException.class, () -> read(young)).getMessage();
    assertTrue(
        message.startsWith("test: nothing can be read: the recording is unfinished"), message);
  }

  @Test
  void readsTheBeginningOfAChunkThatDoesNotFitIntoMemory() throws Exception {
    byte[] small =
        shuffled().constants(5, constants(17)).event(PINNED, out -> pin(out, 8, 7, 1_000)).build();
    byte[] large = Arrays.copyOf(small, 3 << 20);
    ByteBuffer.wrap(large).putLong(8, large.length);
    // Padding events between the first events and the end.
    ChunkBuilder.Out padding = new ChunkBuilder.Out();
    while (padding.size() < large.length - small.length) {
      padding.oneByte(100).oneByte(99).writeBytes(new byte[98]);
    }
    System.arraycopy(padding.toByteArray(), 0, large, small.length, large.length - small.length);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(large);
    file.writeBytes(small);
    RecordingData data = read(new ByteArrayInputStream(file.toByteArray()), 2 << 20);
    assertEquals(2, data.pins().episodes().size(), "the first chunk's and the next one's");
    assertEquals(
        List.of("a chunk of 3 MB does not fit into memory (see -Xmx); only its beginning was read"),
        data.facts().problems());
  }

  @Test
  void goesOnAfterAChunkWhoseSizeIsFarTooLarge() throws Exception {
    byte[] wrong =
        shuffled().constants(5, constants(17)).event(PINNED, out -> pin(out, 8, 7, 1)).build();
    byte[] right =
        shuffled().constants(5, constants(17)).event(PINNED, out -> pin(out, 8, 7, 2)).build();
    ByteBuffer.wrap(wrong).putLong(8, 1L << 40);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(wrong);
    while (file.size() < 3 << 20) {
      file.writeBytes(right);
    }
    int chunks = 1 + (file.size() - wrong.length) / right.length;
    RecordingData data = read(new ByteArrayInputStream(file.toByteArray()), 2 << 20);
    assertEquals(chunks, data.pins().episodes().size());
    assertEquals(1, data.facts().problems().size(), data.facts().problems().toString());
  }

  @Test
  void leavesOutLockMapsWithAGap() throws Exception {
    ChunkBuilder chunk =
        primitives()
            .type(
                300,
                Events.LOCK_MAP,
                ChunkBuilder.EVENT,
                "startTime 12",
                "className 20",
                "part 11",
                "parts 11",
                "map 20");
    String[] names = {"Gap", "Gap", "None", "Negative", "Grown", "Grown", "Grown"};
    int[][] parts = {{0, 2}, {5, 2}, {0, 0}, {0, -1}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < names.length; i++) {
      int event = i;
      chunk.event(
          300,
          out ->
              out.number(1)
                  .string(names[event])
                  .numbers(parts[event][0], parts[event][1])
                  .string(""));
    }
    RecordingData data = read(chunk.build());
    assertEquals(List.of("Grown"), data.lockMaps().stream().map(map -> map.type().name()).toList());
    assertEquals(3, data.facts().problems().size(), data.facts().problems().toString());
  }

  @Test
  void endsOnAFileOfNothingButHeaders() {
    byte[] header = Arrays.copyOf(primitives().build(), ChunkHeader.SIZE);
    ByteBuffer.wrap(header).putLong(8, 1L << 40);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 200_000; i++) {
      all.writeBytes(header);
    }
    assertThrows(DataException.class, () -> read(all.toByteArray()));
  }
}
