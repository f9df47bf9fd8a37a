package io.github.vtdiag.agent.ends;

import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Finds threads that a limiter of rates lets wait for much longer than a request may take. They
 * sleep or park until a time that the JDK knows. A job that sleeps until tomorrow does so, too, but
 * asks nobody for a permit.
 */
public final class Limiters {
  /** The shortest time until such a wait ends by itself; shorter ones are only slow. */
  private static final long FAR_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The number of frames of the application and of libraries among which the limiter is. */
  private static final int FRAMES = 4;

  /** The parts of the names of classes that limit how often others do something. */
  private static final List<String> NAMES = List.of("limiter", "throttl", "bucket");

  private final Timeouts timeouts;

  public Limiters(Timeouts timeouts) {
    this.timeouts = timeouts;
  }

  /**
   * Returns in how many nanoseconds the first of these threads goes on; empty if no limiter lets
   * them wait, the time is not known or they go on soon.
   */
  public OptionalLong end(WaitGroup group) {
    if (group.state() != Thread.State.TIMED_WAITING
        || group.members().isEmpty()
        || !isLimited(LoopTargets.written(group.stack()))) {
      return OptionalLong.empty();
    }
    long first = Long.MAX_VALUE;
    for (Thread thread : group.members()) {
      OptionalLong end = timeouts.left(thread, group.longestNanos());
      if (end.isEmpty() || end.getAsLong() < FAR_NANOS) {
        return OptionalLong.empty();
      }
      first = Math.min(first, end.getAsLong());
    }
    return OptionalLong.of(first);
  }

  /** Returns whether a limiter is among the inner frames, and another class called it. */
  private static boolean isLimited(List<Frame> written) {
    return written.stream().limit(FRAMES).anyMatch(Limiters::isOfLimiter)
        && !isOfLimiter(written.getLast());
  }

  private static boolean isOfLimiter(Frame frame) {
    String name = frame.type().name();
    String simple =
        name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1)
            .toLowerCase(Locale.ROOT);
    return NAMES.stream().anyMatch(simple::contains);
  }
}
