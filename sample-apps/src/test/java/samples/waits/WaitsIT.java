package samples.waits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.FindingKind;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import samples.Once;

/** What the threads of each program wait for is found, and of its twin nothing is said. */
@Order(1)
class WaitsIT {
  /** A machine with much else to do may not let the agent look often enough at first. */
  private static final List<Integer> SECONDS = List.of(3, 12, 45);

  /**
   * @param pool of a program for several pools, which one; else empty
   */
  record Story(
      String program,
      String pool,
      BehaviorKind kind,
      String subject,
      String site,
      Optional<Double> bound,
      Optional<String> holder) {
    @Override
    public String toString() {
      return pool.isEmpty() ? program : program + "-" + pool;
    }
  }

  private static final List<Story> STORIES =
      List.of(
          pool("ConnectionPool", "HikariCP", "findOrder", 10),
          pool("BorrowedObjects", "commons-pool2", "parse", 8),
          pooled("agroal", "Agroal"),
          pooled("vibur", "Vibur"),
          new Story(
              "SharedLock",
              "",
              WaitKind.LOCK,
              "ReentrantLock",
              "book",
              Optional.of(1.0),
              Optional.of("sleep")),
          story("LentClients", WaitKind.POOL, "ArrayBlockingQueue", "call"),
          story("Permits", WaitKind.SEMAPHORE, "Semaphore", "call"),
          story("BoundedQueue", WaitKind.FULL_QUEUE, "ArrayBlockingQueue", "produce"),
          story("SlowAnswer", WaitKind.REMOTE, "HTTP", "ask"));

  /** On 21 they are pinned, by a monitor or in Object.wait, and that is what is said. */
  private static final List<Story> PINNED_ON_21 =
      List.of(story("SharedMonitor", WaitKind.MONITOR, "monitor", "book"), pooled("c3p0", "c3p0"));

  @TempDir static Path folder;
  @RegisterExtension static final Once<Seen> RUNS = new Once<>();

  /** What was found, and what the program printed with the agent's summary. */
  record Seen(Findings findings, String printed) {}

  private static Story story(String program, BehaviorKind kind, String subject, String site) {
    return new Story(program, "", kind, subject, site, Optional.empty(), Optional.empty());
  }

  private static Story pool(String program, String subject, String site, double bound) {
    return pool(program, "", subject, site, bound);
  }

  private static Story pool(
      String program, String pool, String subject, String site, double bound) {
    return new Story(
        program, pool, WaitKind.POOL, subject, site, Optional.of(bound), Optional.empty());
  }

  private static Story pooled(String pool, String subject) {
    return pool("PooledQueries", pool, subject, "findOrder", 10);
  }

  private static double amount(Behavior found, String detail) {
    return found.seen().detail(detail).orElseThrow().amount().orElseThrow().value();
  }

  private static Seen seen(Story story, Jdk jdk, boolean healthy) throws Exception {
    // Whoever only reads what another test has recorded there ran on it too.
    jdk.java();
    return RUNS.get(key(story, jdk, healthy), () -> findings(story, jdk, healthy));
  }

  private static String key(Story story, Jdk jdk, boolean healthy) {
    return story + (healthy ? "-twin-" : "-") + jdk;
  }

