package io.github.vtdiag.mavenplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The sample project, built by Maven itself, with the plugin and the extension out of a repository
 * that has nothing else of vtdiag. Offline: all else is what this build needs too.
 */
final class PluginIT {
  private static final String VERSION = System.getProperty("vtdiag.version");
  private static final Path REPOSITORY = Path.of("target", "it-repository").toAbsolutePath();

  @TempDir private Path folder;

  @BeforeAll
  static void install() throws IOException {
    Path top = Path.of("..", "..").toAbsolutePath().normalize();
    Path plugin = Path.of("").toAbsolutePath();
    Path junit = plugin.resolveSibling("junit");
    deploy("vtdiag-parent", pom(top), null);
    deploy("vtdiag-junit", pom(junit), jar(junit, "vtdiag-junit"));
    deploy("vtdiag-maven-plugin", pom(plugin), jar(plugin, "vtdiag-maven-plugin"));
    Files.writeString(
        REPOSITORY.resolve("settings.xml"),
        """
        <settings>
          <mirrors>
            <mirror>
              <id>this-machine</id>
              <mirrorOf>*</mirrorOf>
              <url>%s</url>
            </mirror>
          </mirrors>
        </settings>
        """
            .formatted(Path.of(System.getProperty("local.repository")).toUri()));
  }

  /** As it is deployed, with the version filled in. */
  private static Path pom(Path module) {
    return module.resolve("target").resolve("flattened-pom.xml");
  }

  private static Path jar(Path module, String name) {
    return module.resolve("target").resolve(name + "-" + VERSION + ".jar");
  }

