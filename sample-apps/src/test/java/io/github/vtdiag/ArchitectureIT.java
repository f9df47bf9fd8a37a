package io.github.vtdiag;

import static io.github.vtdiag.Dependencies.Rule.never;
import static io.github.vtdiag.Dependencies.Rule.onlyJavaBase;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.vtdiag.testing.Jdks;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What must not depend on what, on the built jars. Each rule is also shown to fail. It stands in
 * the module that is built last. {@link SourceRulesTest} has the rules on the sources.
 */
class ArchitectureIT {
  /** One way through: a package uses none of those behind it. */
  private static final List<String> CORE =
      List.of(
          "io.github.vtdiag.model",
          "io.github.vtdiag.account",
          "io.github.vtdiag.waits",
          "io.github.vtdiag.hang",
          "io.github.vtdiag.locksite",
          "io.github.vtdiag.pin");

  private static final List<String> AGENT =
      List.of(
          "io.github.vtdiag.boot",
          "io.github.vtdiag.rewrite",
          "io.github.vtdiag.watch",
          "io.github.vtdiag.agent.options",
          "io.github.vtdiag.agent.jvm",
          "io.github.vtdiag.agent.probe",
          "io.github.vtdiag.agent.threads",
          "io.github.vtdiag.agent.ends",
          "io.github.vtdiag.agent.servers",
          "io.github.vtdiag.agent.waits",
          "io.github.vtdiag.agent.metrics",
          "io.github.vtdiag.agent.recording",
          "io.github.vtdiag.agent.tell",
          "io.github.vtdiag.agent.lifecycle",
          "io.github.vtdiag.entry");

  private static final List<String> ANALYZER =
      List.of(
          "io.github.vtdiag.jfr",
          "io.github.vtdiag.recording",
          "io.github.vtdiag.owner",
          "io.github.vtdiag.program",
          "io.github.vtdiag.attach",
          "io.github.vtdiag.dump",
          "io.github.vtdiag.analysis",
          "io.github.vtdiag.findings",
          "io.github.vtdiag.verdict",
          "io.github.vtdiag.safety",
          "io.github.vtdiag.scan",
          "io.github.vtdiag.upgrade",
          "io.github.vtdiag.maven",
          "io.github.vtdiag.advice",
          "io.github.vtdiag.source",
          "io.github.vtdiag.patch",
          "io.github.vtdiag.pipeline",
          "io.github.vtdiag.live",
          "io.github.vtdiag.baseline",
          "io.github.vtdiag.gate",
          "io.github.vtdiag.policy",
          "io.github.vtdiag.compare",
          "io.github.vtdiag.fleet",
          "io.github.vtdiag.fleet.options",
          "io.github.vtdiag.report.words",
          "io.github.vtdiag.report",
          "io.github.vtdiag.report.json",
          "io.github.vtdiag.report.format",
          "io.github.vtdiag.report.ci",
          "io.github.vtdiag.page",
          "io.github.vtdiag.cli");

  private static final List<String> HOUSE =
      Stream.of(CORE, AGENT, ANALYZER).flatMap(List::stream).toList();

  /** What other people's builds and tests take; they stand beside the house. */
  private static final List<String> OUTSIDE =
      List.of(
          "io.github.vtdiag.junit",
          "io.github.vtdiag.junit.inside",
          "io.github.vtdiag.gradleplugin",
          "io.github.vtdiag.mavenplugin",
          "io.github.vtdiag",
          "io.github.vtdiag.openrewrite",
          "io.github.vtdiag.spark");

  /**
   * Modules of {@code -Pspark} and {@code -Prelease} with their packages; where they were built,
   * their classes are held against the rules.
   */
  private static final Map<String, String> OPTIONAL =
      Map.of(
          "analyzer/fleet", "io.github.vtdiag.spark",
          "analyzer/gradle-plugin", "io.github.vtdiag.gradleplugin");

