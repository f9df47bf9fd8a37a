package io.github.vtdiag.recording;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.pin.ThreadEvent;
import java.util.List;

/**
 * Says what is read of events besides pins. A recording can have tens of millions of them, on a few
 * thousand stacks: this is asked once for each kind of event on each stack, by several threads at a
 * time.
 */
@FunctionalInterface
public interface EventSelection {
  /** What is read of events of one kind on one stack. */
  enum Detail {
    /** Nothing: they are passed over. */
    NONE,
    /** How many there are, and what their numbers add up to. */
    TOTALS,
    /** Each has a row in the {@link EventTable}. */
    ROWS
  }

  /** Each event has a row. */
  EventSelection ALL = (event, frames) -> Detail.ROWS;

  /**
   * What is read of events of this kind on this stack.
   *
   * @param frames innermost first
   */
  Detail detail(ThreadEvent event, List<Frame> frames);
}
