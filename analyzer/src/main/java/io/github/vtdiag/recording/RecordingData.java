package io.github.vtdiag.recording;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.pin.SourceFiles;
import java.util.List;

/**
 * The content of one recording on pinning.
 *
 * @param facts its origin and its gaps
 * @param pins the pins
 * @param events the other events of virtual threads
 * @param waits the threads that the agent saw waiting without a carrier
 * @param lockMaps the lock maps that vtdiag's agent wrote
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

  /** Returns the same data as an older JDK would record it, without reasons, for experiments. */
  public RecordingData asOn(int jdk) {
    return new RecordingData(
        facts.asOn(jdk), pins.withoutReasons(), events, waits, lockMaps, samples);
  }

  /**
   * Returns the same with the source files of the classes on its stacks; its tables get them, too.
   */
  public RecordingData withSources(SourceFiles sources) {
    pins.replaceStacks(sources::named);
    events.replaceStacks(sources::named);
    return new RecordingData(
        facts, pins, events, waits.withStacks(sources::named), lockMaps, samples);
  }
}
