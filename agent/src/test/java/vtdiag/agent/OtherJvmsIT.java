package vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import vtdiag.agent.programs.Hangs;
import vtdiag.agent.programs.Pins;
import vtdiag.pin.Events;
import vtdiag.testing.Forked;
import vtdiag.testing.Jdk;

/** The built agent beside another one that changes classes, and in a Java that lacks modules. */
class OtherJvmsIT {
  @TempDir Path folder;

  private List<Events.WatchLook> looks() throws Exception {
    return RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(Events.WATCH))
        .map(event -> Events.watchLook(new RecordedValues(event, new IdentityHashMap<>())))
        .toList();
  }

  /** JaCoCo's adds instructions to all classes of the application. */
  @ParameterizedTest
  @CsvSource({"JAVA_21,true", "JAVA_21,false", "JAVA_25,true", "JAVA_25,false"})
  void anotherAgentThatChangesClassesIsNoObstacle(Jdk jdk, boolean before) throws Exception {
    Path jacoco =
        Path.of(
            Class.forName("org.jacoco.agent.rt.RT")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    String other = "-javaagent:" + jacoco + "=destfile=j.exec";
    String ours = AgentJar.option("output=a.jfr,warn=off,onhang=halt:3");
    Forked run =
        Forked.java(
            jdk,
            folder,
            before ? other : ours,
            before ? ours : other,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Hangs.class.getName(),
            "monitors");
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().contains("[vtdiag] deadlock: 2 threads wait for each other"), run.err());
    assertTrue(
        run.err().matches("(?s).*Hangs\\$Ledger@\\w+, which virtual thread #\\d+ holds in .*"),
        run.err());
    assertFalse(looks().isEmpty());
    assertTrue(looks().stream().allMatch(Events.WatchLook::exact), looks()::toString);
  }

  @ParameterizedTest
  @EnumSource
  void withoutManagementItRecordsAndSaysWhatItDoesNot(Jdk jdk) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            "--limit-modules=java.base,jdk.jfr,java.instrument",
            AgentJar.option("output=a.jfr,warn=off"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Pins.class.getName(),
            "clinit",
            "1");
    assertEquals(0, run.exitCode(), run.err());
    List<String> lines = run.err().lines().toList();
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.startsWith(
                        "[vtdiag] this Java has no module java.management, so the carriers are")),
        run.err());
    assertFalse(run.err().contains("Exception"), run.err());
    assertTrue(lines.getLast().startsWith("[vtdiag] recording: "), run.err());
    assertEquals(List.of(), looks());
  }
}