  /**
   * Without the experiments: these share packages with what they use, and that cannot use them,
   * because it is built before them.
   */
  private static final List<String> MODULES =
      List.of(
          "agent/core",
          "agent",
          "analyzer",
          "analyzer/junit",
          "analyzer/maven-plugin",
          "analyzer/openrewrite",
          "sample-apps");

  /** Libraries that nobody uses, and some must not. */
  private static final Set<String> STRANGERS = Set.of("org.slf4j");

  /** What breaks a rule and is known. */
  private static final Set<String> NOT_YET = Set.of();

  /** Packages that are still to come. */
  private static final Set<String> TO_COME = Set.of();

  private static Dependencies built;
  private static Dependencies offending;
  private static List<Dependencies.Rule> rules;

  @TempDir static Path scratch;

  /** Who | must not use | why. A word with a minus is left out of the group before it. */
  private static final String RULES =
      """
      io.github.vtdiag.rewrite | io.github.vtdiag.pin jdk.jfr java.lang.instrument | a rewrite is made of bytes alone
      io.github.vtdiag.pin | java.nio.file | attribution is pure
      CORE AGENT | picocli com.fasterxml.jackson | no command line and no report in an application
      CORE AGENT | java.util.logging java.lang.System$Logger org.slf4j | no logger in an application
      ALL -io.github.vtdiag.agent.lifecycle | io.github.vtdiag.agent.probe | only the agent changes classes
      io.github.vtdiag.agent.options | jdk.jfr java.lang.instrument | options are values
      ALL -io.github.vtdiag.agent.probe | net.bytebuddy | only what changes classes needs Byte Buddy
      ALL -io.github.vtdiag.agent.metrics | io.prometheus | one place writes metrics
      CORE AGENT | com.sun.net.httpserver.HttpServer | its provider and its log are the application's
      CORE ANALYZER | io.github.vtdiag.entry io.github.vtdiag.agent io.github.vtdiag.boot io.github.vtdiag.rewrite io.github.vtdiag.watch | the cli's jar is without them
      ANALYZER -io.github.vtdiag.cli | jdk.jfr | vtdiag reads recordings itself; its build makes one
      ANALYZER -io.github.vtdiag.jfr -io.github.vtdiag.recording | io.github.vtdiag.jfr | only a recording is read by chunks
      io.github.vtdiag.jfr | io.github.vtdiag.pin io.github.vtdiag.locksite | the file format knows nothing of pins
      io.github.vtdiag.program | io.github.vtdiag.recording | class files know nothing of recordings
      io.github.vtdiag.owner | io.github.vtdiag.recording org.objectweb.asm | a jar tells who owns its classes
      io.github.vtdiag.attach | io.github.vtdiag.recording io.github.vtdiag.program | a running JVM is all it knows
      io.github.vtdiag.dump | io.github.vtdiag.recording io.github.vtdiag.pin | a thread dump knows nothing of recordings
      PURE | java.nio.file java.io.File java.io.FileInputStream java.util.jar java.util.zip | no files
      PURE | java.time.Clock java.time.Instant | no clock
      io.github.vtdiag.gate | io.github.vtdiag.advice io.github.vtdiag.patch | the gate reads findings
      io.github.vtdiag.source io.github.vtdiag.patch | io.github.vtdiag.recording io.github.vtdiag.analysis io.github.vtdiag.advice | sources and decisions make it
      ALL -io.github.vtdiag.cli -io.github.vtdiag.fleet.options | picocli | only one place reads options, and one has those that Spark's job shares
      ALL -io.github.vtdiag.report.json -io.github.vtdiag.report.ci -io.github.vtdiag.fleet -io.github.vtdiag.page -io.github.vtdiag.dump -io.github.vtdiag.baseline -io.github.vtdiag.policy -io.github.vtdiag.maven | com.fasterxml.jackson | only reports write JSON
      ALL -io.github.vtdiag.attach | com.sun.tools.attach.VirtualMachine | one place asks other JVMs
      ALL -io.github.vtdiag.source -io.github.vtdiag.patch | com.github.javaparser | only patches read sources
      ALL -io.github.vtdiag.policy | org.snakeyaml | only policies are YAML
      ALL -io.github.vtdiag.maven | org.apache.maven org.apache.http | one place knows Maven
      ALL -io.github.vtdiag.maven -io.github.vtdiag.upgrade | org.eclipse.aether | one place knows Maven, and one the order of its versions
      io.github.vtdiag.upgrade | org.eclipse.aether.repository org.eclipse.aether.resolution org.eclipse.aether.RepositorySystem | it orders versions, and fetches none
      ALL -io.github.vtdiag.fleet | java.sql.Connection java.sql.Driver java.sql.DriverManager | one place asks a database
      ALL -io.github.vtdiag.cli | org.jline | only one place draws on a terminal
      ALL -io.github.vtdiag.compare | org.HdrHistogram org.apache.commons.statistics | only it measures
      io.github.vtdiag.spark | io.github.vtdiag.cli io.github.vtdiag.recording com.fasterxml.jackson | rows, lakes and answers are the fleet's
      ALL | io.github.vtdiag.junit io.github.vtdiag.gradleplugin io.github.vtdiag.mavenplugin io.github.vtdiag.openrewrite io.github.vtdiag.spark | nobody in here knows who uses it
      ALL | org.junit | only tests know what runs them
      io.github.vtdiag.mavenplugin io.github.vtdiag.gradleplugin | io.github.vtdiag.model io.github.vtdiag.report io.github.vtdiag.cli io.github.vtdiag.junit | it runs the command line, from Java 8 on
      io.github.vtdiag.openrewrite | io.github.vtdiag.model io.github.vtdiag.report io.github.vtdiag.cli io.github.vtdiag.junit | it runs the command line, from Java 8 on
      io.github.vtdiag.junit | io.github.vtdiag.model io.github.vtdiag.analysis io.github.vtdiag.pipeline jdk.jfr | Java 8 loads it, and has none of these
      io.github.vtdiag.junit.inside | org.junit io.github.vtdiag.cli io.github.vtdiag.page picocli | it judges; the extension knows JUnit
      SAMPLES | io.github.vtdiag | a sample is a program like any other
      """;

