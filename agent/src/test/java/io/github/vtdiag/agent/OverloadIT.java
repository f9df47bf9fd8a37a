package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.vtdiag.agent.programs.Overloads;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** The watch tells a native call that waits from one that has no processor. */
class OverloadIT {
  @TempDir Path folder;

  private void assertOnlyWhoWaitsIsTold(Jdk jdk) throws Exception {
    List<String> command = new ArrayList<>(Forked.ON_ONE_PROCESSOR);
    command.addAll(
        List.of(
            jdk.java().toString(),
            Forked.PATIENT,
            "-Djdk.virtualThreadScheduler.parallelism=41",
            AgentJar.option("output=o.jfr,warn=off,onhang=off"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Overloads.class.getName()));
    Forked run = Forked.run(folder, Map.of(), command);
    assertEquals(0, run.exitCode(), run.err());
    List<KeptCarrier> kept =
        RecordingFile.readAllEvents(folder.resolve("o.jfr")).stream()
            .filter(event -> event.getEventType().getName().equals(Events.CARRIER_KEPT))
            .map(event -> Events.keptCarrier(new RecordedValues(event, new IdentityHashMap<>())))
            .toList();
    Set<String> names =
        kept.stream()
            .map(each -> each.thread().name())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("waits"), names, kept::toString);
    assertFalse(run.err().contains("\"computes\""), run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void whoHasNoProcessorDoesNotWait(Jdk jdk) throws Exception {
    assertOnlyWhoWaitsIsTold(jdk);
  }
}
