package io.github.vtdiag.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.OlderJavas;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar on the class path of other people's tests, under JUnit 5 and 6, on Java 21 and 25. */
final class ExtensionIT {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"JAVA_21, junit5", "JAVA_21, junit6", "JAVA_25, junit5", "JAVA_25, junit6"})
  void eachTestIsHeldToWhatItAsks(Jdk jdk, String junit) throws Exception {
    String out = run(jdk, junit, List.of(), SuiteRun.SAMPLES + "OneByOne");
    Set<String> failed =
        new TreeSet<>(
            List.of(
                "both",
                "initializer",
                "leavesOneThatStallsLater",
                "leavesStalled",
                "shouldHavePinned",
                "theirs",
                "twice",
                "wrongLength",
                "wrongOwner",
                "wrongStall"));
    failed.addAll(
        switch (jdk) {
          case JAVA_21 -> List.of("monitor", "shortMonitorForbidden", "neverEnds");
          case JAVA_25 -> List.of("shouldHavePinnedInMonitor");
        });
    assertEquals(failed, named("FAILED", out), out);
    Set<String> passed =
        new TreeSet<>(
            List.of(
                "leavesIdle",
                "leavesOneThatGoesOn",
                "lock",
                "longAllowed",
                "nothing",
                "notTheirs",
                "onceAllowed",
                "pinsAsItShould"));
    passed.addAll(
        switch (jdk) {
          case JAVA_21 -> List.of("shouldHavePinnedInMonitor");
          case JAVA_25 -> List.of("monitor", "shortMonitorForbidden", "neverEnds");
        });
    assertEquals(passed, named("SUCCESSFUL", out), out);
    if (jdk == Jdk.JAVA_21) {
      String monitor = out.substring(out.indexOf("FAILED monitor()"));
      assertTrue(
          monitor.contains(
              "synchronized block, lock: Work.MONITOR, Work.java:15-17; waits in: sleep"),
          out);
      assertTrue(monitor.contains("Java 25.0.4 or later (JEP 491) would free it"), out);
      assertTrue(out.contains("1 virtual thread of this test still keeps its carrier"), out);
    } else {
      assertTrue(out.contains("On Java 25 monitors do not pin"), out);
    }
    assertTrue(
        out.contains("1 virtual thread of this test still waits for another thread, 300 ms after"),
        out);
    assertTrue(out.contains("CountDownLatch in " + SuiteRun.SAMPLES + "OneByOne.awaitLatch"), out);
    assertTrue(out.contains(" \"late\""), out);
    assertTrue(out.contains(SuiteRun.SAMPLES + "Slow.<clinit>"), out);
    assertTrue(out.contains("move the slow work out of the class initializer"), out);
    assertFalse(out.contains("\tat "), out);
  }

  /** Surefire prints the line of the first frame that is the test's. */
  @Test
  void aFailureIsAtALineOfItsTest() throws Exception {
    String out = run(Jdk.JAVA_25, "junit6", List.of(), SuiteRun.SAMPLES + "OneByOne");
    assertTrue(
        out.contains("PLACE " + SuiteRun.SAMPLES + "OneByOne.initializer(OneByOne.java:"), out);
    assertFalse(out.contains("OneByOne.initializer(Unknown Source)"), out);
  }

  @ParameterizedTest
  @EnumSource
  void nobodyIsBlamedForTheTestsBesideIt(Jdk jdk) throws Exception {
    List<String> arguments = new ArrayList<>(SuiteRun.PARALLEL);
    arguments.addAll(
        List.of(
            SuiteRun.SAMPLES + "Careful",
            SuiteRun.SAMPLES + "Careless",
            SuiteRun.SAMPLES + "Guilty"));
    String out =
        run(
            jdk,
            "junit6",
            List.of("-Dslow.millis=1500", "-Djdk.virtualThreadScheduler.parallelism=32"),
            arguments.toArray(String[]::new));
    assertEquals(8, SuiteRun.lines(out, "SUCCESSFUL (createsThreads|pins)\\(\\).*").size(), out);
    assertEquals(Set.of(), minus(named("FAILED", out), "isFound"), out);
    assertEquals(4, SuiteRun.lines(out, "FAILED isFound.*").size(), out);
  }

  @ParameterizedTest
  @ValueSource(strings = {"junit5", "junit6"})
  void oneLineIsEnoughForAWholeSuite(String junit) throws Exception {
    properties("vtdiag.junit.mode=fail");
    String out = run(Jdk.JAVA_25, junit, List.of(), SuiteRun.SAMPLES + "Careless");
    assertEquals(4, SuiteRun.lines(out, "FAILED pins.*").size(), out);
    assertTrue(out.contains("kept their carriers 3 times"), out);
  }

  @Test
  void aSuiteCanBeToldOnly() throws Exception {
    properties("vtdiag.junit.mode=report");
    Forked run =
        SuiteRun.fork(
            folder, Jdk.JAVA_25.java(), "junit6", List.of(), SuiteRun.SAMPLES + "Careless");
    assertEquals(4, SuiteRun.lines(run.out(), "SUCCESSFUL pins.*").size(), run.out());
    assertTrue(run.err().contains("kept their carriers 3 times"), run.err());
  }

  @Test
  void withoutTheLineNothingIsAsked() throws Exception {
    Forked run =
        SuiteRun.fork(
            folder, Jdk.JAVA_25.java(), "junit6", List.of(), SuiteRun.SAMPLES + "Careless");
    assertEquals(4, SuiteRun.lines(run.out(), "SUCCESSFUL pins.*").size(), run.out());
    assertEquals("", run.err());
  }

  @Test
  void aWrongModeIsRefused() throws Exception {
    properties("vtdiag.junit.mode=yes");
    String out = run(Jdk.JAVA_25, "junit6", List.of(), SuiteRun.SAMPLES + "Careless");
    assertTrue(
        out.contains("vtdiag.junit.mode is 'yes' in junit-platform.properties; write fail, report"),
        out);
    assertEquals(4, SuiteRun.lines(out, "FAILED pins.*").size(), out);
  }

  @Test
  void anOldJunitIsToldWhatItNeeds() throws Exception {
    properties("vtdiag.junit.mode=fail");
    Forked run =
        SuiteRun.fork(
            folder, Jdk.JAVA_25.java(), "junit5-oldest", List.of(), SuiteRun.SAMPLES + "Careless");
    assertTrue(
        run.err().contains("junit.jupiter.extensions.autodetection.enabled=true"), run.err());
    properties("vtdiag.junit.mode=fail\njunit.jupiter.extensions.autodetection.enabled=true");
    String out = run(Jdk.JAVA_25, "junit5-oldest", List.of(), SuiteRun.SAMPLES + "Careless");
    assertEquals(4, SuiteRun.lines(out, "FAILED pins.*").size(), out);
  }

  @ParameterizedTest
  @EnumSource
  void withoutFlightRecorderTestsFail(Jdk jdk) throws Exception {
    String out =
        run(
            jdk,
            "junit6",
            List.of("--limit-modules", "java.base,java.logging,java.management"),
            SuiteRun.SAMPLES + "Old");
    assertTrue(
        out.contains(
            "FAILED asked(): vtdiag cannot watch for pins: this Java has no Flight Recorder"),
        out);
    assertTrue(out.contains("SUCCESSFUL notAsked()"), out);
  }

  @ParameterizedTest
  @ValueSource(strings = {"junit5", "junit6"})
  void anOlderJavaSkipsWhatAsks(String junit) throws Exception {
    Path classes = Files.createDirectory(folder.resolve("old"));
    Path sources =
        Path.of("src", "test", "java", "io", "github", "vtdiag", "junit", "samples")
            .toAbsolutePath();
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "17",
                "-proc:none",
                "-cp",
                SuiteRun.jar() + ":" + SuiteRun.jars(junit),
                "-d",
                classes.toString(),
                sources.resolve("RunTests.java").toString(),
                sources.resolve("Old.java").toString()));
    for (Path home : OlderJavas.homes()) {
      if (!Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17")) {
        continue;
      }
      Forked run =
          Forked.run(
              folder,
              Map.of(),
              List.of(
                  OlderJavas.launcher(home).toString(),
                  "-cp",
                  classes + ":" + SuiteRun.jar() + ":" + SuiteRun.jars(junit),
                  SuiteRun.SAMPLES + "RunTests",
                  SuiteRun.SAMPLES + "Old"));
      assertTrue(
          run.out()
              .contains(
                  "SKIPPED asked(): @ShouldNotPin and @ShouldPin need Java 21 or later; this is"
                      + " Java 17"),
          run.out() + run.err());
      assertTrue(run.out().contains("SUCCESSFUL notAsked()"), run.out());
    }
  }

  @Test
  void theJarHasNothingThatIsNotItsOwn() throws Exception {
    try (JarFile jar = new JarFile(SuiteRun.jar().toFile())) {
      assertEquals(
          List.of(),
          jar.stream()
              .map(JarEntry::getName)
              .filter(name -> !name.endsWith("/"))
              .filter(
                  name ->
                      !name.matches(
                          "io/github/vtdiag/junit/.*\\.(class|tsv|txt)|META-INF/(MANIFEST\\.MF|LICENSE|NOTICE|THIRD-PARTY\\.txt)"
                              + "|META-INF/services/org\\.junit\\..*"))
              .toList());
      assertEquals(
          "io.github.vtdiag.junit",
          jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().matches("io/github/vtdiag/junit/(inside/)?\\w+\\.class")) {
          assertEquals(
              entry.getName().contains("inside") ? 65 : 52, version(jar, entry), entry.getName());
        }
      }
    }
  }

  private static int version(JarFile jar, JarEntry entry) throws IOException {
    try (InputStream bytes = jar.getInputStream(entry)) {
      DataInputStream data = new DataInputStream(bytes);
      data.skipNBytes(6);
      return data.readUnsignedShort();
    }
  }

  private void properties(String text) throws IOException {
    Files.writeString(folder.resolve("junit-platform.properties"), text + "\n");
  }

  private String run(Jdk jdk, String junit, List<String> options, String... arguments)
      throws Exception {
    Forked run = SuiteRun.fork(folder, jdk.java(), junit, options, arguments);
    assertTrue(run.out().endsWith("END\n"), run.out() + run.err());
    return run.out();
  }

  private static Set<String> named(String outcome, String out) {
    return SuiteRun.lines(out, outcome + " .*").stream()
        .map(line -> line.substring(outcome.length() + 1, line.indexOf('(')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> minus(Set<String> names, String name) {
    Set<String> left = new TreeSet<>(names);
    left.remove(name);
    return left;
  }
}
