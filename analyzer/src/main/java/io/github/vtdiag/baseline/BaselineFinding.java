package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.FindingKind;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.HangKind;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A finding of a run other than a pin: what threads wait for or use besides, or that the program
 * hung.
 *
 * @param kind its row
 * @param subject what is waited for or used, for people; of a hang its first sentence
 * @param place the method to look at, of threads that wait for each other several; empty if none is
 *     known
 * @param limits whether it is a bottleneck
 * @param unit what the figure counts
 * @param figure its value, independent of the length of the run
 */
public record BaselineFinding(
    Identity identity,
    FindingKind kind,
    String subject,
    String place,
    boolean limits,
    Unit unit,
    double figure) {
  /** The most methods that a place names; of more it gives the number. */
  private static final int PLACES = 3;

  /** The unit of a figure, so that runs of any length can be compared. */
  public enum Unit {
    /** Waiting threads, on average. */
    THREADS,
    /** Occupied carriers, on average. */
    CARRIERS,
    /** Bytes a second. */
    BYTES,
    /** A number of occurrences. */
    COUNT
  }

  /**
   * Returns all findings of a run other than pins; what several recordings have is one.
   *
   * @param nanos the time that the recordings cover together
   * @param looked the part of it in which the waits of threads were sampled
   */
  static List<BaselineFinding> of(Findings findings, long nanos, long looked) {
    Identities identities = Identities.of(findings);
    Map<Identity, BaselineFinding> seen = new LinkedHashMap<>();
    for (Finding finding : findings.all()) {
      switch (finding) {
        // Pins are compared separately, with their costs.
        case Finding.Pin pin -> {}
        case Finding.Hang hang ->
            Identities.of(hang)
                .forEach(
                    (identity, places) ->
                        seen.merge(identity, hung(hang, identity, places), BaselineFinding::and));
        case Behavior behavior -> {
          long time = behavior.kind().needsSnapshots() ? looked : nanos;
          BaselineFinding one = of(behavior, identities.of(behavior), time);
          seen.merge(one.identity, one, BaselineFinding::and);
        }
      }
    }
    return new ArrayList<>(seen.values());
  }

  private static BaselineFinding hung(
      Finding.Hang hang, Identity identity, List<HangPlace> places) {
    return new BaselineFinding(
        identity, hang.kind(), hang.verdict(), where(places), true, Unit.COUNT, 1);
  }

  /**
   * Returns the methods to look at: those that hold a carrier or a lock, else those that wait for
   * it.
   */
  private static String where(List<HangPlace> places) {
    List<String> methods =
        places.stream()
            .map(place -> place.holder().isEmpty() ? place.method() : place.holder())
            .distinct()
            .sorted()
            .toList();
    return methods.size() <= PLACES
        ? String.join(" and ", methods)
        : methods.getFirst() + " and " + (methods.size() - 1) + " more";
  }

  private static BaselineFinding of(Behavior behavior, Identity identity, long nanos) {
    Observation of = behavior.seen();
    double value = of.amount().value();
    double aNano = nanos == 0 ? 0 : value / nanos;
    Unit unit =
        switch (of.amount().unit()) {
          case THREAD_NANOS -> Unit.THREADS;
          case CARRIER_NANOS, NANOS -> Unit.CARRIERS;
          case BYTES -> Unit.BYTES;
          case COUNT -> Unit.COUNT;
        };
    return new BaselineFinding(
        identity,
        behavior.kind(),
        of.subject(),
        of.site().or(of::inside).map(Frame::qualifiedMethod).orElse(""),
        of.limits(),
        unit,
        switch (unit) {
          case THREADS, CARRIERS -> aNano;
          case BYTES -> aNano * 1e9;
          case COUNT -> value;
        });
  }

  private BaselineFinding and(BaselineFinding other) {
    return new BaselineFinding(
        identity,
        kind,
        subject,
        place,
        limits || other.limits,
        unit,
        switch (unit) {
          // Each recording's part of the time of all.
          case THREADS, CARRIERS, BYTES -> figure + other.figure;
          // The greatest of all JVMs: a pool is in one of them.
          case COUNT -> Math.max(figure, other.figure);
        });
  }

  /** Returns the same finding with another figure. */
  BaselineFinding withFigure(double other) {
    return new BaselineFinding(identity, kind, subject, place, limits, unit, other);
  }

  /** Returns whether the program hung. */
  public boolean isHang() {
    return kind == HangKind.HANG;
  }
}