  private static List<Dependencies.Rule> rules(List<String> samples) {
    Map<String, List<String>> groups =
        Map.of(
            "CORE", CORE,
            "AGENT", AGENT,
            "ANALYZER", ANALYZER,
            "ALL", HOUSE,
            "PURE",
                List.of(
                    "io.github.vtdiag.analysis",
                    "io.github.vtdiag.verdict",
                    "io.github.vtdiag.safety",
                    "io.github.vtdiag.scan",
                    "io.github.vtdiag.upgrade",
                    "io.github.vtdiag.advice"),
            "SAMPLES", samples);
    List<Dependencies.Rule> list = new ArrayList<>();
    list.add(onlyJavaBase("everybody can use the model", "io.github.vtdiag.model"));
    list.add(
        onlyJavaBase(
            "what a stack waits for is told by its methods alone",
            "io.github.vtdiag.waits",
            "io.github.vtdiag.model"));
    list.add(
        onlyJavaBase(
            "a diagnosis is made of what was seen alone",
            "io.github.vtdiag.hang",
            "io.github.vtdiag.model",
            "io.github.vtdiag.waits"));
    list.add(
        onlyJavaBase(
            "an account is made of what was seen alone",
            "io.github.vtdiag.account",
            "io.github.vtdiag.model"));
    list.add(
        onlyJavaBase(
            "a lock map is made of bytes alone",
            "io.github.vtdiag.locksite",
            "io.github.vtdiag.model",
            "org.objectweb.asm",
            "org.objectweb.asm.tree",
            "org.objectweb.asm.tree.analysis"));
    list.add(
        onlyJavaBase(
            "attribution is made of fields alone",
            "io.github.vtdiag.pin",
            "io.github.vtdiag.model",
            "io.github.vtdiag.account",
            "io.github.vtdiag.waits",
            "io.github.vtdiag.hang"));
    list.add(onlyJavaBase("the bootstrap loader sees no more", "io.github.vtdiag.boot"));
    list.add(onlyJavaBase("it links on any JVM", "io.github.vtdiag.entry", "java.lang.instrument"));
    for (int i = 0; i < HOUSE.size() - 1; i++) {
      List<String> behind = HOUSE.subList(i + 1, HOUSE.size());
      list.add(never("one way through: nothing behind it", HOUSE.subList(i, i + 1), behind));
    }
    RULES
        .lines()
        .map(line -> line.split(" \\| ", -1))
        .forEach(
            rule -> {
              Set<String> users = new TreeSet<>();
              for (String word : rule[0].split(" ", -1)) {
                if (word.startsWith("-")) {
                  assertTrue(users.remove(word.substring(1)), word);
                } else {
                  users.addAll(groups.getOrDefault(word, List.of(word)));
                }
              }
              list.add(never(rule[2], List.copyOf(users), List.of(rule[1].split(" ", -1))));
            });
    return list;
  }

