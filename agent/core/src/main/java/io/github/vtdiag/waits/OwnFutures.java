package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds waits for results in futures that libraries write themselves rather than take from the JDK.
 * The park or the wait for a notification alone looks like one of an idle worker.
 */
final class OwnFutures {
  /** The end of the name of such a class, which may be an inner one of it. */
  private static final Pattern NAME = Pattern.compile("(Future|Promise)(Adapter|Base|Impl)?$");

  private OwnFutures() {}

  /**
   * Returns the future whose method parks; empty if there is none, or if a library receives by it
   * what others send, such as from a distributed queue: then its caller may be idle.
   *
   * @param frames the innermost first
   */
  static Optional<Awaited> awaitedBy(List<Frame> frames) {
    List<Frame> written = frames.stream().dropWhile(frame -> !frame.type().isWritten()).toList();
    if (written.isEmpty() || written.stream().anyMatch(KnownLibraries::receives)) {
      return Optional.empty();
    }
    Frame inside = written.getFirst();
    // The name does not tell how long the result may take, so no such wait is told as a hang.
    return name(inside.type().name())
        .map(
            name ->
                new Awaited(
                    Awaited.Kind.FUTURE, name, Set.of(Awaited.Trait.LASTING), Optional.of(inside)));
  }

  /**
   * The same of one in a known library whose method waits to be notified or signalled: the
   * application's own threads wait so for work, too, whatever the name of their class.
   */
  static Optional<Awaited> notifiedIn(List<Frame> frames) {
    return awaitedBy(frames)
        .filter(
            awaited ->
                awaited
                    .inside()
                    .filter(frame -> KnownLibraries.has(frame.type().name()))
                    .isPresent());
  }

  private static Optional<String> name(String type) {
    return Arrays.stream(type.substring(type.lastIndexOf('.') + 1).split("\\$", -1))
        .filter(simpleName -> NAME.matcher(simpleName).find())
        .findFirst();
  }
}
