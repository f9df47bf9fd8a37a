package io.github.vtdiag.agent.threads;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Waits of virtual threads for the end of platform threads. The JDK does not tell which one is
 * joined. If each platform thread of the application serves something or runs, the joined one does.
 */
final class PlatformJoins {
  /** Stacks of platform threads are taken seldom: there may be many. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int MOST = 500;

  private static final String AGENT = "io.github.vtdiag.agent.";

  private long atNanos;
  private boolean looked;
  private boolean serves;

  /** Returns whether threads with this stack join a platform thread that serves something. */
  boolean isOfServing(List<StackTraceElement> stack) {
    if (stack.stream().noneMatch(PlatformJoins::isJoin)
        || stack.stream().noneMatch(PlatformJoins::isObjectWait)) {
      return false;
    }
    long now = System.nanoTime();
    if (!looked || now - atNanos >= PERIOD_NANOS) {
      List<Thread> platform = ThreadSnapshots.platformThreads();
      serves = platform.size() <= MOST && platform.stream().noneMatch(PlatformJoins::mayStandStill);
      atNanos = now;
      looked = true;
    }
    return serves;
  }

  private static boolean isJoin(StackTraceElement frame) {
    return frame.getClassName().equals("java.lang.Thread") && frame.getMethodName().equals("join");
  }

  private static boolean isObjectWait(StackTraceElement frame) {
    return frame.getClassName().equals("java.lang.Object")
        && frame.getMethodName().startsWith("wait");
  }

  private static boolean mayStandStill(Thread thread) {
    Thread.State state = thread.getState();
    List<Frame> frames = ThreadReader.frames(List.of(thread.getStackTrace()));
    List<Frame> written = frames.stream().filter(frame -> frame.type().isWritten()).toList();
    // The JDK's own threads, such as carriers, and the agent's.
    if (written.isEmpty() || written.getFirst().type().name().startsWith(AGENT)) {
      return false;
    }
    Awaited awaited = KnownWaits.of(new StackTrace(frames, false), state);
    return switch (awaited.kind()) {
      case IDLE -> awaited.isQueue();
      case SLEEP -> false;
      case UNKNOWN ->
          state != Thread.State.RUNNABLE || frames.getFirst().kind() == Frame.Kind.NATIVE;
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, SIGNAL, FUTURE, ANSWER, DATA -> true;
    };
  }
}
