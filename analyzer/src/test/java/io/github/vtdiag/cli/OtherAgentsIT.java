package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.report.ci.BuildReports;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.OtherAgentJar;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Another agent changes the classes of a program: what is said of the recording holds for the
 * original class files and their sources.
 */
class OtherAgentsIT {
  private static final String OURS =
      Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath().toString();

  /** The monitors come after branches, and two of them are in one method. */
  private static final String WEB =
      """
      package app;

      import java.util.ArrayList;
      import java.util.List;

      public final class Web {
        private final Object orders = new Object();
        private final Object prices = new Object();
        private int count;

        void order(int rounds) throws InterruptedException {
          for (int i = 0; i < rounds; i++) {
            if (i % 3 == 0) {
              count++;
            }
          }
          synchronized (orders) {
            Thread.sleep(40);
          }
          while (count > 1000) {
            count--;
          }
          synchronized (prices) {
            Thread.sleep(30);
            count++;
          }
        }

        synchronized int total(boolean slow) throws InterruptedException {
          if (slow) {
            Thread.sleep(25);
          }
          return count;
        }

        public static void main(String[] args) throws Exception {
          Web web = new Web();
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            threads.add(Thread.startVirtualThread(web::work));
          }
          for (Thread thread : threads) {
            thread.join();
          }
          System.out.println("count " + web.count);
        }

        private void work() {
          try {
            order(10);
            total(true);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      """;

  /** What pins on every Java: a class that waits while it is initialized. */
  private static final String LAZY =
      """
      package app;

      public final class Lazy {
        private static final class Settings {
          static int value = read();

          static int read() {
            try {
              for (int i = 0; i < 3; i++) {
                Thread.sleep(20);
              }
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return 7;
          }
        }

        public static void main(String[] args) throws Exception {
          Thread thread = Thread.startVirtualThread(() -> System.out.println(Settings.value));
          thread.join();
        }
      }
      """;

  @TempDir private static Path shared;

  /** The places of the class file, and the patch, from a run without another agent. */
  private static Set<String> expected;

  private static String patch;

  @TempDir private Path temporary;

  @BeforeAll
  static void withoutAnotherAgent() throws Exception {
    OtherAgentsIT alone = new OtherAgentsIT();
    alone.temporary = shared;
    alone.compile("src", "classes", WEB);
    Forked ran =
        Forked.java(
            Jdk.JAVA_21,
            shared,
            Forked.QUICK,
            "-javaagent:" + OURS + "=output=app.jfr,warn=off",
            "-cp",
            "classes",
            "app.Web");
    assertEquals(0, ran.exitCode(), ran.err());
    JsonNode advice = alone.advice("./classes", "./src");
    assertEquals(List.of(), changes(advice));
    expected = rewritten(advice);
    assertEquals(3, expected.size(), expected::toString);
    patch = alone.patch();
  }

  /** The agents that a program is tried with. */
  enum Other {
    JACOCO("JaCoCo"),
    /** One that nobody knows. */
    PROBES("the agent probes.jar"),
    /** The same, asked again when a class is retransformed. */
    PROBES_AGAIN("the agent probes.jar");

    final String name;

    Other(String name) {
      this.name = name;
    }

    String option(Path folder) throws IOException {
      return switch (this) {
        case JACOCO ->
            "-javaagent:"
                + Path.of("target", "agents", "jacoco.jar").toAbsolutePath()
                + "=includes=app.*,destfile=j.exec";
        case PROBES -> "-javaagent:" + OtherAgentJar.write(folder) + "=app/";
        case PROBES_AGAIN -> "-javaagent:" + OtherAgentJar.write(folder) + "=app/+";
      };
    }
  }

  private Path folder() throws IOException {
    return temporary.toRealPath();
  }

