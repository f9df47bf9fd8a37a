package vtdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import vtdiag.testing.Jdks;

/**
 * What must not depend on what, read off the built jars with {@code jdeps}. It stands in the module
 * that is built last.
 */
class ArchitectureIT {
  /** Package to the packages it uses. */
  private static final Map<String, Set<String>> USES = new TreeMap<>();

  @BeforeAll
  static void readJars() throws IOException {
    StringWriter out = new StringWriter();
    Path top = Jdks.projectFolder();
    int status =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(out),
                new PrintWriter(out),
                "--multi-release",
                "base",
                "--ignore-missing-deps",
                "-verbose:package",
                "-filter:none",
                plainJar(top.resolve("agent/target"), "vtdiag-agent"),
                plainJar(top.resolve("analyzer/target"), "vtdiag-analyzer"),
                plainJar(top.resolve("sample-apps/target"), "vtdiag-samples"));
    assertEquals(0, status, out::toString);
    Matcher line = Pattern.compile("(?m)^ {3}(\\S+) +-> (\\S+)").matcher(out.toString());
    while (line.find()) {
      USES.computeIfAbsent(line.group(1), name -> new TreeSet<>()).add(line.group(2));
    }
  }

  private static String plainJar(Path folder, String name) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .filter(
              file ->
                  file.getFileName().toString().matches(name + "(-\\d[^-]*(-SNAPSHOT)?)?\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no " + name + " jar in " + folder))
          .toString();
    }
  }

  /**
   * Asserts that none of {@code users} uses a package that starts with one of {@code forbidden}.
   */
  private static void mustNotUse(List<String> users, String... forbidden) {
    List<String> broken = new ArrayList<>();
    for (String user : users) {
      Set<String> used = USES.get(user);
      assertTrue(used != null, "no such package, so the rule says nothing: " + user);
      for (String use : used) {
        for (String start : forbidden) {
          if ((use.equals(start) || use.startsWith(start + ".")) && !use.equals(user)) {
            broken.add(user + " -> " + use);
          }
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private static List<String> everyPackageBut(String... names) {
    return USES.keySet().stream()
        .filter(name -> name.startsWith("vtdiag."))
        .filter(name -> !Set.of(names).contains(name))
        .toList();
  }

  @Test
  void theModelUsesJavaBaseOnly() {
    mustNotUse(List.of("vtdiag.model"), "vtdiag", "jdk", "org", "net", "java.lang.instrument");
  }

  @Test
  void lockSitesKnowNeitherJfrNorInstrumentationNorByteBuddy() {
    mustNotUse(
        List.of("vtdiag.locksite"),
        "jdk.jfr",
        "java.lang.instrument",
        "net.bytebuddy",
        "vtdiag.pin");
  }

  @Test
  void pinsKnowNothingOfTheAgent() {
    mustNotUse(List.of("vtdiag.pin"), "vtdiag.agent", "vtdiag.boot");
  }

  @Test
  void whatTheBootstrapLoaderSeesUsesNothingElse() {
    assertEquals(
        Set.of(
            "java.lang",
            "java.lang.invoke", // the call sites of lambdas
            "java.lang.reflect",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.function",
            "vtdiag.boot"),
        USES.get("vtdiag.boot"));
  }

  @Test
  void theRewriterKnowsNothingOfTheAgent() {
    mustNotUse(
        List.of("vtdiag.rewrite"), "jdk.jfr", "java.lang.instrument", "vtdiag.agent", "vtdiag.pin");
  }

  @Test
  void onlyTheProbeImportsByteBuddy() {
    mustNotUse(everyPackageBut("vtdiag.agent.probe"), "net.bytebuddy");
    assertTrue(USES.get("vtdiag.agent.probe").contains("net.bytebuddy.asm"), USES::toString);
  }

  @Test
  void theAgentUsesNoCommandLineReportOrLogger() {
    mustNotUse(
        List.of("vtdiag.agent", "vtdiag.agent.probe", "vtdiag.pin", "vtdiag.locksite"),
        "picocli",
        "com.fasterxml",
        "java.util.logging",
        "org.slf4j",
        "java.lang.System.Logger",
        "vtdiag.recording",
        "vtdiag.analysis",
        "vtdiag.report",
        "vtdiag.gate",
        "vtdiag.compare",
        "vtdiag.cli");
  }

  @Test
  void findingsKnowNoCommandLineReportOrFile() {
    mustNotUse(
        List.of("vtdiag.analysis", "vtdiag.advice"),
        "vtdiag.report",
        "vtdiag.cli",
        "vtdiag.gate",
        "vtdiag.compare",
        "java.nio.file",
        "picocli");
  }

  @Test
  void theGateReadsNoReport() {
    mustNotUse(List.of("vtdiag.gate"), "vtdiag.report", "vtdiag.cli", "picocli");
  }

  @Test
  void patchesKnowNoRecordingReportOrCommandLine() {
    mustNotUse(
        List.of("vtdiag.patch"),
        "jdk.jfr",
        "vtdiag.recording",
        "vtdiag.analysis",
        "vtdiag.report",
        "vtdiag.gate",
        "vtdiag.cli",
        "picocli");
    mustNotUse(everyPackageBut("vtdiag.patch"), "com.github.javaparser");
  }

  @Test
  void measuringPrintsNothing() {
    mustNotUse(List.of("vtdiag.compare"), "vtdiag.report", "vtdiag.cli", "vtdiag.gate", "picocli");
  }

  @Test
  void nobodyUsesTheCommandLine() {
    mustNotUse(everyPackageBut("vtdiag.cli"), "vtdiag.cli", "picocli");
  }

  @Test
  void theAnalyzerUsesNoJfrReaderOfTheJdk() {
    mustNotUse(
        List.of(
            "vtdiag.recording",
            "vtdiag.analysis",
            "vtdiag.compare",
            "vtdiag.report",
            "vtdiag.gate"),
        "jdk.jfr");
  }

  @Test
  void samplesKnowNothingOfVtdiag() {
    List<String> samples =
        USES.keySet().stream().filter(name -> name.startsWith("samples")).toList();
    assertTrue(samples.size() > 10, samples::toString);
    mustNotUse(samples, "vtdiag");
  }
}
