package io.github.vtdiag.report.ci;

import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;

/**
 * One thing that a build server shows.
 *
 * @param identity what it is called from one build to the next
 * @param title what it is about, in a few words: a method, or the verdict
 * @param lines what there is to say, the first in one sentence
 * @param finding what was found, if it is about that
 * @param advised what to do about it
 */
record Annotation(
    Level level,
    BuildRule rule,
    Identity identity,
    String title,
    List<String> lines,
    Optional<Pin> finding,
    Optional<Advised> advised) {

  /** How bad it is. */
  enum Level {
    /** The gate fails for it. */
    ERROR,
    /** The gate does not pass for it. */
    NO_DATA,
    /** The gate passes, and people should know. */
    WARNING,
    /** Within the limits. */
    NOTE
  }

  Annotation {
    lines = List.copyOf(lines);
  }

  /** Where to look. */
  Optional<Frame> place() {
    return finding.flatMap(Pin::place);
  }
}
