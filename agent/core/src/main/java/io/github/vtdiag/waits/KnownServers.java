package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The waits for the end of a server, which last as long as the program. */
public final class KnownServers {
  private static final String TABLE = "servers.tsv";

  private static final int CLASS = 1;
  private static final int METHODS = 2;
  private static final int RECEIVER = 3;
  private static final int ACCEPTORS = 4;

  /**
   * A wait for the end of a server.
   *
   * @param type the class whose methods wait
   * @param methods the methods that wait
   * @param receiver the method on whose result these are called; empty if on any object
   * @param acceptors the beginnings of the classes that accept connections; none if the thread
   *     waits for itself
   */
  public record Server(String type, Set<String> methods, String receiver, Set<String> acceptors) {
    private boolean waitsIn(Frame frame) {
      return frame.type().name().equals(type) && methods.contains(frame.method());
    }

    /** Returns whether this is a class that accepts connections. */
    public boolean accepts(Frame frame) {
      return acceptors.stream().anyMatch(frame.type().name()::startsWith);
    }
  }

  /**
   * A thread that waits so.
   *
   * @param caller the method that called the one that waits; empty if it is not on the stack
   */
  public record Waiting(Server server, Optional<Frame> caller) {}

  private static final List<Server> SERVERS =
      WaitTable.rows(TABLE).map(line -> server(line.split("\t", -1))).toList();

  private KnownServers() {}

  private static Server server(String[] cells) {
    return new Server(
        cells[CLASS],
        Set.of(cells[METHODS].split(" ", -1)),
        cells[RECEIVER],
        cells[ACCEPTORS].isEmpty() ? Set.of() : Set.of(cells[ACCEPTORS].split(" ", -1)));
  }

  /** Returns the server for whose end a thread with this stack waits; empty if for none. */
  public static Optional<Waiting> awaited(List<Frame> frames) {
    return SERVERS.stream()
        .flatMap(
            server ->
                IntStream.iterate(frames.size() - 1, i -> i >= 0, i -> i - 1)
                    .filter(i -> server.waitsIn(frames.get(i)))
                    .limit(1)
                    .mapToObj(i -> new Waiting(server, frames.stream().skip(i + 1L).findFirst())))
        .findFirst();
  }
}
