package io.github.vtdiag.agent.servers;

import io.github.vtdiag.agent.ends.AwaitedObjects;
import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.OwnConnections;
import io.github.vtdiag.agent.ends.Seldom;
import io.github.vtdiag.agent.ends.WaitGroup;
import io.github.vtdiag.agent.ends.WaitedObjects;
import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.Later;
import io.github.vtdiag.agent.threads.LoadedTypes;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownServers;
import io.github.vtdiag.waits.KnownWaits;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tells threads that wait for the end of a server from threads that stand still: while the server
 * accepts connections, they wait as they should. Where the object that a thread waits for does not
 * show which server that is, there has to be one that accepts for each thread.
 */
public final class ServerEnds {
  /** The number of virtual threads whose stacks are taken. */
  private static final int MOST = 100;

  /** The end of the name of Netty's class that calls epoll itself. */
  private static final String EPOLL = ".epoll.Native";

  /** The time for which a thread that waits for events may do something else. */
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A wait at a place that was read before, for the end of a server or not. */
  private record Asked(Frame caller, KnownServers.Server server) {}

  /**
   * The acceptors of a kind of server.
   *
   * @param tasks those of the threads that accept, or wait for events
   * @param servers how many threads, or ports of selectors, accept
   */
  private record Accepting(List<Object> tasks, int servers) {}

  private final LoopTargets code;
  private final Supplier<List<Thread>> platform;
  private final Seldom<Set<Integer>> polled;
  private final Function<Thread, Optional<Object>> waitedFor;
  private final Function<Thread, Object> task;
  private final Function<String, List<Class<?>>> classes;
  private final Map<KnownServers.Server, Seldom<Accepting>> accepting = new HashMap<>();
  private final Map<Asked, Boolean> onResult = new HashMap<>();

  private final NettyEnds netty;
  private final BlockedEventLoops blockedLoops = new BlockedEventLoops();

  /** The time at which each thread was last seen to wait for events. */
  private final Map<Thread, Long> selected = new WeakHashMap<>();

  /**
   * @param platform returns the platform threads
   * @param polled returns the ports for whose connections a selector waits
   * @param waitedFor returns what a virtual thread waits for
   * @param task returns the task of a platform thread; null if it has none
   * @param classes returns the loaded classes of that name
   */
  public ServerEnds(
      LoopTargets code,
      Supplier<List<Thread>> platform,
      Supplier<Set<Integer>> polled,
      Function<Thread, Optional<Object>> waitedFor,
      Function<Thread, Object> task,
      Function<String, List<Class<?>>> classes) {
    this.code = code;
    this.platform = platform;
    this.polled = new Seldom<>(polled);
    this.waitedFor = waitedFor;
    this.task = task;
    this.classes = classes;
    this.netty =
        new NettyEnds(KnownServers.netty(), platform, task, this.polled::get, this::selectsOfLate);
  }

  public static ServerEnds ofThisJvm(LoopTargets code, Instrumentation instrumentation) {
    Later<WaitedObjects> objects = new Later<>(() -> WaitedObjects.ofThisJvm(instrumentation));
    Later<AwaitedObjects> tasks = new Later<>(AwaitedObjects::new);
    LoadedTypes types = new LoadedTypes(instrumentation);
    Map<String, Seldom<Boolean>> searches = new HashMap<>();
    return new ServerEnds(
        code,
        ThreadSnapshots::platformThreads,
        () -> OwnConnections.look().map(OwnConnections::polled).orElse(Set.of()),
        thread -> objects.get().of(thread),
        thread -> tasks.get().task(thread),
        name -> {
          searches.computeIfAbsent(name, same -> new Seldom<>(() -> search(types, same))).get();
          return types.named(name);
        });
  }

  private static Boolean search(LoadedTypes types, String name) {
    types.find(Set.of(name));
    return true;
  }

  /**
   * Returns whether these threads wait for the end of a server that accepts connections.
   *
   * @param virtual calls back for each virtual thread
   */
  public boolean end(WaitGroup group, Consumer<Consumer<Thread>> virtual) {
    return KnownServers.awaited(ThreadReader.frames(group.stack()))
        .filter(waiting -> isForEnd(waiting, group, virtual))
        .isPresent();
  }

  private boolean isForEnd(
      KnownServers.Waiting waiting, WaitGroup group, Consumer<Consumer<Thread>> virtual) {
    KnownServers.Server server = waiting.server();
    Optional<Collection<Object>> ends =
        NettyEnds.areOf(server) && all(group, object -> true)
            ? netty.ends(server)
            : Optional.empty();
    return ends.map(objects -> all(group, objects::contains))
        .orElseGet(() -> isFor(waiting) && goesOn(server, group, virtual));
  }

