package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds waits for results in futures that libraries write themselves, by parks, rather than take
 * from the JDK. The park alone looks like one of an idle worker.
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

  private static Optional<String> name(String type) {
    return Arrays.stream(type.substring(type.lastIndexOf('.') + 1).split("\\$", -1))
        .filter(simpleName -> NAME.matcher(simpleName).find())
        .findFirst();
  }
}