  private Path compile(String sources, String classes, String... texts) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String text : texts) {
      String name = text.contains("class Web") ? "Web.java" : "Lazy.java";
      Path file = folder().resolve(sources).resolve("app").resolve(name);
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, text));
    }
    Path to = folder().resolve(classes);
    Javac.compile(to, files);
    return to;
  }

  /** Runs a class with both agents, and returns what it prints. */
  private Forked run(Jdk jdk, String ours, Other other, boolean before, String mainClass)
      throws Exception {
    String option = "-javaagent:" + OURS + "=output=app.jfr,warn=off" + ours;
    String first = before ? other.option(folder()) : option;
    String second = before ? option : other.option(folder());
    Forked ran =
        Forked.java(jdk, folder(), Forked.QUICK, first, second, "-cp", "classes", mainClass);
    assertEquals(0, ran.exitCode(), ran.out() + ran.err());
    return ran;
  }

  private Forked vtdiag(String... arguments) throws Exception {
    String[] all =
        Arrays.stream(arguments)
            .map(each -> each.startsWith("./") ? "" + path(each.substring(2)) : each)
            .toArray(String[]::new);
    return WarmCommandLine.run(Jdk.JAVA_21, all);
  }

  private Path path(String name) {
    try {
      return folder().resolve(name);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode advice(String classes, String sources) throws Exception {
    Forked advised =
        vtdiag("advise", "-q", "--json", "./app.jfr", "--classpath", classes, "--sources", sources);
    assertEquals(0, advised.exitCode(), advised.err());
    return new ObjectMapper().readTree(advised.out());
  }

  /** The monitors that are to become locks, by line and what they lock. */
  private static Set<String> rewritten(JsonNode advice) {
    Set<String> sites = new TreeSet<>();
    for (JsonNode finding : advice.path("findings")) {
      JsonNode recommended = finding.at("/advice/recommendation");
      if (recommended.path("why").asText().equals("HARMLESS")) {
        continue; // A short wait to enter one of them.
      }
      assertEquals("REWRITE", recommended.path("kind").asText(), finding::toPrettyString);
      for (JsonNode lock : recommended.path("locks")) {
        for (JsonNode site : lock.path("sites")) {
          sites.add(
              site.at("/region/enterBci").asInt() + " " + site.at("/region/lock/text").asText());
          assertTrue(
              finding.at("/site/kind").asText().equals("MONITOR_ENTRY")
                  || site.path("region").equals(finding.at("/site/region"))
                  // Of a synchronized method only the flag tells.
                  || site.at("/region/enterBci").asInt() < 0,
              finding::toPrettyString);
        }
      }
    }
    return sites;
  }

  private static List<String> changes(JsonNode advice) {
    return StreamSupport.stream(advice.path("limits").spliterator(), false)
        .filter(gap -> gap.path("kind").asText().equals("CLASSES_CHANGED"))
        .map(gap -> gap.path("text").asText())
        .toList();
  }

  private String patch() throws Exception {
    Forked patch = vtdiag("patch", "./app.jfr", "--classpath", "./classes", "--sources", "./src");
    assertEquals(0, patch.exitCode(), patch.err());
    assertTrue(patch.err().contains("patched 3 locks (3 sites in 1 file)"), patch.err());
    return patch.out();
  }

  @ParameterizedTest
  @CsvSource({
    "JACOCO,true", "JACOCO,false",
    "PROBES,true", "PROBES,false",
    "PROBES_AGAIN,true", "PROBES_AGAIN,false"
  })
  void whatAnotherAgentMovedIsFoundInTheClassFile(Other other, boolean before) throws Exception {
    compile("src", "classes", WEB);
    run(Jdk.JAVA_21, "", other, before, "app.Web");
    JsonNode advice = advice("./classes", "./src");
    assertEquals(expected, rewritten(advice));
    // The work of one that comes after ours, and is asked again, nobody shows: the lines tell.
    boolean shown = before || other != Other.PROBES_AGAIN;
    assertEquals(
        shown
            ? List.of(
                other.name
                    + " changed the bytecode of app.Web; its monitors are matched with the class"
                    + " file's by their order")
            : List.of(),
        changes(advice));
    assertEquals(patch.replace("" + shared.toRealPath(), "" + folder()), patch());

    Forked analyzed = vtdiag("analyze", "./app.jfr", "--classpath", "./classes");
    assertFalse(analyzed.out().contains("version"), analyzed.out());
    assertEquals(
        !shown,
        analyzed.out().contains("name vtdiag's agent last on the command line"),
        analyzed.out());
    assertEquals(shown, analyzed.out().contains("changed the bytecode of app.Web"), analyzed.out());
    String[] inputs = {"./app.jfr", "--classpath", "./classes", "--sources", "./src"};
    List<String> gate = new ArrayList<>(List.of("gate", "--max-pin", "10ms", "--sarif"));
    gate.add("./vtdiag.sarif");
    gate.addAll(List.of(inputs));
    Forked gated = vtdiag(gate.toArray(String[]::new));
    assertEquals(1, gated.exitCode(), gated.out() + gated.err());
    JsonNode results = BuildReports.sarif(Files.readString(path("vtdiag.sarif"))).path("results");
    List<JsonNode> fixes = new ArrayList<>();
    results.forEach(result -> result.path("fixes").forEach(fixes::add));
    assertTrue(fixes.size() >= 3, results::toPrettyString);
    List<String> report = new ArrayList<>(List.of("report", "-o", "./page.html"));
    report.addAll(List.of(inputs));
    assertEquals(0, vtdiag(report.toArray(String[]::new)).exitCode());
    String page = Files.readString(path("page.html"));
    assertTrue(page.contains("orders.lock();"), "the page has the diffs");
    assertFalse(page.contains("different version"), "the page takes it for another version");
  }

  @ParameterizedTest
  @CsvSource({"JACOCO,true", "PROBES,false"})
  void anotherVersionIsStillRefused(Other other, boolean before) throws Exception {
    compile("src", "classes", WEB);
    run(Jdk.JAVA_21, "", other, before, "app.Web");
    compile(
        "new", "newer", WEB.replace("while (count", "synchronized (this) {}\n    while (count"));
    List<String> refused = new ArrayList<>();
    for (JsonNode finding : advice("./newer", "./new").path("findings")) {
      if (finding.at("/site/method").asText().equals("order")) {
        assertEquals("KEEP", finding.at("/advice/recommendation/kind").asText());
        refused.add(finding.at("/advice/reason").asText());
      }
    }
    assertFalse(refused.isEmpty());
    String reason =
        other.name
            + " changed the bytecode of app.Web, and the monitors of order cannot be matched with"
            + " its class file: it ran with 2 monitors, and the class file has 3";
    assertTrue(refused.stream().allMatch(reason::equals), refused::toString);
    Forked patch = vtdiag("patch", "./app.jfr", "--classpath", "./newer", "--sources", "./new");
    assertFalse(patch.out().contains("orders.lock()"), patch.out());
  }

  /** A newer version has another monitor at the index of one that ran. */
  @Test
  void anotherVersionWithoutAnAgentIsRefusedEvenAtTheSameIndex() throws Exception {
    compile("src", "classes", WEB);
    Files.copy(shared.resolve("app.jfr"), path("app.jfr"));
    // As long in bytecode, and the locks change places.
    compile(
        "new",
        "newer",
        WEB.replace("(orders)", "(x)").replace("(prices)", "(orders)").replace("(x)", "(prices)"));
    Set<String> reasons = new TreeSet<>();
    for (JsonNode finding : advice("./newer", "./new").path("findings")) {
      if (finding.at("/site/method").asText().equals("order")) {
        reasons.add(finding.at("/advice/reason").asText());
      }
    }
    // On a busy machine one of the two locks may have pinned too little to need any advice.
    reasons.removeIf(reason -> reason.startsWith("short, and few"));
    assertEquals(
        Set.of("the class file of app.Web has no such monitor in order: it is a different version"),
        reasons);
  }

  /** Monitors pin on Java 21 only; what pins on both is found with both agents. */
  @ParameterizedTest
  @CsvSource({"JACOCO,true", "JACOCO,false", "PROBES,true", "PROBES,false"})
  void whatPinsOnJava25IsFoundAsWithoutTheOtherAgent(Other other, boolean before) throws Exception {
    compile("src", "classes", LAZY);
    assertEquals("7\n", run(Jdk.JAVA_25, "", other, before, "app.Lazy").out());
    JsonNode findings = advice("./classes", "./src").path("findings");
    assertEquals("CLASS_INITIALIZER", findings.at("/0/site/kind").asText(), findings::toString);
    assertEquals("app.Lazy$Settings", findings.at("/0/site/class").asText());
  }

  /** The what-if takes its sites by class and method, so indices do not matter to it. */
  @ParameterizedTest
  @CsvSource({"JACOCO,true", "JACOCO,false", "PROBES_AGAIN,false"})
  void theWhatIfRewritesWhatAnotherAgentChanges(Other other, boolean before) throws Exception {
    compile("src", "classes", WEB);
    run(Jdk.JAVA_21, "", other, before, "app.Web");
    Files.writeString(path("advice.json"), advice("./classes", "./src").toString());
    Forked ran = run(Jdk.JAVA_21, ",rewrite=@advice.json", other, before, "app.Web");
    assertTrue(ran.out().startsWith("count "), ran.out());
    assertEquals(List.of(), List.copyOf(rewritten(advice("./classes", "./src"))), ran.err());
  }
}
