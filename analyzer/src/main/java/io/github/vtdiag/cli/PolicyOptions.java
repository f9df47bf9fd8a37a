package io.github.vtdiag.cli;

import io.github.vtdiag.baseline.BaselineFile;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.gate.Policy.Evidence;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Scope;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.policy.PolicyFile;
import io.github.vtdiag.recording.TimeRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a gate's policy: its file, and the options that override it. */
final class PolicyOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description =
          "The policy (default: vtdiag.yml in the working directory, if there is one;"
              + " docs/gate.md). Options override what it says.")
  private Path policy;

  @Option(names = "--no-policy", description = "Read no policy, even if there is a vtdiag.yml.")
  private boolean noPolicy;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description =
          "What vtdiag baseline wrote: fail on findings that are new or worse, beyond what chance"
              + " explains.")
  private Path baseline;

  @Option(names = "--allow-no-data", description = "Pass NO_DATA, with a warning.")
  private boolean allowNoData;

  @Option(
      names = "--allow-incomplete",
      description =
          "Accept recordings that are damaged, that lack their beginning, from which JFR lost"
              + " events, or which ended before the program did.")
  private boolean allowIncomplete;

  @Option(
      names = "--strict",
      description =
          "Answer NO_DATA also where a threshold hides short pins from a total or a count, or"
              + " monitor events were off.")
  private boolean strict;

  @Option(
      names = "--allow-unwatched",
      description =
          "Accept recordings without samples of the carriers, such as those made without vtdiag's"
              + " agent. They lack pins that never ended and blocking in native code: a program"
              + " that hung passes.")
  private boolean allowUnwatched;

  @Option(
      names = "--allow-hang",
      description =
          "Warn instead of failing if the agent saw the program hang; with a baseline, only if the"
              + " baseline has the same hang.")
  private boolean allowHang;

  private Optional<PolicyFile> file = Optional.empty();

  /** Reads the files, and refuses options that contradict each other. */
  Policy read(InputOptions input) throws DataException {
    if (noPolicy && policy != null) {
      throw new ParameterException(
          spec.commandLine(), "--policy and --no-policy exclude each other");
    }
    Path found = Path.of(PolicyFile.NAME);
    if (policy != null) {
      file = Optional.of(PolicyFile.read(policy, input.shown(policy.toString())));
    } else if (!noPolicy && Files.exists(found)) {
      file = Optional.of(PolicyFile.read(found, input.shown(PolicyFile.NAME)));
    }
    List<Limit> limits = limits();
    Optional<Policy.Baseline> accepted = baseline(input);
    if (limits.isEmpty() && accepted.isEmpty()) {
      List<String> options = Measures.ALL.stream().map(Measure::option).toList();
      throw new ParameterException(
          spec.commandLine(),
          "no limit given; add "
              + String.join(", ", options)
              + ", --baseline, or a policy ("
              + PolicyFile.NAME
              + ")");
    }
    return new Policy(
        limits,
        file.map(PolicyFile::allowances).orElse(List.of()),
        accepted,
        evidence(file.map(PolicyFile::evidence).orElse(Evidence.NORMAL)),
        ignored(input),
        LocalDate.now(ZoneOffset.UTC),
        file.map(PolicyFile::source));
  }

  /** Returns the names that the policy calls the user's own. */
  List<OwnCode.Name> own() {
    return file.map(PolicyFile::own).orElse(List.of());
  }

  /** Returns the part of each recording that counts; the options override the policy. */
  TimeRange range(InputOptions input) {
    TimeRange range = input.range();
    return input.hasFrom() ? range : warmUp().map(input::rangeFrom).orElse(range);
  }

  private Optional<TimeRange.Bound> warmUp() {
    return file.flatMap(PolicyFile::warmUp)
        .map(
            warmUp ->
                switch (warmUp) {
                  case PolicyFile.WarmUp.First first -> new TimeRange.AfterStart(first.nanos());
                  case PolicyFile.WarmUp.Until until -> new TimeRange.AfterEvent(until.event());
                });
  }

  private List<String> ignored(InputOptions input) {
    if (file.isEmpty() || file.get().warmUp().isEmpty()) {
      return List.of();
    }
    String what =
        switch (file.get().warmUp().get()) {
          case PolicyFile.WarmUp.First first ->
              "the first " + Figures.duration(first.nanos()) + " of each recording";
          case PolicyFile.WarmUp.Until until -> "each recording up to its first " + until.event();
        };
    return List.of(
        input.hasFrom()
            ? "the warm-up of " + file.get().source() + " itself, because of --from"
            : what + " (warm-up, " + file.get().source() + ")");
  }

  private List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    for (Measure measure : Measures.ALL) {
      Double value = spec.findOption(measure.option()).getValue();
      if (value != null) {
        limits.add(new Limit(measure, value));
      } else {
        file.stream()
            .flatMap(of -> of.limits().stream())
            .filter(limit -> limit.measure().equals(measure) && limit.scope().equals(Scope.all()))
            .forEach(limits::add);
      }
    }
    file.stream()
        .flatMap(of -> of.limits().stream())
        .filter(limit -> !limit.scope().equals(Scope.all()))
        .forEach(limits::add);
    return limits;
  }

  private Optional<Policy.Baseline> baseline(InputOptions input) throws DataException {
    Optional<PolicyFile.Baseline> named = file.flatMap(PolicyFile::baseline);
    if (baseline != null) {
      return Optional.of(
          new Policy.Baseline(
              BaselineFile.read(baseline),
              named.map(PolicyFile.Baseline::tolerance).orElse(Tolerance.NORMAL),
              named.map(PolicyFile.Baseline::others).orElse(false),
              input.shown(baseline.toString())));
    }
    if (named.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Policy.Baseline(
            BaselineFile.read(named.get().file()),
            named.get().tolerance(),
            named.get().others(),
            named.get().origin()));
  }

  private Evidence evidence(Evidence of) {
    return new Evidence(
        allowNoData || of.allowNoData(),
        allowIncomplete || of.allowIncomplete(),
        strict || of.strict(),
        allowUnwatched || of.allowUnwatched(),
        allowHang || of.allowHang());
  }
}
