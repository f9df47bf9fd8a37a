package io.github.vtdiag.agent.threads;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownServers;
import io.github.vtdiag.waits.KnownWaits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Tells threads that wait for the end of a server from threads that stand still: while the server
 * accepts connections, they wait as they should. The JDK does not say for which server a thread
 * waits, so there has to be one that accepts for each thread.
 */
final class ServerEnds {
  /** The number of virtual threads whose stacks are taken. */
  private static final int MOST = 100;

  /** The end of the name of Netty's class that calls epoll itself. */
  private static final String EPOLL = ".epoll.Native";

  /** A wait at a place that was read before, for the end of a server or not. */
  private record Asked(Frame caller, KnownServers.Server server) {}

  private final LoopTargets code;
  private final Supplier<List<Thread>> platform;
  private final IntSupplier polled;
  private final Map<KnownServers.Server, Seldom<Integer>> accepting = new HashMap<>();
  private final Map<Asked, Boolean> onResult = new HashMap<>();

  /**
   * @param platform returns the platform threads
   * @param polled returns the number of ports for whose connections a selector waits
   */
  ServerEnds(LoopTargets code, Supplier<List<Thread>> platform, IntSupplier polled) {
    this.code = code;
    this.platform = platform;
    this.polled = polled;
  }

  static ServerEnds ofThisJvm(LoopTargets code) {
    return new ServerEnds(
        code,
        ThreadSnapshots::platformThreads,
        () -> OwnConnections.look().map(all -> all.polled().size()).orElse(0));
  }

  /**
   * Returns whether these threads wait for the end of a server that accepts connections, or for
   * themselves.
   *
   * @param virtual calls back for each virtual thread
   */
  boolean end(WaitGroup group, Consumer<Consumer<Thread>> virtual) {
    Optional<KnownServers.Server> server =
        KnownServers.awaited(ThreadReader.frames(group.stack()))
            .filter(this::isFor)
            .map(KnownServers.Waiting::server);
    return server.isPresent()
        && (server.get().acceptors().isEmpty()
            || group.threads()
                <= accepting
                    .computeIfAbsent(
                        server.get(), same -> new Seldom<>(() -> accepting(same, virtual)))
                    .get());
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

  /** Returns how many threads, or ports of selectors, accept connections for such a server. */
  private int accepting(KnownServers.Server server, Consumer<Consumer<Thread>> virtual) {
    List<Thread> all = new ArrayList<>();
    virtual.accept(
        thread -> {
          if (all.size() < MOST) {
            all.add(thread);
          }
        });
    all.addAll(platform.get());
    int blocked = 0;
    boolean selects = false;
    for (Thread thread : all) {
      List<Frame> frames = ThreadReader.frames(List.of(thread.getStackTrace()));
      if (frames.stream().anyMatch(server::accepts)) {
        blocked += accepts(frames) ? 1 : 0;
        selects |= selects(frames);
      }
    }
    return blocked == 0 && selects ? polled.getAsInt() : blocked;
  }

  private static boolean accepts(List<Frame> frames) {
    return frames.stream()
        .anyMatch(
            frame ->
                frame.type().isJdk()
                    && frame.method().equals("accept")
                    && frame.type().name().contains("ServerSocket"));
  }

  private static boolean selects(List<Frame> frames) {
    return KnownWaits.of(new StackTrace(frames, false), Thread.State.RUNNABLE)
            .is(Awaited.Trait.SELECTOR)
        || frames.stream().anyMatch(frame -> frame.type().name().endsWith(EPOLL));
  }
}
