package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.ResourceTable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The waits for the end of a server, which last as long as the program. */
public final class KnownServers {
  private static final String TABLE = "servers.tsv";

  private static final int CLASS = 1;
  private static final int METHODS = 2;
  private static final int RECEIVER = 3;
  private static final int ACCEPTORS = 4;
  private static final int CHANNEL = 5;
  private static final int INTERFACE = 6;
  private static final int ADDRESS = 7;
  private static final int THREAD = 8;
  private static final int FROM_ACCEPTOR = 9;
  private static final int REGISTER = 10;

  /**
   * A wait for the end of a server.
   *
   * @param type the class whose methods wait
   * @param methods the methods that wait
   * @param receiver the method on whose result these are called; empty if on any object
   * @param acceptors the beginnings of the classes that accept connections
   * @param channel shows which channel a thread waits for
   * @param fromAcceptor the fields that lead from the task of a thread that accepts to the object
   *     that a thread waits for; none if nothing shows which server that is
   * @param register the library's own list of its servers
   */
  public record Server(
      String type,
      Set<String> methods,
      String receiver,
      Set<String> acceptors,
      Optional<Channel> channel,
      List<List<String>> fromAcceptor,
      Optional<Register> register) {
    private boolean waitsIn(Frame frame) {
      return frame.type().name().equals(type) && methods.contains(frame.method());
    }

    /** Returns whether this is a class that accepts connections. */
    public boolean accepts(Frame frame) {
      return acceptors.stream().anyMatch(frame.type().name()::startsWith);
    }
  }

  /**
   * The fields of a library's channel.
   *
   * @param there leads from the object that a thread waits for to the channel
   * @param back leads from the channel to its end; another object is no wait for that
   * @param type the interface of channels that accept connections
   * @param addresses lead from the channel to its address, or to the JDK's channel
   * @param thread leads from the channel to the thread that accepts
   */
  public record Channel(
      String there, String back, String type, List<String> addresses, List<String> thread) {}

  /**
   * A library's own list of its servers.
   *
   * @param type the class that has it
   * @param servers leads from a static field of that class to the map with the servers
   * @param object the field of a server with the object that threads wait for
   * @param started the field that tells that it has started
   * @param ended the field that tells that it was shut down
   * @param channels leads from a server to the map with its Netty channels
   * @param addresses lead from such a channel to its address, or to the JDK's channel
   * @param thread leads from the channel to the thread that accepts
   */
  public record Register(
      String type,
      List<String> servers,
      String object,
      String started,
      String ended,
      List<String> channels,
      List<String> addresses,
      List<String> thread) {}

  /**
   * A thread that waits so.
   *
   * @param caller the method that called the one that waits; empty if it is not on the stack
   */
  public record Waiting(Server server, Optional<Frame> caller) {}

  private static final List<Server> SERVERS =
      ResourceTable.rows(KnownServers.class, TABLE)
          .map(line -> server(line.split("\t", -1)))
          .toList();

  private KnownServers() {}

  private static Server server(String[] cells) {
    return new Server(
        cells[CLASS],
        Set.of(cells[METHODS].split(" ", -1)),
        cells[RECEIVER],
        Set.copyOf(words(cells[ACCEPTORS], " ")),
        cells[CHANNEL].isEmpty() ? Optional.empty() : Optional.of(channel(cells)),
        words(cells[FROM_ACCEPTOR], " ").stream().map(KnownServers::fields).toList(),
        register(words(cells[REGISTER], " "), cells));
  }

  private static Optional<Register> register(List<String> words, String[] cells) {
    Iterator<String> next = words.iterator();
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Register(
                next.next(),
                fields(next.next()),
                next.next(),
                next.next(),
                next.next(),
                fields(next.next()),
                words(cells[ADDRESS], " "),
                fields(cells[THREAD])));
  }

  private static Channel channel(String[] cells) {
    List<String> fields = fields(cells[CHANNEL]);
    return new Channel(
        fields.getFirst(),
        fields.getLast(),
        cells[INTERFACE],
        words(cells[ADDRESS], " "),
        fields(cells[THREAD]));
  }

  private static List<String> fields(String path) {
    return words(path, "\\.");
  }

  private static List<String> words(String cell, String between) {
    return Stream.of(cell.split(between, -1)).filter(word -> !word.isEmpty()).toList();
  }

  /** Returns the fields of the channels of Netty. */
  public static Channel netty() {
    return SERVERS.stream().flatMap(server -> server.channel().stream()).findFirst().orElseThrow();
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