  private static void deploy(String name, Path pom, Path jar) throws IOException {
    Path to = REPOSITORY.resolve("io/github/vtdiag").resolve(name).resolve(VERSION);
    Files.createDirectories(to);
    Path copy = to.resolve(name + "-" + VERSION);
    Files.copy(pom, Path.of(copy + ".pom"), StandardCopyOption.REPLACE_EXISTING);
    if (jar != null) {
      Files.copy(jar, Path.of(copy + ".jar"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @ParameterizedTest
  @CsvSource({"JAVA_21, 6.1.3", "JAVA_25, 5.10.3"})
  void aBuildThatPinsFails(Jdk jdk, String junit) throws Exception {
    Forked build = build(jdk, "verify", "-Djunit.version=" + junit, "-Dpins=true");
    assertEquals(1, build.exitCode(), build.out());
    assertTrue(build.out().contains("Tests run: 2, Failures: 0, Errors: 0"), build.out());
    assertTrue(build.out().contains("vtdiag: FAIL  1 of 1 limit exceeded"), build.out());
    assertTrue(build.out().contains("sample.OrdersTest$Slow.<clinit>"), build.out());
  }

  @Test
  void aTestThatPinsFailsByItsAnnotation() throws Exception {
    Forked build = build(Jdk.JAVA_25, "test", "-Dextension.pins=true");
    assertEquals(1, build.exitCode(), build.out());
    assertTrue(build.out().contains("Tests run: 2, Failures: 1"), build.out());
    assertTrue(build.out().contains("A virtual thread of this test kept its carrier"), build.out());
  }

  @Test
  void aBuildThatDoesNotPinPassesAndOneWithoutARecordingDoesNot() throws Exception {
    Forked build = build(Jdk.JAVA_21, "verify");
    assertEquals(0, build.exitCode(), build.out());
    assertTrue(build.out().contains("vtdiag: PASS  0 of 1 limit exceeded"), build.out());
    assertEquals(1, recordings());

    // The next build's verdict is not on this one's recordings.
    Forked without = build(Jdk.JAVA_21, "verify", "-Dvtdiag.propertyName=nobodyAsksForIt");
    assertEquals(1, without.exitCode(), without.out());
    assertTrue(without.out().contains("vtdiag: NO_DATA  no recording in "), without.out());
    assertTrue(without.out().contains("it needs @{argLine} in it"), without.out());
    assertTrue(without.out().contains("-Dvtdiag.skip"), without.out());
    assertTrue(without.out().contains("-Dvtdiag.allowNoData"), without.out());
    assertEquals(0, recordings());

    Forked allowed = check("-Dvtdiag.allowNoData=true");
    assertEquals(0, allowed.exitCode(), allowed.out());
    assertTrue(allowed.out().contains("[WARNING] vtdiag: NO_DATA"), allowed.out());

    Forked skipped = check("-DskipTests");
    assertEquals(0, skipped.exitCode(), skipped.out());
    assertTrue(skipped.out().contains("NOT CHECKED: the tests were skipped"), skipped.out());

    // A JVM that was killed.
    Files.createFile(folder.resolve("target/vtdiag/vtdiag-killed.jfr"));
    Forked killed = check();
    assertEquals(1, killed.exitCode(), killed.out());
    assertTrue(killed.out().contains("vtdiag-killed.jfr: the recording is empty"), killed.out());

    Forked wrong = check("-Dvtdiag.jdk=" + folder);
    assertEquals(1, wrong.exitCode(), wrong.out());
    assertTrue(
        wrong.out().contains("is no home of Java 21 or later; check vtdiag.jdk"), wrong.out());
    assertFalse(wrong.out().contains("PASS"), wrong.out());
  }

  @Test
  void aModuleWithoutTestsIsLeftOut() throws Exception {
    copySample();
    try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Forked build = maven(Jdk.JAVA_25, "verify", "-Dvtdiag.formats=junit");
    assertEquals(0, build.exitCode(), build.out());
    assertTrue(
        build.out().contains("[WARNING] vtdiag: NOT CHECKED: this module has no tests"),
        build.out());
    assertFalse(build.out().contains("PASS"), build.out());

    // Whoever names a folder expects recordings in it.
    Forked named = maven(Jdk.JAVA_25, "verify", "-Dvtdiag.directory=" + folder.resolve("others"));
    assertEquals(1, named.exitCode(), named.out());
    assertTrue(named.out().contains("vtdiag: NO_DATA  no recording in "), named.out());
  }

  /** The paths that a build prints are for the folder in which it was started. */
  @Test
  void aModuleIsNamedFromWhereMavenWasStarted() throws Exception {
    Path top = Files.createDirectories(folder.resolve("my clinic"));
    copySample(top.resolve("store"));
    String pom =
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>sample</groupId>
          <artifactId>clinic</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <modules><module>base</module><module>store</module></modules>
        </project>
        """;
    Files.writeString(top.resolve("pom.xml"), pom);
    Path base = Files.createDirectories(top.resolve("base/src/main/java/base"));
    Files.writeString(base.resolve("Base.java"), "package base;\npublic class Base {}\n");
    Files.writeString(
        top.resolve("base/pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>sample</groupId>
          <artifactId>base</artifactId>
          <version>1</version>
          <properties><maven.compiler.release>17</maven.compiler.release></properties>
          <build><pluginManagement><plugins>
            <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
            <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
            <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.6.1</version></plugin>
            <plugin><artifactId>maven-jar-plugin</artifactId><version>3.5.1</version></plugin>
          </plugins></pluginManagement></build>
        </project>
        """);
    Path storePom = top.resolve("store/pom.xml");
    Files.writeString(
        storePom,
        Files.readString(storePom)
            .replaceFirst(
                "<dependencies>",
                "<dependencies><dependency><groupId>sample</groupId><artifactId>base</artifactId>"
                    + "<version>1</version></dependency>"));
    Files.writeString(top.resolve("store/vtdiag.yml"), "limits:\n  max-count: 0\n");
    for (Path typed : List.of(top, folder)) {
      String module = typed.relativize(top.resolve("store")).toString();
      List<String> arguments = new ArrayList<>(List.of("verify", "-Dvtdiag.formats=html"));
      arguments.add("-Dpins=true");
      arguments.addAll(List.of("-f", top.resolve("pom.xml").toString()));
      Forked build = maven(Jdk.JAVA_21, typed, arguments.toArray(String[]::new));
      assertEquals(1, build.exitCode(), build.out());
      String reports = "vtdiag: reports are in " + module + "/target/vtdiag";
      assertTrue(build.out().contains(reports), build.out());
      assertTrue(
          build.out().contains("  warning: " + module + "/target/vtdiag/vtdiag-"), build.out());
      assertFalse(build.out().contains(" target/vtdiag/"), build.out());
      assertTrue(build.out().contains("  policy: " + module + "/vtdiag.yml"), build.out());

      // Maven puts its own mark before each line of an error.
      String next =
          build
              .out()
              .lines()
              .filter(line -> line.contains("Next: "))
              .map(line -> line.replaceFirst(".*Next: ", ""))
              .findFirst()
              .orElseThrow(() -> new AssertionError(build.out()));
      Forked advice = Forked.run(typed, Map.of(), List.of("sh", "-c", next));
      assertEquals(0, advice.exitCode(), advice.err());
      assertTrue(advice.out().contains("OrdersTest$Slow.<clinit>"), advice.out());
      assertTrue(advice.out().contains("slow work out of the class initializer"), advice.out());
      Matcher file = Pattern.compile(" '?@([^' ]+)").matcher(next);
      String options = file.find() ? Files.readString(Path.of(file.group(1))) : next;
      assertTrue(options.contains("/base/src/main/java"), "code that its tests run: " + options);
    }
  }

  @Test
  void thePolicyOfTheProjectHoldsAndReportsAreWritten() throws Exception {
    copySample();
    Files.writeString(folder.resolve("vtdiag.yml"), "limits:\n  max-pin: 1h\n  max-count: 1000\n");
    Path reports = folder.resolve("target/vtdiag");
    String formats = "-Dvtdiag.formats=junit,sarif,summary,code-quality,json,html";
    Forked build = build(Jdk.JAVA_21, "verify", formats, "-Dpins=true");
    // The limit of the POM, 50 ms, goes before that of the policy.
    assertEquals(1, build.exitCode(), build.out());
    assertTrue(build.out().contains("vtdiag: FAIL  1 of 2 limits exceeded"), build.out());
    for (String file :
        List.of(
            "junit.xml",
            "vtdiag.sarif",
            "summary.md",
            "code-quality.json",
            "vtdiag.json",
            "report.html")) {
      assertTrue(Files.size(reports.resolve(file)) > 0, file);
    }
    String sarif = Files.readString(reports.resolve("vtdiag.sarif"));
    assertTrue(sarif.contains("src/test/java/sample/OrdersTest.java"), sarif);
    assertTrue(
        Files.readString(reports.resolve("junit.xml")).contains("OrdersTest$Slow"), "no failure");
    assertTrue(Files.readString(reports.resolve("report.html")).contains("OrdersTest"));

    Forked broken = check("-Dvtdiag.baseline=none.json");
    assertEquals(1, broken.exitCode(), broken.out());
    assertTrue(broken.out().contains("none.json: no such file; make a new one"), broken.out());
    Forked unknown = check("-Dvtdiag.formats=pdf");
    assertTrue(unknown.out().contains("there is no report 'pdf'; <formats> takes junit, sarif"));
    Forked named = check("-Dvtdiag.policy=" + folder.resolve("other.yml"));
    assertTrue(named.out().contains("other.yml: no such file"), named.out());

    // Without a recording the reports say that, and none of an earlier build stays.
    Files.delete(ForkRecordings.in(reports.toFile()).getFirst().toPath());
    Forked without = check(formats);
    assertEquals(1, without.exitCode(), without.out());
    assertTrue(without.out().contains("vtdiag: NO_DATA"), without.out());
    assertTrue(Files.readString(reports.resolve("junit.xml")).contains("<error"), "no error");
    assertFalse(Files.exists(reports.resolve("report.html")), "the page of another build");
  }

  private int recordings() {
    return ForkRecordings.in(folder.resolve("target/vtdiag").toFile()).size();
  }

  private Forked check(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("vtdiag:check@default"));
    all.addAll(Arrays.asList(arguments));
    return build(Jdk.JAVA_25, all.toArray(String[]::new));
  }

  private Forked build(Jdk jdk, String... arguments) throws Exception {
    copySample();
    return maven(jdk, arguments);
  }

  private Forked maven(Jdk jdk, String... arguments) throws Exception {
    return maven(jdk, folder, arguments);
  }

  private static Forked maven(Jdk jdk, Path in, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-o",
                // A repository of files is one that can be reached offline.
                "-Daether.offline.protocols=file",
                "-s",
                REPOSITORY.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + REPOSITORY,
                "-Dvtdiag.version=" + VERSION,
                "-Dtest.java=" + jdk.java()));
    command.addAll(Arrays.asList(arguments));
    return Forked.run(
        in,
        Map.of("JAVA_HOME", Jdk.JAVA_25.home().toString(), "MAVEN_OPTS", "-XX:TieredStopAtLevel=1"),
        command);
  }

  private void copySample() throws IOException {
    copySample(folder);
  }

  private static void copySample(Path folder) throws IOException {
    Path sample = Path.of("src", "it", "sample");
    try (Stream<Path> files = Files.walk(sample)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = folder.resolve(sample.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
