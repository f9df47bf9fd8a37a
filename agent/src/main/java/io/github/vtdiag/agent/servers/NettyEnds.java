package io.github.vtdiag.agent.servers;

import io.github.vtdiag.agent.ends.AwaitedObjects;
import io.github.vtdiag.agent.ends.Seldom;
import io.github.vtdiag.agent.threads.Later;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.waits.KnownServers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tells the ends of the servers on Netty that accept connections, where a library has its own way
 * to wait for one. Such a channel refers to them: by what is called when it is closed, or by the
 * library's objects that handle its connections. So another server does not count, nor does an
 * event loop of a client that waits in a handler.
 */
final class NettyEnds {
  private static final String NETTY = "io.netty.";

  /** The number of names that the packages of one library have in common. */
  private static final int NAMES = 3;

  /** The time after which threads may have come to wait for a server. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final KnownServers.Channel netty;
  private final Supplier<List<Thread>> platform;
  private final Function<Thread, Object> task;
  private final Supplier<Set<Integer>> polled;
  private final Predicate<Thread> selects;
  private final Later<AwaitedObjects> objects = new Later<>(AwaitedObjects::new);
  private final BlockedEventLoops blockedLoops = new BlockedEventLoops();

  /** The channels that accept and whose event loops serve; empty if they are not known. */
  private final Seldom<Optional<List<Object>>> channels =
      new Seldom<>(() -> look(System.nanoTime()));

  /** The objects that end with each kind of server. */
  private final Map<KnownServers.Server, Seldom<Collection<Object>>> found = new HashMap<>();

  /**
   * @param netty the fields of a channel
   * @param platform returns the platform threads
   * @param task returns the task of a platform thread; null if it has none
   * @param polled returns the ports for whose connections a selector waits
   * @param selects tells whether a thread waits for events
   */
  NettyEnds(
      KnownServers.Channel netty,
      Supplier<List<Thread>> platform,
      Function<Thread, Object> task,
      Supplier<Set<Integer>> polled,
      Predicate<Thread> selects) {
    this.netty = netty;
    this.platform = platform;
    this.task = task;
    this.polled = polled;
    this.selects = selects;
  }

  /** Returns whether these servers run on Netty, and nothing else shows which one that is. */
  static boolean areOf(KnownServers.Server server) {
    return server.acceptors().contains(NETTY)
        && server.channel().isEmpty()
        && server.register().isEmpty();
  }

  /**
   * Returns the objects for which threads wait until such a server ends, in a set by identity;
   * empty if the channels of an event loop are not known.
   */
  Optional<Collection<Object>> ends(KnownServers.Server server) {
    if (channels.get().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        found
            .computeIfAbsent(
                server,
                same ->
                    new Seldom<>(PERIOD_NANOS, () -> ends(channels.get().orElse(List.of()), same)))
            .get());
  }

  private Collection<Object> ends(List<Object> channels, KnownServers.Server server) {
    List<Object> listeners = new ArrayList<>();
    List<Object> handlers = new ArrayList<>();
    for (Object channel : channels) {
      listeners.addAll(NettyChannels.closeListeners(channel));
      handlers.addAll(NettyChannels.handlers(channel));
    }
    Set<Object> ends = objects.get().from(listeners, type -> KnownLibraries.has(type.getName()));
    if (server.receiver().isEmpty()) { // It is the server's own method that waits.
      String library = library(server.type());
      ends.addAll(objects.get().from(handlers, type -> type.getName().startsWith(library)));
    }
    return ends;
  }

  private static String library(String type) {
    int end = 0;
    for (int i = 0; i < NAMES && end >= 0; i++) {
      end = type.indexOf('.', end) + 1;
    }
    return type.substring(0, end);
  }

  /**
   * Looks for the channels.
   *
   * @param now the time
   */
  Optional<List<Object>> look(long now) {
    List<Object> listening = new ArrayList<>();
    List<Thread> threads = platform.get();
    Set<Thread> blocked = new HashSet<>(blockedLoops.among(threads, now));
    boolean any = false;
    for (Thread thread : threads) {
      if (BlockedEventLoops.isLoop(List.of(thread.getStackTrace()))) {
        Optional<List<Object>> channels = NettyChannels.of(task.apply(thread), netty.type());
        if (channels.isEmpty()) {
          return Optional.empty();
        }
        any = true;
        listening.addAll(channels.get());
      }
    }
    return any
        ? Optional.of(
            listening.stream()
                .filter(
                    channel ->
                        AwaitedServers.accepts(
                            channel, netty.addresses(), netty.thread(), polled.get(), selects))
                .filter(channel -> isServed(channel, blocked))
                .toList())
        : Optional.empty();
  }

  /** Returns whether none of the event loops that serve its connections waits in a handler. */
  private static boolean isServed(Object channel, Set<Thread> blocked) {
    Set<Thread> serving = NettyChannels.threads(channel);
    return blocked.isEmpty()
        || (!serving.isEmpty() && serving.stream().noneMatch(blocked::contains));
  }
}
