package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.cli.programs.Holds;
import io.github.vtdiag.cli.programs.Mixture;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The recordings that are read to see what reading costs. */
final class CostRecordings {
  private static final Path AGENT_JAR = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  /** Every event that is listed here, however short; nothing is left out to be cheap. */
  private static final String SETTINGS =
      "settings=default"
          + ",jdk.ObjectAllocationSample#throttle=off"
          + ",jdk.JavaMonitorEnter#threshold=0ms"
          + ",jdk.ThreadPark#threshold=0ms"
          + ",jdk.ThreadSleep#threshold=0ms"
          + ",jdk.FileRead#threshold=0ms"
          + ",jdk.FileRead#throttle=off"
          + ",jdk.VirtualThreadPinned#threshold=0ms"
          + ",jdk.ExecutionSample#period=1ms"
          + ",jdk.VirtualThreadStart#enabled=true"
          + ",jdk.VirtualThreadEnd#enabled=true";

  /** A recording that a JVM made. */
  enum Source {
    /** With the agent, and its events in the recording. */
    MIXTURE_21,
    MIXTURE_25,
    /** With 50,000 threads. */
    THREADS
  }

  /** What most of a recording is: events of virtual threads, below stacks of about 50 frames. */
  enum Kind {
    ALLOCATION_SAMPLES(Source.MIXTURE_25, "jdk.ObjectAllocationSample"),
    EXECUTION_SAMPLES(Source.MIXTURE_21, "jdk.ExecutionSample"),
    MONITOR_ENTERS(Source.MIXTURE_21, "jdk.JavaMonitorEnter"),
    PARKS(Source.MIXTURE_21, "jdk.ThreadPark"),
    SLEEPS(Source.MIXTURE_21, "jdk.ThreadSleep"),
    FILE_EVENTS(Source.MIXTURE_21, "jdk.FileRead"),
    PINS(Source.MIXTURE_21, "jdk.VirtualThreadPinned"),
    AGENT_SNAPSHOTS(
        Source.MIXTURE_21, "vtdiag.WaitLook", "vtdiag.WaitCrowd", "vtdiag.Watch", "vtdiag.Waiting"),
    THREADS(Source.THREADS, "jdk.VirtualThreadStart", "jdk.VirtualThreadEnd"),
    TYPICAL_25(
        Source.MIXTURE_25,
        "jdk.ObjectAllocationSample",
        "jdk.ExecutionSample",
        "jdk.JavaMonitorEnter",
        "jdk.ThreadPark",
        "jdk.ThreadSleep",
        "jdk.FileRead",
        "jdk.VirtualThreadPinned"),
    TYPICAL_21(Source.MIXTURE_21, TYPICAL_25.events.toArray(String[]::new));

    private final Source source;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed.
    private final Set<String> events;

    Kind(Source source, String... events) {
      this.source = source;
      this.events = Set.of(events);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final Path folder;
  private final Map<Source, Path> sources = new EnumMap<>(Source.class);

  CostRecordings(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    record(Source.MIXTURE_21, Jdk.JAVA_21, true, "");
    record(Source.MIXTURE_25, Jdk.JAVA_25, false, "");
    record(Source.THREADS, Jdk.JAVA_21, false, "threads");
  }

  private void record(Source source, Jdk jdk, boolean agent, String argument)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    // Small buffers make many samples.
    command.addAll(List.of("-XX:TLABSize=2k", "-XX:MinTLABSize=2k", "-XX:-ResizeTLAB"));
    command.add("-Djdk.virtualThreadScheduler.parallelism=8");
    if (agent) {
      command.add("-javaagent:" + AGENT_JAR + "=output=agent.jfr,warn=off,summary=off");
    }
    Path file = folder.resolve(source + ".jfr");
    command.addAll(
        List.of("-Xlog:disable", "-XX:StartFlightRecording:filename=" + file + "," + SETTINGS));
    command.addAll(List.of("-cp", CLASSES, Mixture.class.getName(), argument));
    Forked recorded = Forked.java(jdk, folder, command.toArray(String[]::new));
    assertEquals(0, recorded.exitCode(), recorded.err());
    sources.put(source, file);
  }

  /** Writes a recording of this kind with at least so many events of it. */
  Path write(Kind kind, int events) throws IOException {
    Path file = folder.resolve(kind.name() + "-" + events + ".jfr");
    // Those of platform threads are left aside, and cheap.
    boolean virtual = kind != Kind.AGENT_SNAPSHOTS;
    RepeatedEvents.write(sources.get(kind.source), file, kind.events, virtual, events);
    return file;
  }

  /** Writes a recording that is so many times as long as another one. */
  Path repeat(Path recording, int times) throws IOException {
    Path file = folder.resolve(times + "-times-" + recording.getFileName());
    RepeatedEvents.repeatChunks(recording, file, times);
    return file;
  }

  /** Starts a JVM and ends it, with a recording by the JDK's settings. */
  Path writeSmall() throws IOException, InterruptedException {
    Path file = folder.resolve("small.jfr");
    Forked recorded =
        Forked.java(
            Jdk.JAVA_21,
            folder,
            "-Xlog:disable",
            "-XX:StartFlightRecording:filename=" + file,
            "-cp",
            CLASSES,
            Holds.class.getName());
    assertEquals(0, recorded.exitCode(), recorded.err());
    return file;
  }
}
