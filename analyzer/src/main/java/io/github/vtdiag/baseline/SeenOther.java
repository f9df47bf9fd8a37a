package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.Kind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.Hang;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was found in a run and is no pin: what threads wait for or use besides, or that the program
 * hung.
 *
 * @param kind its sort; empty for a hang
 * @param subject what is waited for or used, for people; of a hang its first sentence
 * @param place the method to look at, of threads that wait for each other several; empty if none is
 *     known
 * @param limits whether it kept the program from going faster
 * @param unit what the figure counts
 * @param figure how much of it there was, however long the run was
 */
public record SeenOther(
    Identity identity,
    Optional<Kind> kind,
    String subject,
    String place,
    boolean limits,
    Unit unit,
    double figure) {
  /** More are counted. */
  private static final int PLACES = 3;

  /** What a figure counts, so that runs of any length can be held against each other. */
  public enum Unit {
    /** Threads that wait at a time, on average. */
    THREADS,
    /** Carriers that are kept at a time, on average. */
    CARRIERS,
    /** Bytes a second. */
    BYTES,
    /** How many there were. */
    COUNT
  }

  /**
   * All of a run's; what several recordings have is one.
   *
   * @param nanos the time that the recordings cover together
   * @param looked the part of it in which somebody looked what threads wait for
   */
  static List<SeenOther> of(Findings findings, long nanos, long looked) {
    Identities identities = Identities.of(findings);
    Map<Identity, SeenOther> seen = new LinkedHashMap<>();
    for (RecordingFacts facts : findings.recordings()) {
      for (Hang hang : facts.hangs()) {
        // One that has ended by itself is in the recording as pins.
        if (hang.lasts()) {
          Identities.of(hang)
              .forEach(
                  (identity, places) ->
                      seen.merge(identity, hung(hang, identity, places), SeenOther::and));
        }
      }
    }
    for (OtherFinding other : findings.others()) {
      SeenOther one = of(other, identities.of(other), needsLooks(other.kind()) ? looked : nanos);
      seen.merge(one.identity, one, SeenOther::and);
    }
    return new ArrayList<>(seen.values());
  }

  private static SeenOther hung(Hang hang, Identity identity, List<HangPlace> places) {
    return new SeenOther(
        identity, Optional.empty(), hang.words().getFirst(), where(places), true, Unit.COUNT, 1);
  }

  /** What holds a carrier or a lock is where to look; else where threads wait for it. */
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

  private static SeenOther of(OtherFinding other, Identity identity, long nanos) {
    double value = other.amount().value();
    double aNano = nanos == 0 ? 0 : value / nanos;
    Unit unit =
        switch (other.amount().unit()) {
          case THREAD_NANOS -> Unit.THREADS;
          case CARRIER_NANOS, NANOS -> Unit.CARRIERS;
          case BYTES -> Unit.BYTES;
          case COUNT -> Unit.COUNT;
        };
    return new SeenOther(
        identity,
        Optional.of(other.kind()),
        other.subject(),
        other.site().or(other::inside).map(Frame::qualifiedMethod).orElse(""),
        other.limits(),
        unit,
        switch (unit) {
          case THREADS, CARRIERS -> aNano;
          case BYTES -> aNano * 1e9;
          case COUNT -> value;
        });
  }

  private SeenOther and(SeenOther other) {
    return new SeenOther(
        identity,
        kind,
        subject,
        place,
        limits || other.limits,
        unit,
        switch (unit) {
          // Each recording's part of the time of all.
          case THREADS, CARRIERS, BYTES -> figure + other.figure;
          // Of each JVM by itself: a pool is in one of them.
          case COUNT -> Math.max(figure, other.figure);
        });
  }

  /** Whether only who looks at threads that wait can tell of it. */
  boolean needsLooks() {
    return kind.filter(SeenOther::needsLooks).isPresent();
  }

  private static boolean needsLooks(Kind kind) {
    return switch (kind) {
      case POOL,
          SEMAPHORE,
          LOCK,
          MONITOR,
          FULL_QUEUE,
          SIGNAL,
          FUTURE,
          REMOTE,
          POOLED_THREADS,
          NO_BACKPRESSURE ->
          true;
      case MONOPOLIZED_CARRIERS,
          SPINNING,
          FILE_IO,
          NATIVE_CALL,
          NAME_LOOKUP,
          PROCESS_START,
          THREAD_LOCAL_CACHE,
          SUBMIT_FAILED ->
          false;
    };
  }
}
