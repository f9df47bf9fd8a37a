package io.github.vtdiag.pin;

import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * What the program got done since the agent said so last.
 *
 * @param method the method that returned, as the agent's option names it; empty for threads that
 *     were created
 * @param count how often, or how many
 */
public record WorkDone(long startNanos, String method, long count) {
  /** The event, about once a second. */
  public static final String EVENT = "vtdiag.Work";

  /** Reads it. */
  public static WorkDone of(EventValues event) {
    return new WorkDone(
        event.startNanos(), event.text("method"), Math.max(0, event.number("count")));
  }

  /** All that was done at some times, by method. */
  public static Map<String, Long> in(List<WorkDone> all, LongPredicate isWanted) {
    return all.stream()
        .filter(done -> isWanted.test(done.startNanos))
        .collect(Collectors.toMap(WorkDone::method, WorkDone::count, Long::sum));
  }
}
