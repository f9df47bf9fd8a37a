package vtdiag.compare;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Grouping;
import vtdiag.analysis.Recorded;
import vtdiag.model.DataException;
import vtdiag.pin.Attributor;
import vtdiag.program.ClassPathBytes;
import vtdiag.program.JdkClasses;
import vtdiag.program.KnownClasses;
import vtdiag.recording.Input;
import vtdiag.recording.RecordingData;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.Recordings;
import vtdiag.recording.TimeRange;

/** Reads from the recording of a run what held carriers in the measured time. */
final class RecordedPins {
  private RecordedPins() {}

  static Findings read(Path recording, Instant from, Instant to) throws DataException {
    TimeRange measured =
        new TimeRange(
            Optional.of(new TimeRange.At(TimeRange.nanosOf(from))),
            Optional.of(new TimeRange.At(TimeRange.nanosOf(to))));
    List<Recorded> recorded = new ArrayList<>();
    try (ClassPathBytes none = ClassPathBytes.open(List.of(), Runtime.version().feature())) {
      for (RecordingData data :
          new Recordings(measured, note -> {}, count -> {})
              .read(new Input(recording.toString(), List.of(recording)))) {
        RecordingFacts facts = data.facts();
        // The lock maps of the loaded classes are in the recording: the agent put them there.
        KnownClasses classes =
            new KnownClasses(data.lockMaps(), none, JdkClasses.ifRunning(facts.jdkVersion()));
        Attributor attributor = Attributor.ofRecording(facts.jdk(), classes);
        recorded.add(new Recorded(data, attributor::attribute, classes::owner));
      }
    }
    return Grouping.of(recorded);
  }
}
