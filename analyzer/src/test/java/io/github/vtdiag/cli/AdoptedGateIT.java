package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.cli.programs.Repeats;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A team's gate: the policy in its repository, the baseline, and what has changed. */
class AdoptedGateIT {
  private static final Path AGENT = Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath();
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();
  private static final String WORK = Repeats.class.getName() + ".work";
  private static final int TIMES = 5;

  @TempDir private static Path recordings;
  @TempDir private Path folder;

  /** The same program several times, one that pins longer and elsewhere, and one on Java 25. */
  @BeforeAll
  static void recordAll() throws Exception {
    for (int i = 0; i < TIMES; i++) {
      record(Jdk.JAVA_21, "same" + i + ".jfr", 25, 30, 0);
    }
    record(Jdk.JAVA_21, "worse.jfr", 25, 200, 0);
    record(Jdk.JAVA_21, "more.jfr", 25, 30, 15);
    record(Jdk.JAVA_25, "java25.jfr", 25, 30, 0);
  }

  private static void record(Jdk jdk, String name, int pins, int millis, int others)
      throws Exception {
    Forked ran =
        Forked.java(
            jdk,
            recordings,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            Forked.QUICK,
            "-javaagent:" + AGENT + "=output=" + name,
            "-cp",
            CLASSES,
            Repeats.class.getName(),
            "" + pins,
            "" + millis,
            "" + others);
    assertEquals(0, ran.exitCode(), ran.err());
  }

  @BeforeEach
  void copy() throws Exception {
    try (var all = Files.list(recordings)) {
      for (Path each : all.filter(file -> file.toString().endsWith(".jfr")).toList()) {
        Files.createLink(folder.resolve(each.getFileName()), each);
      }
    }
  }

  private static Findings findings(String name) throws Exception {
    return new Pipeline(List.of(CLASSES), Optional.empty())
        .findings(
            List.of(new Input(name, List.of(recordings.resolve(name)))),
            TimeRange.ALL,
            note -> {},
            count -> {});
  }

  private static RunSummary run(String name) throws Exception {
    return RunSummary.of(name, findings(name));
  }

  /** On a machine on which nobody gets a processor pins last longer, and the gate says so. */
  private static boolean isStarved(String name) throws Exception {
    return findings(name).has(Gap.Kind.WATCH_STARVED);
  }

  private static List<String> objections(RunSummary before, RunSummary after) throws Exception {
    Difference difference = Difference.of(before, after, Tolerance.NORMAL);
    assertEquals(List.of(), difference.obstacles());
    List<String> objections = new ArrayList<>();
    List<Change.Kind> kinds =
        isStarved(after.name())
            ? List.of(Change.Kind.NEW)
            : List.of(Change.Kind.NEW, Change.Kind.WORSE);
    for (Change.Kind kind : kinds) {
      difference.notable(kind).forEach(change -> objections.add(kind + " " + change.title()));
    }
    return objections;
  }

