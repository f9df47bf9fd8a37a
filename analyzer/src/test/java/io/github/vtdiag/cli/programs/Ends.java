package io.github.vtdiag.cli.programs;

import java.nio.file.Path;
import java.util.Optional;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/** Goes on after its recording has come to an end in one way or another. */
public final class Ends {
  private Ends() {}

  public static void main(String[] args) throws Exception {
    Thread.startVirtualThread(() -> {}).join();
    switch (args[0]) {
      case "exit" -> {}
      case "late" -> awaitBegin();
      case "stop" -> agents().orElseThrow().stop();
      case "close" -> agents().orElseThrow().close();
      case "dump" -> {
        agents().orElseThrow().dump(Path.of("dump.jfr"));
        Runtime.getRuntime().halt(0);
      }
      case "another" -> another();
      case "full" -> awaitEnd();
      case "drop" -> awaitLoss(agents().orElseThrow());
      default -> throw new IllegalArgumentException(args[0]);
    }
    Thread.startVirtualThread(() -> {}).join();
  }

  private static Optional<Recording> agents() {
    return FlightRecorder.getFlightRecorder().getRecordings().stream()
        .filter(recording -> recording.getName().equals("vtdiag"))
        .findFirst();
  }

  /** One that begins later and is stopped, while the agent's goes on. */
  private static void another() throws Exception {
    awaitMoreThanAMoment(agents().orElseThrow());
    try (Recording other = new Recording()) {
      other.setDestination(Path.of("other.jfr"));
      other.start();
      Thread.startVirtualThread(() -> {}).join();
      other.stop();
    }
  }

  /** A recording is taken to begin with its file if they are a second apart. */
  private static void awaitMoreThanAMoment(Recording recording) {
    while (System.currentTimeMillis() - recording.getStartTime().toEpochMilli() < 1_500) {
      Thread.onSpinWait();
    }
  }

  private static void awaitBegin() {
    while (agents().filter(agents -> agents.getState() == RecordingState.RUNNING).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private static void awaitEnd() {
    while (agents().filter(agents -> agents.getState() == RecordingState.RUNNING).isPresent()) {
      Thread.onSpinWait();
    }
  }

  /** Each snapshot begins a new chunk, until JFR drops the first. */
  private static void awaitLoss(Recording recording) {
    awaitMoreThanAMoment(recording);
    long size = -1;
    while (recording.getSize() > size) {
      size = recording.getSize();
      FlightRecorder.getFlightRecorder().takeSnapshot().close();
    }
  }
}
