package io.github.vtdiag.compare;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads the pins of the measured time from the recording of a run. */
final class RecordedPins {
  private RecordedPins() {}

  static Findings read(Path recording, Instant from, Instant to) throws DataException {
    TimeRange measured =
        new TimeRange(
            Optional.of(new TimeRange.At(TimeRange.nanosOf(from))),
            Optional.of(new TimeRange.At(TimeRange.nanosOf(to))));
    // The lock maps of the loaded classes are in the recording: the agent put them there.
    return new Pipeline(List.of(), Optional.empty())
        .findings(
            List.of(new Input(recording.toString(), List.of(recording))),
            measured,
            note -> {},
            count -> {});
  }
}
