package io.github.vtdiag.report.ci;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.source.SourceLines;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The place where a build server shows a remark: the line in the user's own sources that is nearest
 * to the finding.
 *
 * @param line the line, from 1; 0 if none is known
 * @param own whether it is in the user's sources
 */
record SourceLocation(String path, int line, boolean own) {

  /** Returns the place; empty if the remark is not about code. */
  static Optional<SourceLocation> of(Annotation annotation, SourceLines sources) {
    Optional<Pin> finding = annotation.finding();
    if (finding.isEmpty()) {
      return Optional.empty();
    }
    List<SourceLocation> own =
        frames(finding.get())
            .map(sources::of)
            .flatMap(Optional::stream)
            .map(place -> new SourceLocation(place.path(), place.line(), true))
            .limit(1)
            .toList();
    return own.isEmpty()
        ? finding
            .get()
            .place()
            .filter(frame -> !frame.type().name().isEmpty())
            .map(SourceLocation::named)
        : Optional.of(own.getFirst());
  }

  /** Returns the frame of the finding, then the code that led there, the nearest first. */
  private static Stream<Frame> frames(Pin finding) {
    return Stream.of(
            finding.place().stream(),
            finding.reachedFrom().stream().map(ReachedFrom::frame),
            finding.stack().frames().stream())
        .flatMap(frames -> frames)
        .filter(frame -> !frame.type().isJdk());
  }

  /** Returns the place in the file in which Java's compilers expect a class. */
  private static SourceLocation named(Frame frame) {
    String name = frame.type().name();
    String folder = name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/');
    return new SourceLocation(
        folder + Figures.position(frame.type(), -1), Math.max(0, frame.line()), false);
  }
}
