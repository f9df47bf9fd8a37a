package io.github.vtdiag.pin;

import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * The amount of work that the program completed since the agent's previous event.
 *
 * @param method the method that returned, as the agent's option names it; empty for threads that
 *     were created
 * @param count the number of returns, or of threads
 */
public record WorkDone(long startNanos, String method, long count) {
  /** The event, about once a second. */
  public static final String EVENT = "vtdiag.Work";

  /** Reads it. */
  public static WorkDone of(EventValues event) {
    return new WorkDone(
        event.startNanos(), event.text("method"), Math.max(0, event.number("count")));
  }

  /** Returns the total of the work at the wanted times, by method. */
  public static Map<String, Long> in(List<WorkDone> all, LongPredicate isWanted) {
    return all.stream()
        .filter(done -> isWanted.test(done.startNanos))
        .collect(Collectors.toMap(WorkDone::method, WorkDone::count, Long::sum));
  }
}
