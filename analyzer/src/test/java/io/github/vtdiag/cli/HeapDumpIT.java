package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.cli.programs.DumpsHeap;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code vtdiag hang} on heap dumps that JVMs have written. */
final class HeapDumpIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  @TempDir private Path folder;

  private String dump(Jdk jdk, String... waits) throws Exception {
    Path file = folder.resolve(jdk + ".hprof");
    Files.deleteIfExists(file);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                Forked.QUICK,
                "-Djdk.virtualThreadScheduler.parallelism=4",
                "-cp",
                CLASSES,
                DumpsHeap.class.getName(),
                file.toString()));
    arguments.addAll(List.of(waits));
    Forked ran = Forked.java(jdk, folder, arguments.toArray(String[]::new));
    assertEquals(0, ran.exitCode(), ran.err());
    return file.toString();
  }

  private static Forked hang(String... arguments) throws Exception {
    return WarmCommandLine.run(
        Jdk.JAVA_25, Stream.concat(Stream.of("hang"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static void assertRefused(String sentence, Forked ran) {
    assertEquals("", ran.out());
    assertEquals("vtdiag: " + sentence, ran.err().strip());
    assertEquals(3, ran.exitCode());
  }

  @Test
  void whatIsNoWholeHeapDumpIsRefused() throws Exception {
    Path dump = Path.of(dump(Jdk.JAVA_25, "reached"));
    byte[] bytes = Files.readAllBytes(dump);
    String file = folder.resolve("cut.hprof").toString();
    for (int length : new int[] {20, 100, 100_000, bytes.length / 2, bytes.length - 1}) {
      Files.write(Path.of(file), Arrays.copyOf(bytes, length));
      assertRefused(
          file
              + " is a heap dump that is damaged or was cut off; make one with jcmd PID"
              + " GC.heap_dump",
          hang(file));
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(file)))) {
      out.write(bytes);
    }
    assertRefused(file + " is a heap dump in gzip; unpack it first: gunzip " + file, hang(file));
    Forked two = hang(dump.toString(), dump.toString());
    assertTrue(two.err().contains("a heap dump is read alone"), two.err());
    assertEquals(2, two.exitCode());
  }

  /** The library leaves an index beside a dump, and reads a later one of that name by it. */
  @Test
  void aLaterDumpOfTheSameNameIsReadAnewAndNothingIsLeftBeside() throws Exception {
    Forked first = hang(dump(Jdk.JAVA_25, "circle"), "--json");
    assertEquals(List.of("LOCK_CYCLE [first, second]"), found(first));
    Forked second = hang(dump(Jdk.JAVA_25, "permits", "futures", "ended"), "--json");
    assertEquals(
        List.of("NEVER_RELEASED [heir]", "STRANDED [joins, joins, permit, permit, permit]"),
        found(second));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of("JAVA_25.hprof"), files.map(file -> file.getFileName().toString()).toList());
    }
  }

  /** What somebody can still end is no hang, however many wait for it. */
  @ParameterizedTest
  @EnumSource
  void whatAStaticFieldRefersToMayStillCome(Jdk jdk) throws Exception {
    Forked ran = hang(dump(jdk, "reached"));
    assertTrue(ran.out().contains("NOT_KNOWN  A heap dump shows one moment"), ran.out());
    assertEquals(4, ran.exitCode());
  }

  private static List<String> found(Forked ran) throws Exception {
    List<String> found = new ArrayList<>();
    for (JsonNode diagnosis : new ObjectMapper().readTree(ran.out()).get("diagnoses")) {
      List<String> names = new ArrayList<>();
      diagnosis.path("cycle").forEach(edge -> names.add(edge.at("/waiter/name").asText()));
      diagnosis.path("waiters").forEach(waiter -> names.add(waiter.get("name").asText()));
      found.add(
          diagnosis.get("kind").asText()
              + (diagnosis.get("sure").asBoolean() ? " " : " ? ")
              + names.stream().sorted().toList());
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void fieldsTellWhoseWaitNobodyCanEnd(Jdk jdk) throws Exception {
    List<String> waits = new ArrayList<>(List.of("circle", "ended", "futures", "permits"));
    if (jdk == Jdk.JAVA_25) {
      waits.add("reached");
    }
    Forked ran = hang(dump(jdk, waits.toArray(String[]::new)), "--json");
    assertEquals(
        List.of(
            "LOCK_CYCLE [first, second]",
            "NEVER_RELEASED [heir]",
            "STRANDED [joins, joins, permit, permit, permit]"),
        found(ran));
    assertEquals(1, ran.exitCode());
  }

  @ParameterizedTest
  @EnumSource
  void aTaskMayNeedTheLockOfTheThreadThatWaitsForIt(Jdk jdk) throws Exception {
    Forked ran = hang(dump(jdk, "task"), "--json");
    assertEquals(List.of("LOCK_CYCLE [asks, runs]"), found(ran));
    assertEquals(1, ran.exitCode());
  }

  /** Java 21 dumps no stack of a parked thread: it may go on, and refer to anything. */
  @Test
  void nothingIsProvenBesideAThreadWithoutAStack() throws Exception {
    Forked ran = hang(dump(Jdk.JAVA_21, "permits", "reached"), "--json");
    assertEquals(List.of("WAITING ? []"), found(ran));
    assertEquals(4, ran.exitCode());
  }

  /** Of monitors the heap has no owner: who locked what is in the class files. */
  @ParameterizedTest
  @EnumSource
  void classFilesTellWhatAFrameHasLocked(Jdk jdk) throws Exception {
    String dump = dump(jdk, "monitors");
    Forked without = hang(dump);
    assertTrue(without.out().contains("with --classpath, class files tell"), without.out());
    assertEquals(4, without.exitCode());
    Forked ran = hang(dump, "--classpath", CLASSES);
    String account = DumpsHeap.class.getSimpleName() + "$Account";
    assertTrue(
        ran.out().contains("PROBABLY A DEADLOCK  2 threads wait for each other\n  virtual thread"),
        ran.out());
    assertTrue(
        ran.out()
            .contains("waits in " + DumpsHeap.class.getPackageName() + "." + account + ".take"),
        ran.out());
    assertTrue(ran.out().contains(account + "@2, which virtual thread"), ran.out());
    assertEquals(1, ran.exitCode());
  }
}