  @BeforeAll
  static void read() throws IOException {
    Path top = Jdks.projectFolder();
    List<Path> all =
        new ArrayList<>(
            List.of(
                plainJar(top.resolve("agent/core/target"), "vtdiag-core"),
                classes(top.resolve("agent/target/classes")),
                plainJar(top.resolve("analyzer/target"), "vtdiag-analyzer"),
                classes(top.resolve("analyzer/junit/target/classes")),
                classes(top.resolve("analyzer/maven-plugin/target/classes")),
                classes(top.resolve("analyzer/openrewrite/target/classes")),
                plainJar(top.resolve("sample-apps/target"), "vtdiag-samples")));
    OPTIONAL.keySet().stream()
        .filter(ArchitectureIT::isBuilt)
        .forEach(module -> all.add(top.resolve(module).resolve("target/classes")));
    built = Dependencies.of(all.toArray(Path[]::new));
    rules = rules(built.packages().stream().filter(name -> name.startsWith("samples")).toList());
    offending = Dependencies.ofOffenders(rules, scratch);
  }

  private static boolean isBuilt(String module) {
    return Files.isDirectory(Jdks.projectFolder().resolve(module).resolve("target/classes"));
  }

  /** Of a module whose jar has copies of what it uses. */
  private static Path classes(Path folder) {
    assertTrue(Files.isDirectory(folder), () -> "build all modules first: there is no " + folder);
    return folder;
  }

