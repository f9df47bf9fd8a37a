package io.github.vtdiag.compare;

import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.Prediction;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.safety.RefusalReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Predicts the effect of a plan's change, as {@code vtdiag advise} does. Nothing is fitted: the
 * prediction is made from the side without the change alone.
 */
final class Forecaster {
  /** The kinds of change that the advice can predict. */
  private enum Predictable {
    REWRITE,
    OTHER_JDK,
    /** Anything else, or more than one of them. */
    NOT_PREDICTED
  }

  /** The what-if that rewrites only the JDK's map. */
  private static final String MAP_ONLY = "concurrenthashmap";

  private final Plan plan;
  private final Predictable change;
  private final boolean everythingMoves;
  private final KnownFixes fixes = KnownFixes.load();
  private Optional<Function<LockSite, Decision>> ladder = Optional.empty();
  private Optional<Forecast> forecast = Optional.empty();

  Forecaster(Plan plan) {
    this.plan = plan;
    Optional<String> whatIf = plan.agent().flatMap(Plan.Agent::whatIf);
    boolean rewrite = whatIf.isPresent();
    List<String> named = whatIf.map(value -> List.of(value.split(":"))).orElse(List.of());
    everythingMoves =
        named.contains("auto") && named.stream().noneMatch(name -> name.startsWith("!"));
    boolean otherJdk = !plan.before().java().equals(plan.after().java());
    boolean other =
        !plan.before().options().equals(plan.after().options())
            || !plan.before().arguments().equals(plan.after().arguments());
    change =
        other || rewrite == otherJdk || whatIf.equals(Optional.of(MAP_ONLY))
            ? Predictable.NOT_PREDICTED
            : rewrite ? Predictable.REWRITE : Predictable.OTHER_JDK;
  }

  /** Adds the findings of another run without the change. */
  void add(Findings findings) {
    Forecast one = forecast(findings);
    forecast = Optional.of(forecast.map(sofar -> both(sofar, one)).orElse(one));
  }

  /** Returns the range that covers both, or why one has none. */
  private static Forecast both(Forecast one, Forecast other) {
    return switch (one) {
      case Forecast.None none -> none;
      case Forecast.Times times ->
          switch (other) {
            case Forecast.None none -> none;
            case Forecast.Times more ->
                new Forecast.Times(
                    times.place(),
                    times.change(),
                    Math.min(times.least(), more.least()),
                    Math.max(times.most(), more.most()),
                    times.assumption());
          };
    };
  }

  /**
   * Returns the prediction from all those runs; empty if nothing was recorded.
   *
   * @param jdkAfter the feature number of the Java of the other side; 0 if it is not known
   */
  Optional<Forecast> forecast(int jdkAfter) {
    return change == Predictable.OTHER_JDK && jdkAfter < JavaRelease.UNPINNED_MONITORS
        ? forecast.map(
            any -> new Forecast.None("only the step to Java 24 or later can be predicted"))
        : forecast;
  }

  private Forecast forecast(Findings findings) {
    if (change == Predictable.NOT_PREDICTED) {
      return new Forecast.None("only a what-if, or the step to Java 24 or later, can be predicted");
    }
    if (plan.source() instanceof Plan.Source.Http http && http.load() instanceof Load.Open) {
      return new Forecast.None("an open loop fixes the throughput");
    }
    if (findings.pins().isEmpty()) {
      return new Forecast.None("no virtual thread was pinned");
    }
    // The first finding is the one that holds the carriers most: the bottleneck.
    Advised first =
        Advisor.advise(
                findings,
                fixes,
                change == Predictable.REWRITE ? this::decide : Advisor::unknown,
                // The what-if needs no source: it may rewrite all but the JDK.
                type -> change == Predictable.REWRITE)
            .advised()
            .getFirst();
    return switch (change) {
      case REWRITE -> ofRewrite(first);
      case OTHER_JDK -> ofUpgrade(first);
      case NOT_PREDICTED -> throw new AssertionError(change);
    };
  }

  private static Forecast ofRewrite(Advised advised) {
    String title = advised.finding().title();
    if (advised.recommendation() instanceof Recommendation.Rewrite
        && advised.together().isEmpty()) {
      return of(
          advised.effect().prediction(),
          advised.finding(),
          "with locks in place of the monitors that pin there");
    }
    return new Forecast.None(
        advised.recommendation() instanceof Recommendation.Keep
            ? "the advice for %s is not a rewrite: %s".formatted(title, advised.reason())
            : "the advice for " + title + " is more than locks");
  }

  private static Forecast ofUpgrade(Advised advised) {
    Prediction prediction =
        advised.recommendation() instanceof Recommendation.UpgradeJdk
            ? advised.effect().prediction()
            : advised.alternatives().stream()
                .filter(other -> other.recommendation() instanceof Recommendation.UpgradeJdk)
                .map(Advised.Alternative::prediction)
                .findFirst()
                .orElseGet(
                    () ->
                        new Prediction.None(
                            "Java 24 frees nothing significant at " + advised.finding().title()));
    return of(prediction, advised.finding(), "on Java 24 or later");
  }

  private static Forecast of(Prediction prediction, Pin finding, String change) {
    return switch (prediction) {
      case Prediction.Range range ->
          new Forecast.Times(
              finding.title(),
              change,
              range.least() / range.now(),
              range.most() / range.now(),
              range.assumption());
      case Prediction.None none -> new Forecast.None(none.why());
    };
  }

  /**
   * Decides on a lock. Reads all classes when a lock is asked for that could be rewritten, and only
   * then. Most conditions are about a patch of some sites; where everything moves, only what the
   * JDK locks stays.
   */
  private Decision decide(LockSite site) {
    if (ladder.isEmpty()) {
      ladder = Optional.of(ladder());
    }
    Decision decision = ladder.get().apply(site);
    return everythingMoves
            && decision instanceof Decision.Declined declined
            && declined.rung() != RefusalReason.JDK_LOCKS
            && declined.rung() != RefusalReason.JDK_COLLECTION
        ? new Decision.Movable(
            new Lock(
                new Lock.Identity.Instances(site.type().name()),
                Lock.Keeper.NEW_FIELD,
                List.of(site),
                List.of()))
        : decision;
  }

  private Function<LockSite, Decision> ladder() {
    try {
      return new LockSafety(
              new Pipeline(plan.before().classPath(), jdk())
                  .program(plan.before().feature(), List.of(plan.before().launch())))
          ::decide;
    } catch (DataException e) {
      return site ->
          new Decision.Declined(RefusalReason.CLASS_UNKNOWN, e.getMessage(), List.of(site));
    }
  }

  /** Returns the Java home of the side without the change; empty if its launcher is not in one. */
  private Optional<Path> jdk() {
    return Optional.ofNullable(Path.of(plan.before().java()).getParent())
        .map(Path::getParent)
        .filter(home -> Files.exists(home.resolve("lib")));
  }
}
