package io.github.vtdiag.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Events;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
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

/** What names stand for, and what several files hold together. */
class InputTest {
  @TempDir Path directory;

  private final List<String> notes = new ArrayList<>();

  private List<RecordingData> read(Object... names) throws DataException {
    Recordings recordings = new Recordings(TimeRange.ALL, notes::add, count -> {});
    List<RecordingData> all = new ArrayList<>();
    for (Input input : Input.find(Stream.of(names).map(Object::toString).toList(), notes::add)) {
      all.addAll(recordings.read(input));
    }
    return all;
  }

  private String messageOf(Object... names) {
    return assertThrows(DataException.class, () -> read(names)).getMessage();
  }

  private static List<PinEpisode> pins(List<RecordingData> recordings) {
    return recordings.stream().flatMap(data -> data.pins().episodes().stream()).toList();
  }

  @Test
  void saysWhatADirectoryDoesNotHold() throws Exception {
    assertEquals(
        directory + ": holds no recordings (*.jfr, *.jfr.gz, *.zip); name files or another folder",
        messageOf(directory));
    Files.writeString(directory.resolve("notes.txt"), "none");
    Files.createDirectory(directory.resolve("sub"));
    messageOf(directory);
    assertTrue(
        notes.containsAll(
            List.of(
                "skipping %s: its name is not that of a recording"
                    .formatted(directory.resolve("notes.txt")),
                "skipping the folder " + directory.resolve("sub"))),
        notes.toString());
    // A gate must not pass because a recording could not be read.
    Path bad = Files.writeString(directory.resolve("bad.jfr"), "text");
    assertEquals(bad + ": is no recording; it looks like text", messageOf(directory));
  }

  @ParameterizedTest
  @EnumSource
  void readsAllRecordingsOfADirectory(Jvms jvm) throws Exception {
    Path a = Files.copy(jvm.record("default", "once"), directory.resolve("a.jfr"));
    byte[] agent = Files.readAllBytes(jvm.record("default", "agent"));
    Path b = Files.write(directory.resolve("b.jfr.gz"), gzip(agent));
    byte[] profile = Files.readAllBytes(jvm.record("profile", "once"));
    Path c = zip("c.zip", List.of("note.txt", "x/p.jfr.gz"), List.of(new byte[9], gzip(profile)));
    List<RecordingData> all = read(directory);
    assertEquals(
        List.of(a.toString(), b.toString(), c + "!x/p.jfr.gz"),
        all.stream().map(data -> data.facts().source()).toList());
    assertEquals(Recordings.read(a).pins().episodes(), all.get(0).pins().episodes());
    assertEquals(
        Recordings.read(jvm.record("default", "agent")).pins().episodes(),
        all.get(1).pins().episodes());
    assertEquals(
        Recordings.read(jvm.record("profile", "once")).pins().episodes(),
        all.get(2).pins().episodes());
    assertTrue(notes.contains("skipping " + c + "!note.txt: it is no recording"), notes.toString());
    // Named once more in any way, nothing is added.
    assertEquals(pins(all), pins(read(directory, a, b)));
    Path copy = Files.copy(a, Files.createDirectory(directory.resolve("copies")).resolve("z.jfr"));
    assertEquals(pins(all), pins(read(directory, copy)));
    assertTrue(
        notes.contains("skipping " + copy + ": all of it was read before"), notes.toString());
  }

