package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Elsewhere;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Virtual threads whose carriers are the threads of somebody's executor. */
@Order(1)
class OtherSchedulersIT {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void theirPinsAndHangsAreToldAndTheirTimeIsSaidToBeUnknown(Jdk jdk) throws Exception {
    Process process =
        new ProcessBuilder(
                jdk.java().toString(),
                Forked.QUICK,
                Forked.PATIENT,
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                AgentJar.option("output=o.jfr"),
                "-cp",
                AgentJar.PROGRAMS.toString(),
                Elsewhere.class.getName())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    List<String> said = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      while (line != null) {
        said.add(line);
        if (line.startsWith("[vtdiag]   ends: ")) {
          process.outputWriter().close();
        }
        line = out.readLine();
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
    String all = String.join("\n", said);
    assertTrue(
        all.contains(
            "deadlock by pinning: both carriers of a scheduler that is not the JDK's (event-0,"
                + " event-1) are kept by virtual threads that wait for one that needs a carrier"),
        all);
    // One that was pinned before mounts were counted may not be known.
    assertTrue(
        Pattern.compile(
                "[56] more carriers of other schedulers \\(event-0, event-1, idle-0, kept-0")
            .matcher(all)
            .find(),
        all);
    assertEquals(
        1, said.stream().filter(line -> line.startsWith("[vtdiag] deadlock")).count(), all);
    List<KeptCarrier> kept = events(Events.CARRIER_KEPT).map(Events::keptCarrier).toList();
    assertTrue(
        kept.stream()
            .anyMatch(
                pin -> pin.carrier().name().startsWith("event-") && pin.nanos() >= 500_000_000L),
        kept::toString);
    // Since Java 24 a selector lets its virtual thread unmount.
    assertEquals(
        jdk == Jdk.JAVA_21,
        kept.stream().anyMatch(pin -> pin.carrier().name().equals("kept-0")),
        kept::toString);
    assertFalse(
        kept.stream().anyMatch(pin -> pin.carrier().name().equals("idle-0")), kept::toString);
    List<Events.WatchLook> looks = events(Events.WATCH).map(Events::watchLook).toList();
    assertTrue(looks.stream().allMatch(Events.WatchLook::exact), looks::toString);
    assertEquals(2, looks.getLast().others().kept(), looks::toString);
  }

  private Stream<RecordedValues> events(String type) throws IOException {
    return RecordingFile.readAllEvents(folder.resolve("o.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .map(event -> new RecordedValues(event, new IdentityHashMap<>()));
  }
}
