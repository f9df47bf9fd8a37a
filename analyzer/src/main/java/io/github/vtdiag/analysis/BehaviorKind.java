package io.github.vtdiag.analysis;

import java.util.List;

/** A kind of wait or misuse. */
public interface BehaviorKind extends FindingKind {
  /** Returns the verdict on a program of which it is the main bottleneck. */
  Bottleneck bottleneck();

  /** Returns the short name of a finding, for one line: a pool with its size, a class, a path. */
  default String name(Observation seen) {
    return seen.subject();
  }

  /** Returns what to do about a finding that limits the program. */
  String advice(Observation seen);

  /** Returns the evidence, one line an entry. */
  List<String> evidence(Observation seen);

  /** A kind of wait. */
  interface OfWait extends BehaviorKind {
    /** Returns one sentence: how many threads waited, for what and where. */
    String sentence(Observation seen);
  }
}
