package io.github.vtdiag.hang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Words for a diagnosis: the verdict, then the evidence, then what ends it. Names of threads are
 * made printable here; other names are left to the caller.
 */
public final class DiagnosisWords {
  private final CarrierWords carriers;

  /**
   * @param jdk the feature number of the JDK that ran; 0 if it is unknown
   */
  public DiagnosisWords(int jdk) {
    this(jdk, className -> Optional.empty());
  }

  /**
   * @param agents finds the jar of an agent that has a class, if it is known
   */
  public DiagnosisWords(int jdk, Function<String, Optional<String>> agents) {
    this.carriers = new CarrierWords(jdk, agents);
  }

  /** Returns the verdict, the evidence and what ends it, a line each. */
  public List<String> lines(Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    lines.add(diagnosis.verdict());
    evidence(diagnosis).forEach(line -> lines.add("  " + line));
    ends(diagnosis).forEach(line -> lines.add("  " + line));
    return lines;
  }

  /**
   * Returns a line for each lock owner, each waiting thread and each thread that needs a carrier.
   */
  public List<String> evidence(Diagnosis diagnosis) {
    return Stream.concat(diagnosis.details().stream(), diagnosis.circumstances().stream())
        .flatMap(detail -> detail.evidence(carriers).stream())
        .toList();
  }

  /** Returns what ends it and what prevents it. */
  public List<String> ends(Diagnosis diagnosis) {
    return diagnosis.ends(carriers);
  }
}
