package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.compare.JavaCommand;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Launchers;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.patch.InstalledJdks;
import io.github.vtdiag.pipeline.AnalyzedRun;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.words.MeasuredAddress;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code vtdiag advise}. */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Recommends what to change, with reasons and gains; the costliest findings come first.",
    footer = {
      "",
      "Example:",
      "  vtdiag advise app.jfr --classpath app.jar --sources src/main/java",
      "  vtdiag advise app.jfr --classpath app.jar --upgrades",
      "  vtdiag advise app.jfr --json | jq '.findings[0].advice'"
    })
final class AdviseCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private InputOptions input;
  @Mixin private AdviceOptions advising;
  @Mixin private AssumptionOptions assuming;
  @Mixin private UpgradeOptions upgrades;
  @Mixin private OutputOptions output;

  AdviseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    input.range();
    upgrades.check();
    Assumptions assumed = assuming.assumptions();
    output.check(input.paths());
    input.own(advising.own());
    AnalyzedRun run = input.whole(console, output);
    Findings found = run.findings();
    advising.read(
        upgrades.read(
            found,
            input.classPath,
            advising.fixes(),
            console::warn,
            sentence -> output.note(console, sentence)));
    Map<Recommendation.Rewrite, String> unpatched = new HashMap<>();
    AdviceOptions.Given given =
        advising.advise(
            found,
            input,
            assuming,
            (advice, program) -> unpatched.putAll(unpatched(advice, program)));
    Findings findings = given.findings();
    Advice advice = given.advice();
    NextSteps next =
        output.quiet
            ? NextSteps.NONE
            : next(findings, advice, unpatched.keySet(), HttpServers.areIn(run.classesOnStacks()));
    if (!output.json()) {
      // JSON has no commands.
      OptionalInt usual = JavaCommand.usualFeature();
      next.compares()
          .filter(measure -> recordedJava(findings, usual).isEmpty())
          .flatMap(measure -> otherJava(findings, usual))
          .ifPresent(console::warn);
    }
    output.write(
        console,
        new Report.Recommendations(
            findings,
            advice,
            output.detail(),
            unpatched,
            input.classPath.isEmpty() ? Optional.empty() : Optional.of(assumed),
            next));
    return Exit.OK;
  }

  /** Returns what vtdiag patch would leave out, and why, where the sources are named. */
  private Map<Recommendation.Rewrite, String> unpatched(Advice advice, Program program)
      throws DataException {
    if (advising.sources.isEmpty() || !RewritePatches.isAnyWanted(advice)) {
      return Map.of();
    }
    try {
      return new RewritePatches(program, new SourceFolders(advising.sources)).declined(advice);
    } catch (IOException e) {
      throw new DataException(e.getMessage(), e);
    }
  }

  private NextSteps next(
      Findings findings, Advice advice, Set<Recommendation.Rewrite> unpatched, boolean servesHttp) {
    List<String> next = new ArrayList<>();
    if (findings.has(Gap.Trait.HIDES_PINS)) {
      return NextSteps.of(List.of(NextCommand.run(input.started(findings))));
    }
    List<String> sources = advising.sourcesAsTyped(findings);
    // Without a class path to add it would say the same again.
    boolean known = !input.classPathAsTyped(findings).isEmpty();
    if (known && input.classPath.isEmpty() && findings.cost().count() > 0) {
      next.add(input.next("advise", findings).with(sources).text());
    }
    if (!upgrades.upgrades && upgrades.candidates.isEmpty() && isStuckWithALibrary(advice)) {
      next.add(input.next("advise", findings).with("--upgrades").text());
    }
    boolean patches =
        known
            && !sources.isEmpty()
            && rewrites(advice)
                .anyMatch(rewrite -> rewrite.isPatchable() && !unpatched.contains(rewrite));
    if (patches) {
      next.add(input.next("patch", findings).with(sources).with("-o", "locks.patch").text());
    }
    Optional<String> compare = compare(findings, advice, servesHttp);
    compare.ifPresent(next::add);
    next.add(NextCommand.gate(input.files, findings).text());
    return new NextSteps(
        next,
        patches,
        compare.map(text -> servesHttp ? NextSteps.Measure.REQUESTS : NextSteps.Measure.CALLS));
  }

  /** Returns how to measure the gain before anybody changes anything; empty if that cannot be. */
  private Optional<String> compare(Findings findings, Advice advice, boolean servesHttp) {
    if ((rewrites(advice).findAny().isEmpty() && !advises(advice, Recommendation.UpgradeJdk.class))
        || !findings.launches().stream().allMatch(Launchers::canBeRepeated)) {
      return Optional.empty();
    }
    return measure(findings, servesHttp)
        .flatMap(
            options ->
                input
                    .started(findings)
                    .map(
                        started ->
                            NextCommand.of("compare", List.of())
                                .with(recordedJava(findings, JavaCommand.usualFeature()))
                                .with("--what-if", "auto")
                                .with(options)
                                .with("--")
                                .with(started)
                                .text()));
  }

  /** Returns the options that make the comparison run on the recorded Java, where it is found. */
  private static List<String> recordedJava(Findings findings, OptionalInt usual) {
    return findings.recordings().stream()
        .findFirst()
        .filter(facts -> usual.isPresent() && usual.getAsInt() != facts.jdk())
        .flatMap(facts -> InstalledJdks.like(facts.jdkVersion(), AgentJar.cache()))
        .map(home -> List.of("--jdk", home.toString()))
        .orElse(List.of());
  }

  /** Returns that the printed comparison would run on another Java than the recorded program. */
  static Optional<String> otherJava(Findings findings, OptionalInt usual) {
    return findings.recordings().stream()
        .map(RecordingFacts::jdk)
        .filter(recorded -> usual.isPresent() && usual.getAsInt() != recorded)
        .findFirst()
        .map(
            recorded ->
                "the compare command runs on Java %d by default, and the recording is of Java %d; name the home of that with --jdk"
                    .formatted(usual.getAsInt(), recorded));
  }

  /**
   * Returns the options that measure the program: requests if it serves them, else the calls of the
   * method of the application that pins most; empty if none has a name that people give.
   */
  static Optional<List<String>> measure(Findings findings, boolean servesHttp) {
    return servesHttp
        ? Optional.of(List.of("--http", MeasuredAddress.url(findings.recordings())))
        : findings.pins().stream()
            .flatMap(UsualSources::frames)
            .filter(frame -> !frame.type().name().contains("$$") && frame.isNamed())
            // Neither a lambda nor an initializer.
            .filter(frame -> frame.method().chars().allMatch(Character::isJavaIdentifierPart))
            .filter(frame -> !frame.method().contains("$"))
            .map(frame -> List.of("--count", frame.type().name() + "#" + frame.method()))
            .findFirst();
  }

  /** Returns whether another version of a library might help, as far as the list does not tell. */
  private static boolean isStuckWithALibrary(Advice advice) {
    return advice.main().stream()
        .flatMap(entry -> entry.advised().stream())
        .anyMatch(
            each ->
                each.recommendation() instanceof Recommendation.UpgradeJdk
                    && each.finding().owner() instanceof Owner.Library);
  }

  private static Stream<Recommendation.Rewrite> rewrites(Advice advice) {
    return advice.main().stream().flatMap(entry -> entry.rewrites().stream());
  }

  private static boolean advises(Advice advice, Class<? extends Recommendation> kind) {
    return advice.main().stream()
        .anyMatch(
            entry ->
                kind.isInstance(entry.recommendation())
                    || entry.together().stream().anyMatch(kind::isInstance));
  }
}
