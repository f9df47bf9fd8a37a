package io.github.vtdiag.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Events;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Input that is no recording, or not a whole one. */
class DamagedRecordingTest {
  @TempDir Path directory;

  private Path file(byte[] content) throws Exception {
    return Files.write(directory.resolve("input.jfr"), content);
  }

  /** The timeout rethrows what the reader throws. */
  private static RecordingData readInTime(Path file) throws DataException {
    return assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Recordings.read(file));
  }

  private static String messageOf(Path file) {
    String message = assertThrows(DataException.class, () -> Recordings.read(file)).getMessage();
    assertTrue(message.startsWith(file + ": "), message);
    return message.substring(file.toString().length() + 2);
  }

  private String messageOf(byte[] content) throws Exception {
    return messageOf(file(content));
  }

  private static byte[] recording(Jvms jvm) throws Exception {
    return Files.readAllBytes(jvm.record("default", "once"));
  }

  @Test
  void saysWhatTheInputIs() throws Exception {
    assertEquals("no such file", messageOf(directory.resolve("absent.jfr")));
    assertEquals("is a directory, not a recording (.jfr)", messageOf(directory));
    assertTrue(messageOf(new byte[0]).startsWith("is empty: JFR fills it when the JVM exits"));
    assertEquals("is no recording; it looks like text", messageOf("{}\n".getBytes(UTF_8)));
    assertEquals(
        "is no recording; it looks like a Java class",
        messageOf(
            DamagedRecordingTest.class
                .getResourceAsStream("DamagedRecordingTest.class")
                .readAllBytes()));
    assertEquals("is no recording; it looks like unknown binary data", messageOf(new byte[5000]));
    assertEquals("is no recording; it looks like text", messageOf("FLR".getBytes(UTF_8)));
    assertEquals(
        "is no recording; it looks like a heap dump",
        messageOf("JAVA PROFILE 1.0.2\0".getBytes(UTF_8)));
    assertEquals(
        "is a zip archive that holds no recording",
        messageOf(zip("hello".getBytes(UTF_8), new byte[0])));
    assertEquals("holds no recording but text", messageOf(gzip("hello".getBytes(UTF_8))));
    assertEquals("holds no recording but an empty file", messageOf(gzip(new byte[0])));
  }

  @Test
  void saysThatItMayNotRead() throws Exception {
    Path file = file(new byte[100]);
    assumeFalse(!file.toFile().setReadable(false) || Files.isReadable(file), "as root");
    assertEquals("no permission to read it", messageOf(file));
  }

  private static byte[] gzip(byte[] content) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private static byte[] zip(byte[]... contents) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(packed)) {
      for (int i = 0; i < contents.length; i++) {
        out.putNextEntry(new ZipEntry("entry" + i));
        out.write(contents[i]);
      }
    }
    return packed.toByteArray();
  }

  @ParameterizedTest
  @EnumSource
  void readsZipToo(Jvms jvm) throws Exception {
    byte[] recording = recording(jvm);
    List<PinEpisode> episodes = Recordings.read(file(recording)).pins().episodes();
    byte[] packed = zip("a note".getBytes(UTF_8), recording, new byte[3]);
    assertEquals(episodes, Recordings.read(file(packed)).pins().episodes());
    byte[] other = Files.readAllBytes(jvm.record("profile", "once"));
    assertEquals("holds several recordings", messageOf(zip(recording, other)));
    byte[] cut = Arrays.copyOf(packed, packed.length * 9 / 10);
    assertFalse(Recordings.read(file(cut)).facts().problems().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void readsGzipToo(Jvms jvm) throws Exception {
    byte[] recording = recording(jvm);
    RecordingData plain = Recordings.read(file(recording));
    byte[] packed = gzip(recording);
    assertEquals(plain.pins().episodes(), Recordings.read(file(packed)).pins().episodes());
    // Without gzip's checksum all is there, but it is not sure.
    RecordingData cut = Recordings.read(file(Arrays.copyOf(packed, packed.length - 8)));
    assertEquals(plain.pins().episodes(), cut.pins().episodes());
    assertEquals(
        List.of("the file cannot be read to its end: it is cut off"), cut.facts().problems());
    assertEquals("cannot be read: it is cut off", messageOf(Arrays.copyOf(packed, 5)));
    assertTrue(messageOf(Arrays.copyOf(packed, 2_000)).startsWith("nothing can be read: "));
  }

  @ParameterizedTest
  @EnumSource
  void refusesOldFormatsAndTriesNewOnes(Jvms jvm) throws Exception {
    byte[] recording = recording(jvm);
    List<PinEpisode> episodes = Recordings.read(file(recording)).pins().episodes();
    recording[5] = 0;
    assertEquals(
        "nothing can be read: its format version 0.1 is that of Java 8 and before",
        messageOf(recording));
    recording[5] = 1;
    assertEquals(episodes, Recordings.read(file(recording)).pins().episodes());
    recording[5] = 7;
    RecordingData data = Recordings.read(file(recording));
    assertEquals(episodes, data.pins().episodes());
    assertEquals(
        List.of("the format version 7.1 is newer than any that vtdiag knows (2.x)"),
        data.facts().problems());
  }

  @ParameterizedTest
  @EnumSource
  void refusesHeadersThatMakeNoSense(Jvms jvm) throws Exception {
    byte[] recording = recording(jvm);
    byte[] noClock = recording.clone();
    Arrays.fill(noClock, 56, 64, (byte) 0);
    assertEquals("nothing can be read: a chunk's header has no clock", messageOf(noClock));
    byte[] notCompressed = recording.clone();
    notCompressed[67] = 0;
    assertTrue(messageOf(notCompressed).contains("not compressed"));
    for (long size : new long[] {Long.MAX_VALUE, 3L << 30, recording.length + 1L}) {
      byte[] tooLong = recording.clone();
      ByteBuffer.wrap(tooLong).putLong(8, size);
      RecordingData data = Recordings.read(file(tooLong));
      assertEquals(Recordings.read(file(recording)).pins().episodes(), data.pins().episodes());
      assertTrue(data.facts().problems().getFirst().startsWith("the recording is cut off"));
    }
    for (long size : new long[] {Long.MIN_VALUE, -1, 0, 67, 68}) { // not even the header
      byte[] tooShort = recording.clone();
      ByteBuffer.wrap(tooShort).putLong(8, size);
      RecordingData data = Recordings.read(file(tooShort));
      assertEquals(Recordings.read(file(recording)).pins().episodes(), data.pins().episodes());
      assertFalse(data.facts().problems().isEmpty());
    }
    for (long place : new long[] {Long.MIN_VALUE, 0, 100, recording.length, Long.MAX_VALUE}) {
      byte[] misplaced = recording.clone();
      ByteBuffer.wrap(misplaced).putLong(24, place);
      assertEquals(
          Recordings.read(file(recording)).pins().episodes(),
          Recordings.read(file(misplaced)).pins().episodes(),
          "the metadata is found all the same");
    }
  }

  /** However a recording is cut, what is left of it is read, and the cut is said. */
  @ParameterizedTest
  @EnumSource
  void readsWhatACutLeaves(Jvms jvm) throws Exception {
    Path whole = jvm.record("default", "chunks");
    byte[] recording = Files.readAllBytes(whole);
    Set<PinEpisode> all = new HashSet<>(Recordings.read(whole).pins().episodes());
    List<Integer> ends = new ArrayList<>();
    List<Integer> pins = new ArrayList<>();
    for (Path chunk : OracleTest.split(whole, directory)) {
      ends.add((ends.isEmpty() ? 0 : ends.getLast()) + (int) Files.size(chunk));
      pins.add(
          (pins.isEmpty() ? 0 : pins.getLast()) + Recordings.read(chunk).pins().episodes().size());
    }
    assertEquals(all.size(), pins.getLast());
    Random random = new Random(1);
    for (int i = 0; i < 400; i++) {
      int cut = i < 80 ? i : 1 + random.nextInt(recording.length - 1);
      int chunks = (int) ends.stream().filter(end -> end <= cut).count();
      Path file = file(Arrays.copyOf(recording, cut));
      RecordingData data;
      try {
        data = readInTime(file);
      } catch (DataException e) {
        assertEquals(0, chunks, () -> "cut at " + cut + ": " + e.getMessage());
        continue;
      }
      if (!ends.contains(cut)) {
        assertFalse(data.facts().problems().isEmpty(), () -> "cut at " + cut);
      }
      int least = chunks == 0 ? 0 : pins.get(chunks - 1);
      assertTrue(data.pins().episodes().size() >= least, () -> "cut at " + cut);
      Set<PinEpisode> complete = new HashSet<>(data.pins().episodes());
      complete.retainAll(all);
      assertTrue(complete.size() >= least, () -> "cut at " + cut);
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatAZeroedTailLeaves(Jvms jvm) throws Exception {
    Path whole = jvm.record("default", "chunks");
    byte[] recording = Files.readAllBytes(whole);
    int first = (int) Files.size(OracleTest.split(whole, directory).getFirst());
    int pins = Recordings.read(directory.resolve("chunk-0.jfr")).pins().episodes().size();
    for (int from : new int[] {first, first + 1, first + 60, first + 20_000}) {
      byte[] zeroed = recording.clone();
      Arrays.fill(zeroed, from, zeroed.length, (byte) 0);
      RecordingData data = Recordings.read(file(zeroed));
      assertTrue(data.pins().episodes().size() >= pins, "zeroed from " + from);
      assertFalse(data.facts().problems().isEmpty(), "zeroed from " + from);
    }
  }

  @ParameterizedTest
  @EnumSource
  void goesOnAfterADamagedChunk(Jvms jvm) throws Exception {
    Path whole = jvm.record("default", "chunks");
    byte[] recording = Files.readAllBytes(whole);
    List<Path> chunks = OracleTest.split(whole, directory);
    List<PinEpisode> last = Recordings.read(chunks.getLast()).pins().episodes();
    // The first chunk's size, its events and its magic number, in turn.
    byte[] size = recording.clone();
    ByteBuffer.wrap(size).putLong(8, recording.length * 2L);
    byte[] events = recording.clone();
    Arrays.fill(events, 5_000, 5_100, (byte) 0);
    byte[] magic = recording.clone();
    magic[0] = 'f';
    byte[] gap = new byte[recording.length + 1000];
    int first = (int) Files.size(chunks.getFirst());
    System.arraycopy(recording, 0, gap, 0, first);
    System.arraycopy(recording, first, gap, first + 1000, recording.length - first);
    assertEquals("is no recording; it looks like unknown binary data", messageOf(file(magic)));
    for (byte[] damaged : List.of(size, events, gap)) {
      RecordingData data = Recordings.read(file(damaged));
      assertTrue(data.pins().episodes().containsAll(last));
      assertFalse(data.facts().problems().isEmpty());
    }
    byte[] cutInTheMiddle = new byte[recording.length - 500];
    System.arraycopy(recording, 0, cutInTheMiddle, 0, first - 500);
    System.arraycopy(recording, first, cutInTheMiddle, first - 500, recording.length - first);
    RecordingData data = Recordings.read(file(cutInTheMiddle));
    assertTrue(data.pins().episodes().containsAll(last));
    assertFalse(data.facts().problems().isEmpty());
  }

  /** What the user finds after {@code kill -9} leads to the folder with the data. */
  @ParameterizedTest
  @EnumSource
  void saysWhereTheDataOfAKilledJvmIs(Jvms jvm) throws Exception {
    Path left = directory.resolve("left.jfr");
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Process process =
        new ProcessBuilder(
                jvm.command(
                    "-XX:StartFlightRecording=settings=default,filename=" + left,
                    "-Djava.io.tmpdir=" + temporary,
                    PinningProgram.class.getName(),
                    "wait"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = process.inputReader(UTF_8)) {
      String line = output.readLine();
      while (line != null && !line.equals("flushed")) {
        line = output.readLine();
      }
      process.destroyForcibly().waitFor();
    }
    assertEquals(0, Files.size(left));
    String message = messageOf(left);
    assertTrue(message.contains("<date>_<pid> in the temporary directory"), message);
    try (Stream<Path> folders = Files.list(temporary)) {
      Path repository =
          folders
              .filter(folder -> folder.toString().endsWith("_" + process.pid()))
              .findFirst()
              .orElseThrow();
      Input input = Input.find(List.of(repository.toString()), note -> {}).getFirst();
      RecordingData data =
          new Recordings(TimeRange.ALL, note -> {}, count -> {}).read(input).getFirst();
      assertTrue(data.pins().size() > 0);
    }
  }

  /** The chunk on disk of a JVM that is still running, and then of one that was killed. */
  @ParameterizedTest
  @EnumSource
  void readsTheChunkOfARunningAndOfAKilledJvm(Jvms jvm) throws Exception {
    Path repository = Files.createDirectory(directory.resolve("repository"));
    Process process =
        new ProcessBuilder(
                jvm.command(
                    "-XX:StartFlightRecording=settings=default",
                    "-XX:FlightRecorderOptions=repository=" + repository,
                    PinningProgram.class.getName(),
                    "wait"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = process.inputReader(UTF_8)) {
      String line = output.readLine();
      while (line != null && !line.equals("flushed")) {
        line = output.readLine();
      }
      assertEquals("flushed", line);
      Path chunk = chunkIn(repository);
      RecordingData running = readInTime(chunk);
      process.destroyForcibly().waitFor();
      RecordingData killed = readInTime(chunk);
      for (RecordingData data : List.of(running, killed)) {
        int pins = jvm.feature < 24 ? 5 * PinningProgram.ROUNDS : 2;
        assertTrue(data.pins().episodes().size() >= pins, data.pins().episodes().toString());
        assertFalse(data.pins().episodes().stream().anyMatch(e -> e.stack().isAbsent()));
        assertEquals(jvm.feature, data.facts().jdk());
        assertTrue(data.facts().durationNanos() > 0);
        assertEquals(1, data.facts().problems().size(), data.facts().problems().toString());
        assertTrue(data.facts().problems().getFirst().startsWith("the recording is unfinished"));
      }
      assertTrue(killed.pins().episodes().containsAll(running.pins().episodes()));
      // The JDK's reader waits in vain for such a chunk to be finished, so finish it.
      byte[] bytes = Files.readAllBytes(chunk);
      byte[] finished = Arrays.copyOf(bytes, (int) ByteBuffer.wrap(bytes).getLong(8));
      finished[64] = 0;
      List<RecordedEvent> oracle = RecordingFile.readAllEvents(file(finished));
      assertEquals(
          oracle.stream().filter(e -> e.getEventType().getName().equals(Events.PINNED)).count(),
          killed.pins().episodes().stream()
              .filter(e -> e.kind() == PinEpisode.Kind.PINNED)
              .count());
    } finally {
      process.destroyForcibly();
    }
  }

  private static Path chunkIn(Path repository) throws Exception {
    try (Stream<Path> files = Files.walk(repository)) {
      return files.filter(file -> file.toString().endsWith(".jfr")).findFirst().orElseThrow();
    }
  }

  /** Whatever bytes are changed, the reader ends, and in no other way than a data error. */
  @ParameterizedTest
  @EnumSource
  void survivesMutations(Jvms jvm) throws Exception {
    List<byte[]> seeds =
        List.of(
            recording(jvm),
            Files.readAllBytes(jvm.record("default", "chunks")),
            Files.readAllBytes(jvm.record("default", "agent")));
    int readable = 0;
    for (int seed = 0; seed < 600; seed++) {
      Random random = new Random(seed);
      byte[] bytes = seeds.get(seed % seeds.size()).clone();
      mutate(bytes, random);
      Path file = file(bytes);
      try {
        RecordingData data = readInTime(file);
        assertTrue(data.facts().durationNanos() >= 0);
        readable++;
      } catch (DataException e) {
        assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
      }
    }

    assertTrue(readable > 200, "most mutations leave something to read: " + readable);
  }

  private static void mutate(byte[] bytes, Random random) {
    byte[] interesting = {0, 1, 2, 3, 4, 5, 0x7F, (byte) 0x80, (byte) 0xFF, 'F'};
    for (int left = 1 + random.nextInt(random.nextBoolean() ? 3 : 40); left > 0; left--) {
      int place = random.nextInt(random.nextInt(10) > 0 ? bytes.length : 2_000);
      switch (random.nextInt(4)) {
        case 0 -> bytes[place] = interesting[random.nextInt(interesting.length)];
        case 1 -> bytes[place] ^= (byte) (1 << random.nextInt(8));
        case 2 -> {
          int length = Math.min(random.nextInt(20), bytes.length - place);
          Arrays.fill(bytes, place, place + length, interesting[random.nextInt(10)]);
        }
        default -> {
          int length = Math.min(random.nextInt(100), bytes.length - place);
          int from = random.nextInt(bytes.length - length);
          System.arraycopy(bytes, from, bytes, place, length);
        }
      }
    }
  }
}
