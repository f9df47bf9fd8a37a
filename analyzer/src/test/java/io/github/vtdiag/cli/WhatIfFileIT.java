package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program is recorded and advised on, then changed: the advice must not be tried on what it is
 * not about.
 */
@Order(1)
final class WhatIfFileIT {
  private static final Path AGENT = Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath();

  private static final String MAIN =
      """
      package app;
      final class Main {
        public static void main(String[] args) throws Exception {
          java.nio.file.Files.writeString(java.nio.file.Path.of("ran.txt"), "ran");
          java.util.List<Thread> threads = new java.util.ArrayList<>();
          for (int i = 0; i < 100; i++) {
            threads.add(Thread.startVirtualThread(new Work()));
          }
          for (Thread thread : threads) {
            thread.join();
          }
          System.out.println("100 operations");
        }
      }
      """;

  private static final String WORK =
      """
      package app;
      final class Work implements Runnable {
        public void run() {
          new Session().query(5);
          new Ledger().pay();
        }
        static void pause() {
          try {
            Thread.sleep(10);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      """;

  private static final String SESSION =
      """
      package app;
      class Session {
        synchronized void query(int rows) { Work.pause(); }
      }
      """;

  private static final String LEDGER =
      """
      package app;
      class Ledger {
        private final Object lock = new Object();
        void pay() { synchronized (lock) { Work.pause(); } }
      }
      """;

  @TempDir private static Path shared;

  /** The advice on the program as it was recorded. */
  private static Path advice;

  @TempDir private Path folder;

  /** Whatever the programs leave for other files is looked for here. */
  private Path temporary;

