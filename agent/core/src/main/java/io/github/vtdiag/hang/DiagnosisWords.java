package io.github.vtdiag.hang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A diagnosis in words: the verdict first, then the evidence, then what ends it. Names of threads
 * are made printable here; classes and the rest are for whoever prints them.
 */
public final class DiagnosisWords {
  private final CarrierWords carriers;

  /**
   * @param jdk the feature number of the JDK that ran; 0 if not known
   */
  public DiagnosisWords(int jdk) {
    this(jdk, className -> Optional.empty());
  }

  /**
   * @param agents the jar of an agent that has a class, if that is known
   */
  public DiagnosisWords(int jdk, Function<String, Optional<String>> agents) {
    this.carriers = new CarrierWords(jdk, agents);
  }

  /** The verdict, the evidence and what ends it, a line each. */
  public List<String> lines(Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    lines.add(diagnosis.verdict());
    evidence(diagnosis).forEach(line -> lines.add("  " + line));
    ends(diagnosis).forEach(line -> lines.add("  " + line));
    return lines;
  }

  /** Who holds what where, who waits, who needs a carrier. */
  public List<String> evidence(Diagnosis diagnosis) {
    return Stream.concat(diagnosis.details().stream(), diagnosis.circumstances().stream())
        .flatMap(detail -> detail.evidence(carriers).stream())
        .toList();
  }

  /** What ends it, and what keeps it from happening again. */
  public List<String> ends(Diagnosis diagnosis) {
    return diagnosis.ends(carriers);
  }
}
