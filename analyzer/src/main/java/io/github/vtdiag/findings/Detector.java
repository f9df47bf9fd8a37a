package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventSelection;
import io.github.vtdiag.recording.EventSelection.Detail;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds waits or misuses of some kinds in a recording.
 *
 * @param events the events that it needs; no others are read
 * @param find finds them, in any order
 */
record Detector(EventSelection events, Function<DetectorInput, List<? extends Behavior>> find) {
  /** The selection of a detector that reads only the agent's snapshots. */
  static final EventSelection NO_EVENTS = (event, frames) -> Detail.NONE;

  /** Selects every event of these kinds. */
  static EventSelection all(ThreadEvent... kinds) {
    Set<ThreadEvent> wanted = Set.copyOf(Arrays.asList(kinds));
    return (event, frames) -> wanted.contains(event) ? Detail.ROWS : Detail.NONE;
  }
}
