package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;

/**
 * The waits of pinned threads for sockets. On Linux, since Java 22, virtual threads of the JDK tell
 * when sockets are ready. They need a carrier for that.
 */
final class SocketPolling {
  private static final String POLLER = "sun.nio.ch.Poller";

  /**
   * The beginning of the names of these threads; dumps have no stacks of threads that could run.
   */
  private static final String NAME = "SubPoller-";

  private SocketPolling() {}

  /**
   * Returns the wait of a thread for a socket of which one of the others may have to tell. Which of
   * them has the socket is not known; each needs a carrier.
   */
  static Optional<WaitEdge> edge(SeenThread waiter, List<SeenThread> others) {
    if (!waiter.readsSocket()) {
      return Optional.empty();
    }
    return others.stream()
        .filter(SocketPolling::isPoller)
        .findFirst()
        .map(
            poller ->
                new WaitEdge(
                    waiter,
                    LockRef.anyOf(""),
                    WaitEdge.How.POLLER,
                    poller,
                    Optional.empty(),
                    false));
  }

  /** Returns whether the wait itself, and not a caller of the code that waits, is for a socket. */
  static boolean polls(SeenThread waiter) {
    return waiter.frames().stream()
        .takeWhile(frame -> frame.type().isJdk())
        .anyMatch(frame -> frame.is(POLLER, "poll"));
  }

  private static boolean isPoller(SeenThread thread) {
    List<Frame> frames = thread.frames();
    return thread.virtual()
        && thread.name().startsWith(NAME)
        && (frames.isEmpty()
            || frames.stream().anyMatch(frame -> frame.type().name().startsWith(POLLER)));
  }
}