  private static Path plainJar(Path folder, String name) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .filter(
              file ->
                  file.getFileName().toString().matches(name + "(-\\d[^-]*(-SNAPSHOT)?)?\\.jar"))
          // A release leaves one of another version here.
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .orElseThrow(() -> new IllegalStateException("no " + name + " jar in " + folder));
    }
  }

  @Test
  void everyPackageHasItsPlace() {
    Set<String> expected = new TreeSet<>(HOUSE);
    expected.addAll(OUTSIDE);
    expected.removeAll(TO_COME);
    OPTIONAL.forEach(
        (module, name) -> {
          if (!isBuilt(module)) {
            expected.remove(name);
          }
        });
    assertEquals(
        expected,
        built.packages().stream()
            .filter(name -> (name + ".").startsWith("io.github.vtdiag."))
            .collect(Collectors.toCollection(TreeSet::new)));
    assertTrue(built.packages().stream().filter(name -> name.startsWith("samples")).count() > 10);
  }

  /** Those that are nested, local, without a name or not public are classes, too. */
  @Test
  void rulesSeeAllClasses() throws IOException {
    Path top = Jdks.projectFolder();
    Set<String> compiled = new TreeSet<>();
    List<String> modules = new ArrayList<>(MODULES);
    OPTIONAL.keySet().stream().filter(ArchitectureIT::isBuilt).forEach(modules::add);
    for (String module : modules) {
      Path classes = classes(top.resolve(module).resolve("target/classes"));
      try (Stream<Path> files = Files.walk(classes)) {
        files
            .map(file -> classes.relativize(file).toString())
            .filter(file -> file.endsWith(".class"))
            .map(file -> file.replaceFirst("\\.class$", "").replace(File.separatorChar, '.'))
            .forEach(compiled::add);
      }
    }
    Set<String> seen =
        built.uses().stream()
            .map(Dependencies.Use::user)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), difference(compiled, seen), "unseen");
    assertEquals(Set.of(), difference(seen, compiled), "of no module");
    for (String kind : List.of("\\$[A-Z]\\w*", "\\$\\d+")) {
      assertTrue(
          seen.stream().anyMatch(name -> name.matches("io\\.github\\.vtdiag\\..*" + kind)),
          "none is " + kind);
    }
  }

  private static Set<String> difference(Set<String> some, Set<String> others) {
    Set<String> left = new TreeSet<>(some);
    left.removeAll(others);
    return left;
  }

  @TestFactory
  Stream<DynamicTest> rulesHold() {
    return rules.stream()
        .map(rule -> dynamicTest(rule.toString(), () -> assertEquals(List.of(), unknown(rule))));
  }

  private static List<String> unknown(Dependencies.Rule rule) {
    return broken(rule).filter(found -> !NOT_YET.contains(found)).toList();
  }

  private static Stream<String> broken(Dependencies.Rule rule) {
    return built.breaking(rule).stream().map(use -> use.toString()).distinct();
  }

  @Test
  void whatIsKnownToBreakARuleStillDoes() {
    Set<String> left = new TreeSet<>(NOT_YET);
    rules.forEach(rule -> broken(rule).forEach(left::remove));
    assertEquals(Set.of(), left);
  }

  @TestFactory
  Stream<DynamicTest> everyRuleFailsWhenBroken() {
    return IntStream.range(0, rules.size())
        .mapToObj(i -> dynamicTest(rules.get(i).toString(), () -> failsWhenBroken(i)));
  }

  private static void failsWhenBroken(int i) {
    Dependencies.Rule rule = rules.get(i);
    Set<String> expected = new TreeSet<>();
    for (String user : rule.users()) {
      for (String offender : rule.offenders()) {
        if (!offender.equals(user)) {
          for (String place : Dependencies.PLACES) {
            expected.add(user + ".Breaks" + i + place + " -> " + Dependencies.classOf(offender));
          }
        }
      }
    }
    assertTrue(!expected.isEmpty(), "binds nobody");
    assertEquals(
        expected,
        offending.breaking(rule).stream()
            .filter(use -> use.user().matches(".*\\.Breaks" + i + "(\\$.*)?"))
            .map(use -> use.user() + " -> " + use.used())
            .collect(Collectors.toCollection(TreeSet::new)));
    // A name that nothing bears would forbid nothing.
    for (String offender : rule.offenders()) {
      String used = Dependencies.classOf(offender);
      assertTrue(
          !used.endsWith(".Any")
              || offender.equals("io.github.vtdiag")
              || HOUSE.contains(offender)
              || OUTSIDE.contains(offender)
              || STRANGERS.contains(offender)
              || built.uses().stream().anyMatch(use -> use.used().startsWith(offender + ".")),
          () -> "nothing is called " + offender);
    }
  }

  @Test
  void theEntryRunsOnJava8() throws IOException {
    Path jar = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
    assertEquals(Set.of(65), classFileVersions(jar, "io/github/vtdiag/agent/lifecycle/"));
    assertEquals(Set.of(52), classFileVersions(jar, "io/github/vtdiag/entry/"));
  }

  private static Set<Integer> classFileVersions(Path jar, String folder) throws IOException {
    Set<Integer> versions = new TreeSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().toList()) {
        if (entry.getName().matches(folder + "[^/]*\\.class")) {
          try (InputStream bytes = file.getInputStream(entry)) {
            DataInputStream data = new DataInputStream(bytes);
            data.skipNBytes(6);
            versions.add(data.readUnsignedShort());
          }
        }
      }
    }
    return versions;
  }
}