  /** A repository with the last chunk of a killed JVM, and a dump made of the chunks before. */
  @ParameterizedTest
  @EnumSource
  void aRepositoryIsOneRecording(Jvms jvm) throws Exception {
    Path base = Files.createDirectory(directory.resolve("base"));
    Path dump = directory.resolve("dump.jfr");
    recordAndKill(jvm, base, dump);
    Path repository =
        Input.find(List.of(base.toString()), notes::add).getFirst().files().getFirst().getParent();
    List<Path> chunks;
    try (Stream<Path> files = Files.list(repository)) {
      chunks = files.sorted().toList();
    }
    assertTrue(chunks.size() >= 3, chunks.toString());

    List<RecordingData> read = read(repository);
    assertEquals(1, read.size());
    RecordingData whole = read.getFirst();
    assertEquals(repository.toString(), whole.facts().source());
    assertEquals(1, whole.facts().problems().size(), whole.facts().problems().toString());
    assertEquals(oracle(chunks, jvm), kinds(whole.pins().episodes()));
    long end = 0;
    for (Path chunk : chunks) {
      RecordingFacts facts = Recordings.read(chunk).facts();
      end = Math.max(end, facts.startNanos() + facts.durationNanos());
    }
    assertEquals(end - whole.facts().startNanos(), whole.facts().durationNanos());
    assertEquals(List.of(whole), List.of(read(base).getFirst()));

    // The dump's chunks are the repository's, so together they hold no more than it does.
    List<RecordingData> together = read(repository, dump);
    assertEquals(List.of(whole), together);
    List<RecordingData> reversed = read(dump, repository);
    assertEquals(2, reversed.size());
    assertEquals(kinds(whole.pins().episodes()), kinds(pins(reversed)));
    long sum = reversed.stream().mapToLong(data -> data.facts().durationNanos()).sum();
    assertTrue(sum <= whole.facts().durationNanos(), sum + " of " + whole.facts().durationNanos());
    assertEquals(whole.facts().settings(), reversed.getLast().facts().settings());

    // However an archive orders them.
    List<String> names = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    for (Path chunk : chunks) {
      names.add("repo/" + chunk.getFileName());
      contents.add(Files.readAllBytes(chunk));
    }
    Collections.reverse(names);
    Collections.reverse(contents);
    List<RecordingData> zipped = read(zip("repo.zip", names, contents));
    assertEquals(1, zipped.size());
    assertEquals(whole.pins().episodes(), zipped.getFirst().pins().episodes());
    assertEquals(whole.facts().durationNanos(), zipped.getFirst().facts().durationNanos());

    // A cut copy read first, and the whole chunk after it.
    byte[] first = Files.readAllBytes(chunks.getFirst());
    Path cut =
        Files.write(directory.resolve("cut.jfr"), Arrays.copyOf(first, first.length * 9 / 10));
    assertEquals(kinds(whole.pins().episodes()), kinds(pins(read(cut, repository))));
    // One that JFR had just made.
    Files.createFile(repository.resolve("2099_01_01_00_00_00.jfr"));
    assertEquals(whole, read(repository).getFirst());
  }

