package io.github.vtdiag.agent.servers;

import io.github.vtdiag.agent.ends.AwaitedObjects;
import java.lang.reflect.Modifier;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Netty's channels that accept connections, found by the tasks of its event loops. From such a
 * channel its own references lead to the server, and to those that wait for its end.
 */
final class NettyChannels {
  private static final String GROUP = "EventLoopGroup";

  /** The number of handlers of a channel that are visited. */
  private static final int HANDLERS = 50;

  /** The number of groups in a group; a library may wrap one. */
  private static final int WRAPPED = 3;

  private NettyChannels() {}

  /**
   * Returns the channels of an event loop that accept connections; empty if the loop is of another
   * kind, so that its channels are not known.
   *
   * @param task that of the thread that runs the loop
   * @param type the interface of the channels that accept
   */
  static Optional<List<Object>> of(Object task, String type) {
    Object loop = AwaitedServers.at(task, List.of("runnable", "val$eventExecutor"));
    return channels(loop)
        .map(
            all ->
                all.filter(
                        channel -> channel != null && AwaitedServers.isA(channel.getClass(), type))
                    .toList());
  }

  private static Optional<Stream<Object>> channels(Object loop) {
    if (AwaitedObjects.value(loop, "unwrappedSelector") instanceof Selector selector) {
      return selector.isOpen()
          ? Optional.of(selector.keys().stream().map(SelectionKey::attachment))
          : Optional.empty();
    }
    return AwaitedServers.at(loop, List.of("channels", "values")) instanceof Object[] values
        ? Optional.of(Stream.of(values))
        : Optional.empty();
  }

  /** Returns what is called when the channel is closed. */
  static List<Object> closeListeners(Object channel) {
    List<Object> all = new ArrayList<>();
    Object close = AwaitedObjects.value(channel, "closeFuture");
    add(all, AwaitedObjects.value(close, "listener"));
    Object more = AwaitedObjects.value(close, "listeners");
    add(all, more);
    if (AwaitedObjects.value(more, "listeners") instanceof Object[] listeners) {
      Stream.of(listeners).forEach(each -> add(all, each));
    }
    return all;
  }

  /** Returns the handlers of a channel that accepts, and those that it gives to connections. */
  static List<Object> handlers(Object channel) {
    List<Object> all = new ArrayList<>();
    Object context = AwaitedServers.at(channel, List.of("pipeline", "head"));
    for (int i = 0; context != null && i < HANDLERS; i++) {
      Object handler = AwaitedObjects.value(context, "handler");
      add(all, handler);
      add(all, AwaitedObjects.value(handler, "childHandler"));
      context = AwaitedObjects.value(context, "next");
    }
    return all;
  }

  /**
   * Returns the threads that accept and serve the connections of a channel; empty if they are not
   * known.
   */
  static Set<Thread> threads(Object channel) {
    Set<Thread> all = new HashSet<>();
    if (AwaitedServers.at(channel, List.of("eventLoop", "thread")) instanceof Thread accepting) {
      all.add(accepting);
    }
    boolean known = false;
    for (Object handler : handlers(channel)) {
      known |= addThreads(AwaitedObjects.value(handler, "childGroup"), all, WRAPPED);
    }
    return known ? all : Set.of();
  }

  private static boolean addThreads(Object group, Set<Thread> all, int depth) {
    Object children = AwaitedObjects.value(group, "children");
    if (children instanceof Object[] loops) {
      for (Object loop : loops) {
        if (AwaitedObjects.value(loop, "thread") instanceof Thread thread) {
          all.add(thread);
        }
      }
      return true;
    }
    boolean known = false;
    for (Object inner : depth == 0 || group == null ? List.of() : fields(group)) {
      if (inner.getClass().getSimpleName().endsWith(GROUP)) {
        known |= addThreads(inner, all, depth - 1);
      }
    }
    return known;
  }

  private static List<Object> fields(Object object) {
    List<Object> all = new ArrayList<>();
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      Stream.of(type.getDeclaredFields())
          .filter(field -> !field.getType().isPrimitive())
          .filter(field -> !Modifier.isStatic(field.getModifiers()))
          .forEach(field -> add(all, AwaitedObjects.value(object, field.getName())));
    }
    return all;
  }

  private static void add(List<Object> all, Object object) {
    if (object != null) {
      all.add(object);
    }
  }
}
