package io.github.vtdiag.hang;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kind of hang that a recording names.
 *
 * @param wireName as the agent that made the recording calls it
 * @param known empty if that agent is newer and its kind is unknown to this version
 */
public record RecordedKind(String wireName, Optional<DiagnosisKind> known) {
  public static RecordedKind of(DiagnosisKind kind) {
    return new RecordedKind(kind.wireName(), Optional.of(kind));
  }

  /** Reads a name; earlier names of a kind are read as the one that it has now. */
  public static RecordedKind parse(String name) {
    return Stream.of(DiagnosisKind.values())
        .filter(kind -> name.equals(kind.wireName()) || name.equals(kind.firstName()))
        .findFirst()
        .map(RecordedKind::of)
        .orElseGet(() -> new RecordedKind(name, Optional.empty()));
  }

  /** What baselines call it. */
  public String baselineName() {
    return known.map(DiagnosisKind::firstName).orElse(wireName);
  }

  public boolean is(DiagnosisKind kind) {
    return known.filter(found -> found == kind).isPresent();
  }

  /** Whether it never ends, as far as the agent can see: a stall may. */
  public boolean isCertain() {
    return !is(DiagnosisKind.STALLED);
  }
}
