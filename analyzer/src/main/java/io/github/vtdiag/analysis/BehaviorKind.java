package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** Returns what to do about a finding that was not seen to limit the program. */
  default String adviceWithoutLimit() {
    return "No change needed: it did not limit the program.";
  }

  /** Returns the evidence, one line an entry. */
  List<String> evidence(Observation seen);

  /** Returns the finding in one sentence; empty if its title, subject and cost say all. */
  default Optional<String> sentence(Observation seen) {
    return Optional.empty();
  }

  /**
   * Returns what makes it the same finding in another run, but for the place in the application:
   * the method. The subject, such as a file, is only the most frequent one.
   */
  default String identity(Observation seen) {
    return seen.inside().map(Identities::method).orElse("");
  }

  /**
   * Returns the place in the code that made it a finding of its own in this run, with the numbers
   * that compilers give to lambdas.
   */
  default String place(Observation seen) {
    return Stream.of(seen.inside(), seen.site())
        .flatMap(Optional::stream)
        .map(Frame::qualifiedMethod)
        .collect(Collectors.joining(" "));
  }

  /** A kind of wait. */
  interface OfWait extends BehaviorKind {
    /** Returns what is waited for; the method that waits is one of several. */
    @Override
    default String identity(Observation seen) {
      return "of " + seen.subject();
    }

    @Override
    default String place(Observation seen) {
      return seen.site().or(seen::inside).map(Frame::qualifiedMethod).orElse("");
    }
  }
}
