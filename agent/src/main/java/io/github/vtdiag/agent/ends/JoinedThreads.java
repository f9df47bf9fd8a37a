package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.util.List;
import java.util.function.Supplier;

/**
 * The platform threads that a virtual thread may have joined. The JDK does not say which one, so
 * only what holds for all of them is known.
 */
public final class JoinedThreads {
  /** The agent's own threads wait, too. */
  private static final String AGENT = "io.github.vtdiag.";

  private final Seldom<Boolean> serve;

  public JoinedThreads() {
    this(ThreadSnapshots::platformThreads);
  }

  /**
   * @param platform returns the platform threads
   */
  public JoinedThreads(Supplier<List<Thread>> platform) {
    this.serve = new Seldom<>(() -> look(platform.get()));
  }

  /** Returns whether this stack is that of a thread that joins a platform thread. */
  public static boolean isJoin(List<StackTraceElement> stack) {
    return stack.stream()
            .anyMatch(
                frame ->
                    frame.getClassName().equals("java.lang.Thread")
                        && frame.getMethodName().equals("join"))
        && stack.stream().anyMatch(frame -> frame.getClassName().equals("java.lang.Object"));
  }

  /**
   * Returns whether all platform threads with code of the application run, sleep, or wait for
   * something from outside: whichever is joined goes on. The thread that ends the program is not
   * asked: it waits for the shutdown hooks.
   */
  public boolean serve() {
    return serve.get();
  }

  private static boolean look(List<Thread> platform) {
    boolean any = false;
    for (Thread thread : platform) {
      Thread.State state = thread.getState();
      List<Frame> frames = ThreadReader.frames(List.of(thread.getStackTrace()));
      if (frames.stream().anyMatch(JoinedThreads::isOfApplication)
          && frames.stream().noneMatch(JoinedThreads::endsProgram)) {
        if (!serves(frames, state)) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  private static boolean isOfApplication(Frame frame) {
    return frame.type().isWritten() && !frame.type().name().startsWith(AGENT);
  }

  private static boolean endsProgram(Frame frame) {
    return frame.type().name().equals("java.lang.Shutdown");
  }

  private static boolean serves(List<Frame> frames, Thread.State state) {
    if (state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED) {
      return state == Thread.State.RUNNABLE;
    }
    Awaited awaited = KnownWaits.of(new StackTrace(frames, false), state);
    return switch (awaited.kind().endedBy()) {
      case DATA, TIME -> true;
      case WORK -> !awaited.isQueue() && !awaited.is(Awaited.Trait.POOL_WORK);
      case OTHER_THREAD, SIGNAL, ANSWER, UNKNOWN -> false;
    };
  }
}
