package io.github.vtdiag.hang;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kind of hang that a recording names.
 *
 * @param wireName its name from the agent that made the recording
 * @param known the kind; empty if that agent is newer and its kind is unknown to this version
 */
public record RecordedKind(String wireName, Optional<DiagnosisKind> known) {
  public static RecordedKind of(DiagnosisKind kind) {
    return new RecordedKind(kind.wireName(), Optional.of(kind));
  }

  /** Reads a name; earlier names of a kind are mapped to its current name. */
  public static RecordedKind parse(String name) {
    return Stream.of(DiagnosisKind.values())
        .filter(kind -> name.equals(kind.wireName()) || name.equals(kind.firstName()))
        .findFirst()
        .map(RecordedKind::of)
        .orElseGet(() -> new RecordedKind(name, Optional.empty()));
  }

  /** Returns its name in baselines. */
  public String baselineName() {
    return known.map(DiagnosisKind::firstName).orElse(wireName);
  }

  public boolean is(DiagnosisKind kind) {
    return known.filter(found -> found == kind).isPresent();
  }

  /** Returns whether the hang never ends, as far as the agent can see; a stall may end. */
  public boolean isCertain() {
    return !is(DiagnosisKind.STALLED);
  }
}
