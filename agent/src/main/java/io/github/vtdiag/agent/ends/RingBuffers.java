package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.Management;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Threads that loop until there is room in a ring of the Disruptor. One that gets a place and comes
 * back looks the same, so the threads that empty the rings decide: the handlers of their events.
 */
public final class RingBuffers {
  private static final String LIBRARY = "com.lmax.disruptor.";
  private static final String HANDLES = LIBRARY + "BatchEventProcessor";
  private static final String WAITS = "waitFor";

  /** A handler, its processor time, and when it was last seen to have used any. */
  private record Handler(long usedNanos, long sinceNanos) {}

  private final Management times = new Management();
  private Map<Thread, Handler> handlers = Map.of();

  /** Returns whether threads wait for room in a ring. */
  public static boolean isFor(List<StackTraceElement> stack) {
    return stack.stream()
        .anyMatch(
            frame ->
                frame.getMethodName().equals("next")
                    && frame.getClassName().startsWith(LIBRARY)
                    && frame.getClassName().endsWith("ProducerSequencer"));
  }

  /**
   * Returns how long all threads that handle an event have stood still; 0 if one goes on or none is
   * seen.
   *
   * @param groups the virtual threads that have waited for long
   */
  public long stood(List<WaitGroup> groups) {
    long now = System.nanoTime();
    Map<Thread, Handler> seen = new HashMap<>();
    for (Thread thread : ThreadSnapshots.platformThreads()) {
      if (handles(List.of(thread.getStackTrace()))) {
        // Without a figure a handler is taken for one that goes on.
        long used = times.of(thread).orElse(now);
        Handler before = handlers.get(thread);
        seen.put(
            thread, before != null && before.usedNanos == used ? before : new Handler(used, now));
      }
    }
    handlers = seen;
    long stood =
        seen.values().stream()
            .mapToLong(handler -> now - handler.sinceNanos)
            .min()
            .orElse(Long.MAX_VALUE);
    stood =
        Math.min(
            stood,
            groups.stream()
                .filter(group -> handles(group.stack()))
                .mapToLong(WaitGroup::longestNanos)
                .min()
                .orElse(Long.MAX_VALUE));
    return stood == Long.MAX_VALUE ? 0 : stood;
  }

  /** Returns whether a thread is in the handler of an event, rather than waiting for the next. */
  private static boolean handles(List<StackTraceElement> stack) {
    return stack.stream().anyMatch(frame -> frame.getClassName().equals(HANDLES))
        && stack.stream().noneMatch(frame -> frame.getMethodName().equals(WAITS));
  }
}
