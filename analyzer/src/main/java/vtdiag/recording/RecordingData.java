package vtdiag.recording;

import java.util.List;
import vtdiag.model.ClassMonitors;
import vtdiag.model.MonitorSample;
import vtdiag.model.PinEpisode;

/**
 * What one recording says about pinning.
 *
 * @param facts where it comes from and what it can and cannot tell
 * @param episodes the pins, in the order of their start; equal stacks are one object
 * @param lockMaps the lock maps that vtdiag's agent put in
 * @param samples the monitors that the agent sampled
 */
public record RecordingData(
    RecordingFacts facts,
    List<PinEpisode> episodes,
    List<ClassMonitors> lockMaps,
    List<MonitorSample> samples) {
  public RecordingData {
    episodes = List.copyOf(episodes);
    lockMaps = List.copyOf(lockMaps);
    samples = List.copyOf(samples);
  }
}
