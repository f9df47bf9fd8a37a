package io.github.vtdiag.recording;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.pin.ThreadEvent;
import java.util.List;

/**
 * Selects the details that are read of events besides pins. A recording can have tens of millions
 * of them, on a few thousand stacks. So the selection is requested once for each kind of event on
 * each stack, by several threads at a time.
 */
@FunctionalInterface
public interface EventSelection {
  /** The details that are read of events of one kind on one stack. */
  enum Detail {
    /** Nothing: they are skipped. */
    NONE,
    /** Their count, and the sum of their numbers. */
    TOTALS,
    /** A row in the {@link EventTable} for each. */
    ROWS
  }

  /** The selection with a row for each event. */
  EventSelection ALL = (event, frames) -> Detail.ROWS;

  /**
   * Returns the details that are read of events of this kind on this stack.
   *
   * @param frames innermost first
   */
  Detail detail(ThreadEvent event, List<Frame> frames);
}
