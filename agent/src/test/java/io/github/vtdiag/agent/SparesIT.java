package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.agent.programs.Spares;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Idle carriers that the scheduler of Java 21 does not use while others are pinned. */
class SparesIT {
  @TempDir Path folder;

  private Forked run(String options, String way) throws Exception {
    return Forked.java(
        Jdk.JAVA_21,
        folder,
        Forked.QUICK,
        "-Djdk.virtualThreadScheduler.parallelism=2",
        AgentJar.option("output=a.jfr,warn=off" + options),
        "-cp",
        AgentJar.PROGRAMS.toString(),
        Spares.class.getName(),
        way);
  }

  private List<CarrierSample> samples() throws IOException {
    List<Events.WatchLook> looks =
        RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
            .filter(event -> event.getEventType().getName().equals(Events.WATCH))
            .map(event -> Events.watchLook(new RecordedValues(event, new IdentityHashMap<>())))
            .toList();
    // Else there is nothing to be tested.
    assertTrue(looks.stream().anyMatch(look -> look.carriers() > 2), looks::toString);
    return looks.stream().map(Events.WatchLook::looked).toList();
  }

  private static long saturated(List<CarrierSample> samples) {
    return samples.stream().mapToLong(sample -> sample.rush().nanos()).sum();
  }

  @Test
  void idleCarriersThatNobodyNeedsAreIdle() throws Exception {
    Forked run = run("", "rests");
    assertEquals(0, run.exitCode(), run.err());
    List<CarrierSample> samples = samples();
    long seen = samples.stream().mapToLong(each -> each.capacity() - each.unseen()).sum();
    long idle = samples.stream().mapToLong(CarrierSample::idle).sum();
    assertTrue(idle * 2 > seen, samples::toString);
    assertTrue(saturated(samples) * 2 < samples.stream().mapToLong(CarrierSample::spanNanos).sum());
  }

  @Test
  void pinnedCarriersAreSaturatedBesideIdleOnes() throws Exception {
    Forked run = run("", "pins");
    assertEquals(0, run.exitCode(), run.err());
    List<CarrierSample> samples = samples();
    long queued = samples.stream().mapToLong(CarrierSample::someQueued).sum();
    long idle = samples.stream().mapToLong(CarrierSample::idle).sum();
    long waiting = samples.stream().mapToLong(CarrierSample::waiting).sum();
    assertTrue(saturated(samples) * 2 > queued, samples::toString);
    assertTrue(idle < waiting, samples::toString);
  }

  @Test
  void aDeadlockByPinningIsNamedBesideIdleCarriers() throws Exception {
    Forked run = run(",onhang=halt:9", "starves");
    assertEquals(9, run.exitCode(), run.err());
    assertTrue(run.err().contains("deadlock by pinning: both carriers are kept"), run.err());
  }
}