  static Stream<Arguments> everywhere() {
    return STORIES.stream()
        .flatMap(
            story -> EitherJdk.Choice.of(story.toString()).map(jdk -> Arguments.of(story, jdk)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("everywhere")
  void namesWhatThreadsWaitFor(Story story, Jdk jdk) throws Exception {
    Seen seen = seen(story, jdk, false);
    named(story, seen.findings);
    summarized(story, seen);
  }

  /** The summary says it too, of what there can be more of. */
  private static void summarized(Story story, Seen seen) {
    AtOnce threads = seen.findings.behaviors().getFirst().seen().atOnce().orElseThrow();
    String named =
        "[vtdiag] waits: %s virtual threads at a time, up to %s, for %s in samples.waits.%s.%s"
            .formatted(
                Figures.count(Math.round(threads.mean())),
                Figures.count(threads.most()),
                story.kind == WaitKind.MONITOR ? "a monitor" : story.subject,
                story.program,
                story.site);
    assertEquals(
        story.kind != WaitKind.REMOTE, seen.printed.contains(named), named + "\n" + seen.printed);
  }

  private static void named(Story story, Findings findings) {
    assertEquals(1, findings.behaviors().size(), () -> findings.behaviors().toString());
    Behavior found = findings.behaviors().getFirst();
    assertEquals(story.kind, found.kind());
    assertEquals(story.subject, found.seen().subject());
    assertEquals("samples.waits." + story.program, found.seen().site().orElseThrow().type().name());
    assertEquals(story.site, found.seen().site().orElseThrow().method());
    assertTrue(found.seen().limits());
    AtOnce atOnce = found.seen().atOnce().orElseThrow();
    assertTrue(atOnce.most() > 10, found::toString);
    assertTrue(atOnce.mean() <= atOnce.most(), found::toString);
    story.bound.ifPresent(
        bound -> {
          assertEquals(bound, amount(found, "bound"), found::toString);
          double inUse = amount(found, "inUse");
          assertTrue(0 < inUse && inUse <= bound, found::toString);
        });
    if (story.kind == WaitKind.SEMAPHORE) {
      // Nobody waits long where a permit is free; the program has five.
      assertTrue(amount(found, "free") <= 5, found::toString);
    }
    story.holder.ifPresent(
        does -> {
          Frame holder = found.seen().detail("holder").orElseThrow().frame().orElseThrow();
          assertEquals("samples.waits.Crowd.work", holder.qualifiedMethod());
          assertEquals(does, found.seen().detail("holderWaitsFor").orElseThrow().text());
        });
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("everywhere")
  void saysNothingOfTheTwin(Story story, Jdk jdk) throws Exception {
    Findings findings = seen(story, jdk, true).findings;
    assertEquals(
        List.of(),
        findings.behaviors().stream()
            .filter(found -> !isBesides(story, found.kind()) || !isOfTheJdk(found))
            .toList());
    assertFalse(seen(story, jdk, true).printed.contains("for " + story.subject), story::toString);
  }

  /** On a busy machine threads may queue for a lock of the JDK's, too, and then that is said. */
  private static boolean isBesides(Story story, FindingKind kind) {
    return kind.equals(WaitKind.LOCK) && !story.kind.equals(WaitKind.LOCK);
  }

  private static boolean isOfTheJdk(Behavior found) {
    return found.seen().owner() instanceof Owner.Jdk;
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("everywhere")
  void aDiffTellsTheWaitFromTheTwin(Story story, Jdk jdk) throws Exception {
    RunSummary waits = RunSummary.of("waits", seen(story, jdk, false).findings);
    RunSummary twin = RunSummary.of("twin", seen(story, jdk, true).findings);
    assertEquals(List.of("NEW " + story.kind + " true"), changes(story, twin, waits));
    assertEquals(List.of("GONE " + story.kind + " true"), changes(story, waits, twin));
    assertEquals(List.of("SAME " + story.kind + " true"), changes(story, waits, waits));
  }

  private static List<String> changes(Story story, RunSummary before, RunSummary after) {
    return Difference.of(before, after, Tolerance.NORMAL).others().stream()
        .filter(of -> !isBesides(story, of.seen().kind()))
        .map(of -> of.kind() + " " + of.seen().kind() + " " + of.notable())
        .toList();
  }

  static Stream<Arguments> pinnedOn21() {
    return Stream.of(Jdk.values())
        .flatMap(jdk -> PINNED_ON_21.stream().map(story -> Arguments.of(story, jdk)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("pinnedOn21")
  void aMonitorIsWaitedForWithoutACarrierSince24(Story story, Jdk jdk) throws Exception {
    Findings findings = seen(story, jdk, false).findings;
    if (jdk == Jdk.JAVA_25) {
      named(story, findings);
    } else {
      assertEquals(List.of(), findings.behaviors(), "they are pinned");
      assertTrue(findings.cost().count() > 0);
    }
    assertEquals(List.of(), seen(story, jdk, true).findings.behaviors());
  }

  @ParameterizedTest
  @EitherJdk
  void plainJfrDoesNotTellAndThatIsSaid(Jdk jdk) throws Exception {
    Path recording = folder.resolve("plain-" + jdk + ".jfr");
    Story story = story("SharedLock", WaitKind.LOCK, "ReentrantLock", "book");
    run(jdk, story, false, 1, "-XX:StartFlightRecording=filename=" + recording);
    Findings findings = analyze(recording);
    assertEquals(List.of(), findings.behaviors());
    assertTrue(findings.has(Gap.Kind.WAITS_UNSEEN));
  }

  /** Runs it for longer if the agent could not record at all, or not look often enough. */
  private static Seen findings(Story story, Jdk jdk, boolean healthy) throws Exception {
    Optional<Findings> findings = Optional.empty();
    String printed = "";
    for (int seconds : SECONDS) {
      Path recording = folder.resolve(key(story, jdk, healthy) + "-" + seconds + ".jfr");
      printed = run(jdk, story, healthy, seconds, agent(recording));
      findings =
          Files.notExists(recording) || Files.size(recording) == 0
              ? Optional.empty()
              : Optional.of(analyze(recording)).filter(seen -> !seen.has(Gap.Kind.WAITS_UNSEEN));
      if (findings.filter(seen -> healthy || isSeen(seen)).isPresent()) {
        break;
      }
    }
    return new Seen(
        findings.orElseThrow(() -> new AssertionError("the agent did not look")), printed);
  }

  private static boolean isSeen(Findings findings) {
    return !findings.behaviors().isEmpty() || findings.cost().count() > 0;
  }

  private static String agent(Path recording) {
    return "-javaagent:"
        + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
        + "=output="
        + recording;
  }

  private static String run(Jdk jdk, Story story, boolean healthy, int seconds, String recorder)
      throws Exception {
    Path target = Jdks.projectFolder().resolve("sample-apps/target");
    Path output = Files.createTempFile(folder, story.program, ".txt");
    Process process =
        new ProcessBuilder(
                jdk.java().toString(),
                recorder,
                Forked.QUICK,
                Forked.PATIENT,
                "-XX:+UseSerialGC",
                "-Djdk.virtualThreadScheduler.parallelism=2",
                "-Dhealthy=" + healthy,
                "-Dseconds=" + seconds,
                "-Dlibrary=" + story.pool,
                "-cp",
                String.join(
                    File.pathSeparator,
                    // As an application has them: a jar with coordinates would be a library.
                    target.resolve("classes").toString(),
                    target.resolve("test-classes").toString(),
                    target.resolve("libraries/hikari/*").toString(),
                    target.resolve("libraries/commons-pool2/*").toString(),
                    target.resolve("libraries/" + story.pool + "/*").toString()),
                "samples.waits." + story.program)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> story + " hangs");
    String printed = Files.readString(output, UTF_8);
    assertEquals(0, process.exitValue(), printed);
    return printed;
  }

  private static Findings analyze(Path recording) throws Exception {
    return new Pipeline(List.of(), Optional.empty())
        .findings(
            List.of(new Input(recording.toString(), List.of(recording))),
            TimeRange.ALL,
            note -> {},
            count -> {});
  }
}
