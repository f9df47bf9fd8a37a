package io.github.vtdiag.recording;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.pin.SourceFiles;
import java.util.List;

/**
 * What one recording says about pinning.
 *
 * @param facts where it comes from and what it can and cannot tell
 * @param pins the pins
 * @param events what else it says of virtual threads
 * @param waits what the agent saw of threads that wait without a carrier
 * @param lockMaps the lock maps that vtdiag's agent put in
 * @param samples the monitors that the agent sampled
 */
public record RecordingData(
    RecordingFacts facts,
    PinTable pins,
    EventTable events,
    SeenWaits waits,
    List<ClassMonitors> lockMaps,
    List<MonitorSample> samples) {
  public RecordingData {
    lockMaps = List.copyOf(lockMaps);
    samples = List.copyOf(samples);
  }

  /** The same as an older JDK would tell it, which gives no reasons: for what is tried out. */
  public RecordingData asOn(int jdk) {
    return new RecordingData(
        facts.asOn(jdk), pins.withoutReasons(), events, waits, lockMaps, samples);
  }

  /** The same with the source files of the classes on its stacks; its tables get them, too. */
  public RecordingData withSources(SourceFiles sources) {
    pins.replaceStacks(sources::named);
    events.replaceStacks(sources::named);
    return new RecordingData(
        facts, pins, events, waits.withStacks(sources::named), lockMaps, samples);
  }
}
