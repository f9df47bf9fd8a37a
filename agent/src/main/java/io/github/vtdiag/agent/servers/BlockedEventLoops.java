package io.github.vtdiag.agent.servers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Netty's event loops that wait in a handler in place of their selector: no connection of theirs is
 * served meanwhile. Each one is looked at seldom.
 */
final class BlockedEventLoops {
  /** The time for which an event loop may wait in a handler. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String NETTY = "io.netty.";

  /** The ends of the names of the classes whose {@code run} is an event loop of connections. */
  private static final Set<String> LOOPS =
      Set.of(".NioEventLoop", ".EpollEventLoop", ".SingleThreadIoEventLoop");

  private record Blocked(List<StackTraceElement> stack, long sinceNanos) {}

  private Map<Thread, Blocked> blocked = new HashMap<>();

  /**
   * Returns those of these threads that are event loops and have waited at one place for long.
   *
   * @param now the time at which they are looked at
   */
  Set<Thread> among(List<Thread> threads, long now) {
    Map<Thread, Blocked> found = new HashMap<>();
    for (Thread thread : threads) {
      if (thread.getState() == Thread.State.WAITING) {
        List<StackTraceElement> stack = List.of(thread.getStackTrace());
        if (isLoop(stack)) {
          Blocked known = blocked.get(thread);
          boolean same = known != null && known.stack.equals(stack);
          found.put(thread, same ? known : new Blocked(stack, now));
        }
      }
    }
    blocked = found;
    return found.entrySet().stream()
        .filter(each -> now - each.getValue().sinceNanos >= LONG_NANOS)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Returns whether a thread with this stack is such an event loop. */
  static boolean isLoop(List<StackTraceElement> stack) {
    return stack.stream().anyMatch(BlockedEventLoops::isLoop);
  }

  private static boolean isLoop(StackTraceElement frame) {
    String type = frame.getClassName();
    return frame.getMethodName().equals("run")
        && type.contains(NETTY) // Others have it under a name of their own.
        && LOOPS.stream().anyMatch(type::endsWith);
  }
}
