package io.github.vtdiag.report.ci;

import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;

/**
 * One remark that a build server shows.
 *
 * @param identity its identity from one build to the next
 * @param title what it is about, in a few words: a method, or the verdict
 * @param lines its text, the first line in one sentence
 * @param finding the finding, if it is about one
 * @param advised the advice for that finding
 */
record Annotation(
    Level level,
    BuildRule rule,
    Identity identity,
    String title,
    List<String> lines,
    Optional<Pin> finding,
    Optional<Advised> advised) {

  /** The severity of a remark. */
  enum Level {
    /** The gate fails because of it. */
    ERROR,
    /** The gate does not pass because of it. */
    NO_DATA,
    /** The gate passes, and people should know. */
    WARNING,
    /** The limits are kept. */
    NOTE
  }

  Annotation {
    lines = List.copyOf(lines);
  }

  /** Returns where to look. */
  Optional<Frame> place() {
    return finding.flatMap(Pin::place);
  }
}
