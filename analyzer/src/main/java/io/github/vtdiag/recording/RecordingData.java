package io.github.vtdiag.recording;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.pin.SourceFiles;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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

  /** Returns the names of the classes on the stacks of virtual threads, whatever these did. */
  public Set<String> classesOnStacks() {
    Set<String> names = new HashSet<>();
    // Equal frames of pins and events are one object.
    Set<Frame> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Stream.of(
            pins.looks().stream().map(PinTable.Look::stack),
            events.looks().stream().map(EventTable.Look::stack),
            waits.stacks().values().stream())
        .flatMap(stacks -> stacks)
        .flatMap(stack -> stack.frames().stream())
        .filter(seen::add)
        .forEach(frame -> names.add(frame.type().name()));
    return names;
  }
}