  private static void recordAndKill(Jvms jvm, Path base, Path dump) throws Exception {
    Process process =
        new ProcessBuilder(
                jvm.command(
                    "-XX:StartFlightRecording=settings=default",
                    "-XX:FlightRecorderOptions=repository=" + base,
                    PinningProgram.class.getName(),
                    "repository",
                    dump.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = process.inputReader(UTF_8)) {
      String line = output.readLine();
      while (line != null && !line.equals("flushed")) {
        line = output.readLine();
      }
      assertEquals("flushed", line);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** The pins of all chunks as the JDK reads them, each chunk alone: it knows but one clock. */
  private Map<String, Long> oracle(List<Path> chunks, Jvms jvm) throws Exception {
    Map<String, Long> counts = new TreeMap<>();
    for (Path chunk : chunks) {
      byte[] bytes = Files.readAllBytes(chunk);
      byte[] finished = Arrays.copyOf(bytes, (int) ByteBuffer.wrap(bytes).getLong(8));
      finished[64] = 0; // else the JDK waits for the JVM that was killed
      for (RecordedEvent event :
          RecordingFile.readAllEvents(Files.write(directory.resolve("chunk.tmp"), finished))) {
        String type = event.getEventType().getName();
        boolean pin =
            type.equals(Events.PINNED)
                || (jvm.feature < JavaRelease.UNPINNED_MONITORS
                    && (type.equals(Events.MONITOR_ENTER) || type.equals(Events.MONITOR_WAIT))
                    && event.getThread().isVirtual());
        if (pin) {
          long start = TimeRange.nanosOf(event.getStartTime());
          counts.merge(start + " for " + event.getDuration().toNanos(), 1L, Long::sum);
        }
      }
    }
    return counts;
  }

  private static Map<String, Long> kinds(List<PinEpisode> pins) {
    Map<String, Long> counts = new TreeMap<>();
    pins.forEach(p -> counts.merge(p.startNanos() + " for " + p.durationNanos(), 1L, Long::sum));
    return counts;
  }

  @ParameterizedTest
  @EnumSource
  void readsGzipOfSeveralMembers(Jvms jvm) throws Exception {
    Path whole = jvm.record("default", "chunks");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (Path chunk : OracleTest.split(whole, directory)) {
      packed.writeBytes(gzip(Files.readAllBytes(chunk)));
    }
    Path file = Files.write(directory.resolve("members.jfr.gz"), packed.toByteArray());
    assertEquals(Recordings.read(whole).pins().episodes(), Recordings.read(file).pins().episodes());
  }

  /** Its bytes come slowly, and nobody knows how many there will be. */
  @ParameterizedTest
  @EnumSource
  void readsAPipe(Jvms jvm) throws Exception {
    Path whole = jvm.record("default", "chunks");
    Path pipe = directory.resolve("pipe.jfr");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    List<Path> chunks = OracleTest.split(whole, directory);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try (OutputStream out = new FileOutputStream(pipe.toFile())) {
                for (Path chunk : chunks) {
                  out.write(gzip(Files.readAllBytes(chunk)));
                  out.flush();
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    assertEquals(-1, Input.size(Input.find(List.of(pipe.toString()), notes::add)));
    assertEquals(pins(List.of(Recordings.read(whole))), pins(read(pipe)));
    writer.join();
  }

  @Test
  void aCutArchiveIsNeverWhole() throws Exception {
    byte[] one = Files.readAllBytes(Jvms.JAVA_21.record("default", "once"));
    byte[] two = Files.readAllBytes(Jvms.JAVA_21.record("profile", "once"));
    Path archive = zip("two.zip", List.of("one.jfr", "two.jfr"), List.of(one, two));
    assertEquals(2, read(archive).size());
    byte[] bytes = Files.readAllBytes(archive);
    // Between two entries nothing looks cut, so look at cuts everywhere near there.
    int second = indexOf(bytes, "two.jfr".getBytes(UTF_8)) - 30;
    for (int cut : new int[] {second, second + 1, second + 30, second + 5_000, bytes.length - 22}) {
      Path file = Files.write(directory.resolve("cut.zip"), Arrays.copyOf(bytes, cut));
      try {
        assertFalse(read(file).getFirst().facts().problems().isEmpty(), "cut at " + cut);
      } catch (DataException e) {
        assertTrue(e.getMessage().contains("the zip archive cannot be read to its end"));
      }
    }
  }

  private static int indexOf(byte[] bytes, byte[] word) {
    for (int i = 0; i < bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + word.length, word, 0, word.length)) {
        return i;
      }
    }
    throw new AssertionError("not there");
  }

  /** What was there when it was read counts, and that some is missing is said. */
  @ParameterizedTest
  @EnumSource
  void readsAFileThatShrinks(Jvms jvm) throws Exception {
    Path file = Files.copy(jvm.record("default", "chunks"), directory.resolve("shrinks.jfr"));
    assertTrue(Files.size(file) > 300_000, "more than is read at once");
    Recordings recordings =
        new Recordings(
            TimeRange.ALL,
            notes::add,
            count -> {
              try (RandomAccessFile shrinking = new RandomAccessFile(file.toFile(), "rw")) {
                shrinking.setLength(Math.min(shrinking.length(), 280_000));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    RecordingFacts facts = recordings.read(new Input("shrinks", List.of(file))).getFirst().facts();
    assertTrue(
        facts.problems().getFirst().startsWith("the recording is cut off: the last "),
        facts.problems().toString());
  }

  /** As a dump that is still being written: here the bytes come just before they are read. */
  @ParameterizedTest
  @EnumSource
  void readsAFileThatGrows(Jvms jvm) throws Exception {
    Path whole = jvm.record("default", "once");
    byte[] bytes = Files.readAllBytes(whole);
    Path file = Files.write(directory.resolve("grows.jfr"), Arrays.copyOf(bytes, 1_000));
    Recordings recordings =
        new Recordings(
            TimeRange.ALL,
            notes::add,
            count -> {
              try (FileChannel end = FileChannel.open(file, StandardOpenOption.APPEND)) {
                int from = (int) end.size();
                end.write(ByteBuffer.wrap(bytes, from, Math.min(50_000, bytes.length - from)));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    RecordingData data = recordings.read(new Input("grows", List.of(file))).getFirst();
    assertEquals(Recordings.read(whole).pins().episodes(), data.pins().episodes());
    assertEquals(List.of(), data.facts().problems());
  }

  private static byte[] gzip(byte[] content) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  private Path zip(String name, List<String> names, List<byte[]> contents) throws Exception {
    Path file = directory.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < names.size(); i++) {
        out.putNextEntry(new ZipEntry(names.get(i)));
        out.write(contents.get(i));
      }
    }
    return file;
  }
}
