package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.threads.ThreadSnapshots;
import java.util.List;
import java.util.Map;

/** Finds the threads of schedulers and timers that wait for their next task. */
final class IdleTimers {
  /** The queue from which the threads of a scheduler take. */
  private static final String SCHEDULED =
      "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue";

  /** The end of the name of the loop of Netty's timer, which others relocate. */
  private static final String WHEEL = "io.netty.util.HashedWheelTimer$Worker";

  private IdleTimers() {}

  /**
   * Returns whether a thread is one of them, as far as is known.
   *
   * @param followed the virtual threads that are followed
   */
  static boolean has(long id, Map<Thread, FollowedThread> followed) {
    return followed.entrySet().stream()
        .filter(each -> each.getKey().threadId() == id)
        .findFirst()
        .map(each -> !each.getValue().moved && takesTasks(each.getValue().stack))
        .orElseGet(
            () ->
                ThreadSnapshots.platformThreads().stream()
                    .filter(thread -> thread.threadId() == id)
                    .anyMatch(thread -> takesTasks(List.of(thread.getStackTrace()))));
  }

  private static boolean takesTasks(List<StackTraceElement> stack) {
    return stack.stream()
        .anyMatch(
            frame ->
                frame.getClassName().equals(SCHEDULED)
                    || (frame.getClassName().endsWith(WHEEL)
                        && frame.getMethodName().equals("waitForNextTick")));
  }
}
