package io.github.vtdiag.agent.servers;

import io.github.vtdiag.agent.ends.AwaitedObjects;
import io.github.vtdiag.agent.threads.ReflectedField;
import io.github.vtdiag.waits.KnownServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tells from the object that a thread waits for whether it is the end of a server that accepts
 * connections. Another server of the same program, or the connection of a client, is none.
 */
final class AwaitedServers {
  private AwaitedServers() {}

  /**
   * Returns whether it is the end of a channel that accepts connections.
   *
   * @param object what a thread waits for
   * @param polled the ports for whose connections a selector waits
   * @param selects tells whether a thread waits for events
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  static boolean isChannel(
      KnownServers.Channel server, Object object, Set<Integer> polled, Predicate<Thread> selects) {
    Object channel = AwaitedObjects.value(object, server.there());
    return channel != null
        && AwaitedObjects.value(channel, server.back()) == object
        && isA(channel.getClass(), server.type())
        && accepts(channel, server.addresses(), server.thread(), polled, selects);
  }

  /**
   * Returns whether a channel accepts connections.
   *
   * @param addresses lead to its address, or to the JDK's channel
   * @param thread leads to the thread that accepts
   * @param polled the ports for whose connections a selector waits
   * @param selects tells whether a thread waits for events
   */
  static boolean accepts(
      Object channel,
      List<String> addresses,
      List<String> thread,
      Set<Integer> polled,
      Predicate<Thread> selects) {
    return port(channel, addresses).stream().anyMatch(polled::contains)
        && at(channel, thread) instanceof Thread selecting
        && selects.test(selecting);
  }

  /**
   * Returns whether it is the end of a server that runs, according to the library's own list. One
   * with channels has to accept at each of them.
   *
   * @param type the class that has the list
   * @param object what a thread waits for
   * @param polled the ports for whose connections a selector waits
   * @param selects tells whether a thread waits for events
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  static boolean isRegistered(
      KnownServers.Register register,
      Class<?> type,
      Object object,
      Set<Integer> polled,
      Predicate<Thread> selects) {
    List<String> path = register.servers();
    Object list =
        at(ReflectedField.of(type, path.getFirst()).ofClass(), path.subList(1, path.size()));
    return list instanceof Map<?, ?> servers
        && servers.values().stream()
            .filter(server -> AwaitedObjects.value(server, register.object()) == object)
            .anyMatch(
                server ->
                    Boolean.TRUE.equals(AwaitedObjects.value(server, register.started()))
                        && !Boolean.TRUE.equals(AwaitedObjects.value(server, register.ended()))
                        && acceptsAtAll(server, register, polled, selects));
  }

  private static boolean acceptsAtAll(
      Object server,
      KnownServers.Register register,
      Set<Integer> polled,
      Predicate<Thread> selects) {
    return !(at(server, register.channels()) instanceof Map<?, ?> channels)
        || (!channels.isEmpty()
            && channels.values().stream()
                .allMatch(
                    channel ->
                        accepts(
                            channel, register.addresses(), register.thread(), polled, selects)));
  }

  /**
   * Returns whether one of these refers to what a thread waits for.
   *
   * @param tasks those of the threads that accept
   * @param fields lead there, each in another version of the server
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  static boolean accept(Collection<Object> tasks, List<List<String>> fields, Object object) {
    return tasks.stream()
        .anyMatch(task -> fields.stream().anyMatch(path -> at(task, path) == object));
  }

  /** Returns the object to which fields lead; null if there is none. */
  static Object at(Object from, List<String> path) {
    Object object = from;
    for (String field : path) {
      object = AwaitedObjects.value(object, field);
    }
    return object;
  }

  /** Returns whether it is a class or interface of that name, or a part of one. */
  static boolean isA(Class<?> type, String name) {
    return type != null
        && (type.getName().equals(name)
            || isA(type.getSuperclass(), name)
            || Stream.of(type.getInterfaces()).anyMatch(each -> isA(each, name)));
  }

  private static OptionalInt port(Object channel, List<String> fields) {
    return fields.stream()
        .map(field -> AwaitedObjects.value(channel, field))
        .map(AwaitedServers::port)
        .flatMapToInt(OptionalInt::stream)
        .findFirst();
  }

  private static OptionalInt port(Object address) {
    try {
      Object bound =
          address instanceof ServerSocketChannel socket ? socket.getLocalAddress() : address;
      return bound instanceof InetSocketAddress inet
          ? OptionalInt.of(inet.getPort())
          : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty(); // It was closed meanwhile.
    }
  }
}