  private static Path compile(Path folder, String... sources) throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path files = Files.createTempDirectory(folder, "sources");
    List<Path> written = new ArrayList<>();
    for (String source : sources) {
      written.add(Files.writeString(files.resolve("S" + written.size() + ".java"), source));
    }
    Javac.compile(classes, written);
    return classes;
  }

  @BeforeAll
  static void recordAndAdvise() throws Exception {
    Path classes = compile(shared, MAIN, WORK, SESSION, LEDGER);
    Forked recorded =
        Forked.java(
            Jdk.JAVA_21,
            shared,
            Forked.QUICK,
            "-javaagent:" + AGENT + "=output=app.jfr",
            "-cp",
            classes.toString(),
            "app.Main");
    assertEquals(0, recorded.exitCode(), recorded.err());
    advice = shared.resolve("advice.json");
    Forked advised =
        CliJar.run(
            shared,
            "advise",
            "app.jfr",
            "--classpath",
            classes.toString(),
            "--json",
            "-o",
            advice.toString());
    assertEquals(0, advised.exitCode(), advised.err());
    // Each in its finding and in the entry of that.
    assertEquals(2 + 2, Files.readString(advice).split("\"REWRITE\"", -1).length - 1);
  }

  @BeforeEach
  void temporaryFolder() throws IOException {
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(
          List.of(),
          left.map(path -> path.getFileName().toString())
              .filter(name -> name.startsWith("vtdiag"))
              .toList());
    }
  }

  private Forked agent(Jdk jdk, Path file, Path... classPath) throws Exception {
    String path =
        String.join(File.pathSeparator, Stream.of(classPath).map(Path::toString).toList());
    return Forked.java(
        jdk,
        folder,
        Forked.QUICK,
        "-javaagent:" + AGENT + "=output=a.jfr,threshold=0ms,warn=off,summary=off,rewrite=@" + file,
        "-cp",
        path,
        "app.Main");
  }

  private Forked compare(Jdk jdk, Path file, String... command) throws Exception {
    List<String> arguments = CommandLine.start(Jdk.JAVA_25, "-Djava.io.tmpdir=" + temporary);
    arguments.addAll(List.of("compare", "--json"));
    arguments.addAll(List.of("--jdk", jdk.home().toString(), "--pairs", "2", "--cool-down", "0"));
    arguments.addAll(List.of("--what-if", file.toString(), "--"));
    arguments.addAll(List.of(Forked.QUICK, Forked.PATIENT));
    arguments.addAll(List.of(command));
    return Forked.run(
        folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), arguments);
  }

  private Forked compare(Jdk jdk, Path file, Path classes) throws Exception {
    return compare(jdk, file, "-cp", classes.toString(), "app.Main");
  }

  private void assertNothingRan() {
    assertFalse(Files.exists(folder.resolve("ran.txt")), "the program ran");
  }

  private void assertCompareRefuses(Forked refused, String sentence) {
    assertEquals(3, refused.exitCode(), refused.err());
    assertEquals("", refused.out());
    assertTrue(refused.err().startsWith("vtdiag: '"), refused.err());
    assertTrue(refused.err().contains(sentence), refused.err());
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertNothingRan();
  }

  private void assertAgentRefuses(Forked refused, String sentence) {
    assertEquals(2, refused.exitCode(), refused.err());
    assertEquals("", refused.out());
    assertTrue(refused.err().contains(sentence), refused.err());
    assertEquals(1, refused.err().lines().count(), refused.err());
    assertNothingRan();
  }

  /** A version of the program with a method renamed, and one in which nothing locks any more. */
  private Path changed() throws IOException {
    return compile(
        folder,
        MAIN,
        WORK.replace("query(", "ask("),
        SESSION.replace("query(", "ask("),
        LEDGER.replace("synchronized (lock)", ""));
  }

  @ParameterizedTest
  @EitherJdk
  void aChangedProgramDoesNotRun(Jdk jdk) throws Exception {
    Path classes = changed();
    assertAgentRefuses(agent(jdk, advice, classes), "; not starting the program");
    for (Forked refused : List.of(agent(jdk, advice, classes), compare(jdk, advice, classes))) {
      // In which order depends on what took longest.
      assertTrue(refused.err().contains("app.Session has no method query(int)"), refused.err());
      assertTrue(
          refused.err().contains("app.Ledger.pay() has no synchronized block"), refused.err());
    }
    assertCompareRefuses(
        compare(jdk, advice, classes), " describes another version of the program: app.");
  }

  @ParameterizedTest
  @EitherJdk
  void aMethodThatIsNoLongerSynchronizedOrAClassThatIsGoneIsNamed(Jdk jdk) throws Exception {
    Path classes =
        compile(
            folder,
            MAIN,
            WORK.replace("new Ledger().pay();", ""),
            SESSION.replace("synchronized ", ""));
    Forked stopped = agent(jdk, advice, classes);
    assertAgentRefuses(stopped, "app.Session.query(int) is not synchronized");
    assertAgentRefuses(stopped, "app.Ledger is not on the class path");
    Forked refused = compare(jdk, advice, classes);
    assertCompareRefuses(refused, "app.Session.query(int) is not synchronized");
    assertCompareRefuses(refused, "app.Ledger is not on the class path");
  }

  @ParameterizedTest
  @EitherJdk
  void aClassOfAnotherLoaderIsLookedAtWhenItLoads(Jdk jdk) throws Exception {
    Path plugin = compile(folder, WORK.replace("new Ledger().pay();", ""), SESSION, MAIN);
    Path host =
        compile(
            folder,
            """
            package host;
            class Host {
              public static void main(String[] args) throws Exception {
                System.out.println("host runs");
                new java.net.URLClassLoader(
                        new java.net.URL[] {java.nio.file.Path.of(args[0]).toUri().toURL()})
                    .loadClass("app.Session");
                System.out.println("loaded");
              }
            }
            """);
    String[] command = {
      // JFR, which starts beside the program, may complain of its sudden end on standard output.
      "-Xlog:jfr+system=off",
      "-javaagent:" + AGENT + "=output=a.jfr,warn=off,summary=off,rewrite=@" + advice,
      "-cp",
      host.toString(),
      "host.Host",
      plugin.toString()
    };
    Forked runs = Forked.java(jdk, folder, command);
    assertEquals(0, runs.exitCode(), runs.err());
    assertEquals("host runs\nloaded\n", runs.out());
    assertTrue(runs.err().contains("which were never loaded: app.Ledger"), runs.err());
    command[5] = changed().toString();
    Forked stopped = Forked.java(jdk, folder, command);
    assertEquals(2, stopped.exitCode(), stopped.err());
    assertEquals("host runs\n", stopped.out());
    assertTrue(stopped.err().contains("app.Session has no method query(int)"), stopped.err());
  }

  @Test
  void aFileOfAnotherKindIsRefusedBeforeAnythingRuns() throws Exception {
    Path classes = compile(folder, MAIN, WORK, SESSION, LEDGER);
    assertCompareRefuses(
        compare(Jdk.JAVA_21, shared.resolve("app.jfr"), classes), "app.jfr' is a recording; make");
    assertCompareRefuses(
        compare(Jdk.JAVA_21, folder.resolve("none"), classes), "none' cannot be read");
    Path findings =
        Files.writeString(folder.resolve("future.json"), "{\"schema\":2,\"findings\":[]}");
    assertCompareRefuses(
        compare(Jdk.JAVA_21, findings, classes),
        "has a schema version that this vtdiag does not know");
  }

  @Test
  void anotherProgramIsNotCalledAnotherVersion() throws Exception {
    Path classes =
        compile(
            folder, MAIN, "package app; class Work implements Runnable { public void run() { } }");
    assertCompareRefuses(
        compare(Jdk.JAVA_21, advice, classes),
        "does not match the program: none of its classes is on the class path (app.");
  }

  @Test
  void whatCanBeLockedFromAnywhereIsRefusedWithTheWayOut() throws Exception {
    Path classes =
        compile(
            folder,
            MAIN,
            WORK,
            SESSION,
            LEDGER,
            "package app; class Any { void m(Object o) { synchronized (o) { } } }");
    Path lines = Files.writeString(folder.resolve("sites.txt"), "app.Session#query\n");
    Forked refused = compare(Jdk.JAVA_21, lines, classes);
    assertCompareRefuses(refused, "cannot be tried on its own: Any.m (line 1) may lock any object");
    assertCompareRefuses(refused, "use --what-if auto");
  }

  @Test
  void anArgumentFileThatMayHideTheClassPathIsRefused() throws Exception {
    Path classes = compile(folder, MAIN, WORK, SESSION, LEDGER);
    Path file = Files.writeString(folder.resolve("args"), "-cp " + classes + " app.Main");
    // One @ more, or vtdiag reads the file itself.
    Forked refused = compare(Jdk.JAVA_21, advice, "@@" + file);
    assertEquals(3, refused.exitCode(), refused.err());
    assertTrue(refused.err().contains("may set the class path"), refused.err());
    assertNothingRan();
  }

  private static List<Long> pins(Forked compared, String side) throws IOException {
    List<Long> pins = new ArrayList<>();
    for (JsonNode run : new ObjectMapper().readTree(compared.out()).path("runs")) {
      if (run.path("side").asText().equals(side)) {
        pins.add(run.path("pins").path("count").asLong(-1));
      }
    }
    assertEquals(2, pins.size(), compared.out());
    return pins;
  }

  private static void assertFreed(Forked compared) throws IOException {
    assertEquals(0, compared.exitCode(), compared.err());
    // 200 waits; class loading at the start can pin now and then on either side.
    assertTrue(pins(compared, "BEFORE").stream().allMatch(count -> count > 150), compared.out());
    assertTrue(pins(compared, "AFTER").stream().allMatch(count -> count < 50), compared.out());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRecommendedIsRewritten(Jdk jdk) throws Exception {
    Path classes = compile(folder, MAIN, WORK, SESSION, LEDGER);
    Forked rewritten = agent(jdk, advice, classes);
    assertEquals(0, rewritten.exitCode(), rewritten.err());
    assertEquals("100 operations\n", rewritten.out());
    assertFalse(rewritten.err().contains("never loaded"), rewritten.err());
    long pinned =
        RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
            .filter(event -> event.getStackTrace() != null)
            .filter(
                event ->
                    event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getName().equals("pause")))
            .count();
    assertEquals(0, pinned);
    Forked compared = compare(jdk, advice, classes);
    assertEquals("", compared.err());
    if (jdk == Jdk.JAVA_21) {
      assertFreed(compared);
    } else {
      assertEquals(0, compared.exitCode(), compared.err());
    }
  }

  @Test
  void otherSitesOfTheSameLocksMoveTooAlsoInJarsThatAManifestNames() throws Exception {
    String teller =
        "package app; class Teller { void m(Session s) { synchronized (s) { s.query(1); } } }";
    Path classes =
        compile(
            folder,
            MAIN,
            WORK.replace("new Session().query(5)", "new Teller().m(new Session())"),
            SESSION,
            LEDGER,
            teller);
    Path later = compile(folder, MAIN, WORK, SESSION.replace("synchronized ", ""), LEDGER);
    Manifest versions = new Manifest();
    versions.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
    Path library = Files.createDirectories(folder.resolve("lib dir")).resolve("lib.jar");
    jar(
        library,
        versions,
        Map.of(
            "app/Session.class", classes,
            "app/Teller.class", classes,
            "META-INF/versions/25/app/Session.class", later));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "app.Main");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "gone.jar lib%20dir/lib.jar");
    Path application = folder.resolve("app.jar");
    jar(
        application,
        manifest,
        Map.of("app/Main.class", classes, "app/Work.class", classes, "app/Ledger.class", classes));
    String[] command = {"-Xmx200m", "-jar", application.toString()};
    assertCompareRefuses(
        compare(Jdk.JAVA_25, advice, command), "app.Session.query(int) is not synchronized");
    Forked compared = compare(Jdk.JAVA_21, advice, command);
    assertEquals(
        "vtdiag: --what-if: other classes take the same locks and are rewritten too: app.Teller\n",
        compared.err());
    assertFreed(compared);
  }

  @Test
  void theClassesInsideASpringBootJarAreRead() throws Exception {
    Path classes = changed();
    Path application = folder.resolve("boot.jar");
    Map<String, Path> entries = new LinkedHashMap<>();
    for (String name : List.of("Main", "Work", "Session", "Ledger")) {
      entries.put("BOOT-INF/classes/app/" + name + ".class", classes);
    }
    jar(application, new Manifest(), entries);
    assertCompareRefuses(
        compare(Jdk.JAVA_21, advice, "-jar", application.toString()),
        "app.Session has no method query(int)");
  }

  /** Writes a jar of entries that are each taken from a folder of classes. */
  private static void jar(Path file, Manifest manifest, Map<String, Path> entries)
      throws IOException {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Map.Entry<String, Path> entry : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        Files.copy(
            entry.getValue().resolve(entry.getKey().substring(entry.getKey().indexOf("app/"))),
            jar);
      }
    }
  }
}
