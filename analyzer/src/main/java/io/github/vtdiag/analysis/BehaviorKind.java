package io.github.vtdiag.analysis;

import java.util.List;

/** The row of a kind of wait or misuse. */
public interface BehaviorKind extends FindingKind {
  /** The verdict on a program whose speed it limits most. */
  Bottleneck bottleneck();

  /** What one is called where there is one line for it: a pool with its size, a class, a path. */
  default String name(Observation seen) {
    return seen.subject();
  }

  /** What to do about one that limits the program. */
  String advice(Observation seen);

  /** What was seen of it, a line each. */
  List<String> evidence(Observation seen);

  /** The row of a kind of wait. */
  interface OfWait extends BehaviorKind {
    /** How many threads waited for what and where, in one sentence. */
    String sentence(Observation seen);
  }
}
