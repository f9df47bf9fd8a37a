package vtdiag.analysis;

import java.util.List;
import java.util.function.Function;
import vtdiag.model.Attribution;
import vtdiag.model.ClassRef;
import vtdiag.model.MonitorSample;
import vtdiag.model.PinEpisode;
import vtdiag.program.Owner;
import vtdiag.recording.RecordingData;

/**
 * A recording with the two questions about it that need more than the recording to answer.
 *
 * @param data what it says
 * @param attributor says what a pin was due to
 * @param owners says whose code a class is
 */
public record Recorded(RecordingData data, Attribute attributor, Function<ClassRef, Owner> owners) {

  /** Says what a pin was due to, given the monitors sampled during it. */
  @FunctionalInterface
  public interface Attribute {
    Attribution attribute(PinEpisode episode, List<MonitorSample> samples);
  }
}
