package io.github.vtdiag.analysis;

import java.util.List;
import java.util.Optional;

/** The row of a kind of wait or misuse. */
public interface BehaviorKind extends FindingKind {
  /** The verdict on a program whose speed it limits most. */
  Bottleneck bottleneck();

  /** What one is called where there is one line for it: a pool with its size, a class, a path. */
  default String name(Observation seen) {
    return seen.subject();
  }

  /** Of a wait, how many threads waited for what and where, in one sentence. */
  default Optional<String> sentence(Observation seen) {
    return Optional.empty();
  }

  /** What to do about one that limits the program. */
  String advice(Observation seen);

  /** What was seen of it, a line each. */
  List<String> evidence(Observation seen);
}