  private Forked gate(int code, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("gate"));
    all.addAll(List.of(arguments));
    if (code == 0) {
      all.add("--allow-no-data"); // a busy machine starves the agent's watch
    }
    all.addAll(List.of("--classpath", CLASSES));
    Forked ran = CliJar.run(folder, all.toArray(String[]::new));
    assertEquals(code, ran.exitCode(), ran.out() + ran.err());
    return ran;
  }

  private void policy(String text) throws Exception {
    Files.writeString(folder.resolve("vtdiag.yml"), text);
  }

  @Test
  void theSameProgramIsNeverWorseThanItself() throws Exception {
    List<RunSummary> runs = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      runs.add(run("same" + i + ".jfr"));
    }
    for (RunSummary before : runs) {
      for (RunSummary after : runs) {
        assertEquals(List.of(), objections(before, after), before.name() + " " + after.name());
      }
      assertEquals(
          isStarved("worse.jfr") ? List.of() : List.of("WORSE " + WORK),
          objections(before, run("worse.jfr")));
      assertEquals(
          List.of("NEW " + Repeats.class.getName() + ".more"), objections(before, run("more.jfr")));
    }
  }

  @Test
  void aBaselineLetsPassWhatWasThereAndNothingElse() throws Exception {
    Forked made =
        CliJar.run(folder, "baseline", "same0.jfr", "-o", "b.json", "--classpath", CLASSES);
    assertEquals(0, made.exitCode(), made.err());
    gate(0, "same1.jfr", "--baseline", "b.json");
    if (!isStarved("worse.jfr")) {
      Forked worse = gate(1, "worse.jfr", "--baseline", "b.json");
      assertTrue(
          worse.out().startsWith("FAIL  0 findings new and 1 worse than the baseline\n  worse: "),
          worse.out());
    }
    Forked more = gate(1, "more.jfr", "--baseline", "b.json");
    assertTrue(more.out().contains("new: " + Repeats.class.getName() + ".more, "), more.out());
    Forked other = gate(4, "java25.jfr", "--baseline", "b.json");
    assertTrue(
        other.out().contains("b.json cannot be compared with these recordings: Java 21 ran before"),
        other.out());
    assertTrue(other.out().contains("make a new one with vtdiag baseline"), other.out());
  }

  @Test
  void recordingsOfManyForksAreOneRunAndADeadForkIsNoProof() throws Exception {
    Path forks = Files.createDirectory(folder.resolve("forks"));
    for (int i = 0; i < 3; i++) {
      Files.move(folder.resolve("same" + i + ".jfr"), forks.resolve("fork" + i + ".jfr"));
    }
    assertEquals(
        0,
        CliJar.run(folder, "baseline", "forks", "-o", "b.json", "--classpath", CLASSES).exitCode());
    JsonNode baseline = new ObjectMapper().readTree(folder.resolve("b.json").toFile());
    assertEquals(3, baseline.at("/conditions/recordings").asInt());
    gate(0, "forks", "--baseline", "b.json", "--max-pin", "1h");
    Files.createFile(forks.resolve("fork9.jfr"));
    Forked dead = gate(4, "forks", "--baseline", "b.json", "--max-pin", "1h");
    assertTrue(
        dead.out().contains("fork9.jfr: the recording is empty: its JVM was killed"), dead.out());
    // What is seen broken fails, whatever is missing.
    gate(1, "forks", "--max-pin", "1ms");
    Files.createDirectory(folder.resolve("none"));
    assertTrue(
        gate(4, "none", "--max-pin", "1h").out().contains("none: the folder holds no recordings"));
  }

  @Test
  void thePolicyOfTheFolderHoldsUnlessAnOptionSaysOtherwise() throws Exception {
    policy(
        """
        limits:
          max-pin: 1h
        budgets:
          - package: io.github.vtdiag.cli.programs
            max-count: 3
        """);
    Forked fail = gate(1, "same0.jfr", "--explain");
    assertTrue(
        fail.out().contains("pins (package io.github.vtdiag.cli.programs) 26, limit 3"),
        fail.out());
    assertTrue(fail.out().contains("vtdiag.yml, line 5"), fail.out());
    gate(2, "same0.jfr", "--no-policy");
    policy("limits:\n  max-pin: 1ms\n");
    gate(1, "same0.jfr");
    assertTrue(gate(0, "same0.jfr", "--max-pin", "1h", "--explain").out().contains("--max-pin"));
    policy("limits:\n  max-pinn: 1ms\n");
    assertTrue(
        gate(3, "same0.jfr").err().startsWith("vtdiag: vtdiag.yml, line 2: 'max-pinn' is no"));
  }

  @Test
  void whatWarmsUpDoesNotCountAndIsSaid() throws Exception {
    policy("limits:\n  max-pin: 500ms\n");
    gate(1, "same0.jfr");
    policy("limits:\n  max-pin: 500ms\nwarm-up:\n  until: com.example.Ready\n");
    Forked pass = gate(0, "same0.jfr", "--explain");
    assertTrue(
        pass.out().contains("ignored: each recording up to its first com.example.Ready"),
        pass.out());
    policy("limits:\n  max-pin: 500ms\nwarm-up:\n  until: com.example.Never\n");
    assertTrue(
        gate(4, "same0.jfr", "same1.jfr")
            .out()
            .contains("same1.jfr does not show anything after its warm-up: com.example.Never is"));
    policy("limits:\n  max-pin: 500ms\nwarm-up: 1h\n");
    gate(4, "same0.jfr");
  }

  @Test
  void anAllowanceHoldsUntilItsDay() throws Exception {
    String site = "  - site: " + Repeats.class.getName() + "\n    reason: r\n    owner: team-db\n";
    policy("limits:\n  max-pin: 1ms\nallowances:\n" + site + "    expires: 9999-12-31\n");
    Forked pass = gate(0, "same0.jfr", "--explain");
    assertTrue(pass.out().contains("allowed until 9999-12-31: "), pass.out());
    policy("limits:\n  max-pin: 1h\nallowances:\n" + site + "    expires: 2020-02-29\n");
    Forked expired = gate(1, "same0.jfr");
    assertTrue(
        expired.out().contains("was allowed until 2020-02-29; team-db owns it (r)"), expired.out());
  }

  @Test
  void aDiffSaysWhatChangedOrWhyItCannot() throws Exception {
    Forked text = CliJar.run(folder, "diff", "same0.jfr", "more.jfr", "--classpath", CLASSES);
    assertTrue(text.out().contains("\nworse  "), text.out());
    assertTrue(
        text.out()
            .contains(
                "new: "
                    + Repeats.class.getName()
                    + ".more, waits inside a synchronized method, 15 pins"),
        text.out());
    Forked gone = CliJar.run(folder, "diff", "more.jfr", "same0.jfr", "--classpath", CLASSES);
    assertTrue(gone.out().contains("gone: " + Repeats.class.getName() + ".more, "), gone.out());
    Forked json =
        CliJar.run(folder, "diff", "same0.jfr", "java25.jfr", "--json", "--classpath", CLASSES);
    JsonNode difference = new ObjectMapper().readTree(json.out());
    assertFalse(difference.path("comparable").asBoolean());
    assertEquals("Java 21 ran before, and 25 after", difference.at("/obstacles/0").asText());
    Validator.Result valid =
        new ValidatorFactory()
            .validate(Files.readString(Path.of("..", "docs", "diff.schema.json")), json.out());
    assertTrue(valid.isValid(), () -> valid.getErrors().toString());
  }
}