  private boolean goesOn(
      KnownServers.Server server, WaitGroup group, Consumer<Consumer<Thread>> virtual) {
    if (server.channel().isPresent()) {
      return all(
          group,
          object ->
              AwaitedServers.isChannel(
                  server.channel().get(), object, polled.get(), this::selectsOfLate));
    }
    Optional<Boolean> registered = server.register().flatMap(list -> isRegistered(list, group));
    if (registered.isPresent()) {
      return registered.get();
    }
    Accepting found =
        accepting
            .computeIfAbsent(server, same -> new Seldom<>(() -> accepting(same, virtual)))
            .get();
    return server.fromAcceptor().isEmpty()
        ? group.threads() <= found.servers
        : found.servers > 0
            && all(
                group, object -> AwaitedServers.accept(found.tasks, server.fromAcceptor(), object));
  }

  /** Returns whether they wait for servers that run; empty if the objects are not known. */
  private Optional<Boolean> isRegistered(KnownServers.Register list, WaitGroup group) {
    List<Class<?>> types = classes.apply(list.type());
    return types.isEmpty() || !all(group, object -> true)
        ? Optional.empty()
        : Optional.of(
            all(
                group,
                object ->
                    types.stream()
                        .anyMatch(
                            type ->
                                AwaitedServers.isRegistered(
                                    list, type, object, polled.get(), this::selectsOfLate))));
  }

  /** Returns whether all threads are known, and wait for such an object. */
  private boolean all(WaitGroup group, Predicate<Object> isSuch) {
    return group.members().size() == group.threads()
        && group.threads() <= MOST
        && group.members().stream()
            .allMatch(thread -> waitedFor.apply(thread).filter(isSuch).isPresent());
  }

  /** Returns whether the call that waits is one for the end of the server. */
  private boolean isFor(KnownServers.Waiting waiting) {
    KnownServers.Server server = waiting.server();
    return server.receiver().isEmpty()
        || waiting
            .caller()
            .filter(
                caller ->
                    onResult.computeIfAbsent(new Asked(caller, server), this::isCalledOnResult))
            .isPresent();
  }

  private boolean isCalledOnResult(Asked asked) {
    Frame caller = asked.caller;
    KnownServers.Server server = asked.server;
    return BusyWaitSearch.of(caller, code.code(List.of(caller)))
        .anyMatch(
            sites ->
                sites.callsOnResult(
                    caller.method(), caller.line(), server.methods(), server.receiver()));
  }

  /** Returns what accepts connections for such a server. */
  private Accepting accepting(KnownServers.Server server, Consumer<Consumer<Thread>> virtual) {
    List<Thread> all = new ArrayList<>();
    virtual.accept(
        thread -> {
          if (all.size() < MOST) {
            all.add(thread);
          }
        });
    all.addAll(platform.get());
    if (!blockedLoops.among(all, System.nanoTime()).isEmpty()) {
      return new Accepting(List.of(), 0); // It may be the one of this server.
    }
    List<Thread> blocked = new ArrayList<>();
    List<Thread> selecting = new ArrayList<>();
    for (Thread thread : all) {
      List<Frame> frames = ThreadReader.frames(List.of(thread.getStackTrace()));
      if (frames.stream().anyMatch(server::accepts)) {
        if (accepts(frames)) {
          blocked.add(thread);
        }
        if (selects(frames)) {
          selecting.add(thread);
        }
      }
    }
    return !blocked.isEmpty() || selecting.isEmpty()
        ? new Accepting(tasks(blocked), blocked.size())
        : new Accepting(tasks(selecting), polled.get().size());
  }

  private List<Object> tasks(List<Thread> threads) {
    return threads.stream().map(task).filter(Objects::nonNull).toList();
  }

  private static boolean accepts(List<Frame> frames) {
    return frames.stream()
        .anyMatch(
            frame ->
                frame.type().isJdk()
                    && frame.method().equals("accept")
                    && frame.type().name().contains("ServerSocket"));
  }

  /** Returns whether a thread waits for events, or was seen to do so: a busy one comes back. */
  boolean selectsOfLate(Thread thread) {
    long now = System.nanoTime();
    if (selects(ThreadReader.frames(List.of(thread.getStackTrace())))) {
      selected.put(thread, now);
    }
    Long at = selected.get(thread);
    return at != null && now - at < BUSY_NANOS;
  }

  private static boolean selects(List<Frame> frames) {
    return KnownWaits.of(new StackTrace(frames, false), Thread.State.RUNNABLE)
            .is(Awaited.Trait.SELECTOR)
        || frames.stream().anyMatch(frame -> frame.type().name().endsWith(EPOLL));
  }
}
