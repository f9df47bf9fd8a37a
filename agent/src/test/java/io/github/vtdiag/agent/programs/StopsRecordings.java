package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * Stops all recordings, the agent's too, or its alone with another file; or waits until somebody
 * else has stopped it.
 */
public final class StopsRecordings {
  private StopsRecordings() {}

  public static void main(String[] args) throws InterruptedException, IOException {
    Thread.startVirtualThread(() -> System.out.println("virtual")).join();
    if (args[0].equals("stop")) {
      FlightRecorder.getFlightRecorder().getRecordings().forEach(Recording::stop);
    } else if (args[0].equals("elsewhere")) {
      Recording agents = FlightRecorder.getFlightRecorder().getRecordings().getFirst();
      agents.setDestination(Path.of("elsewhere.jfr"));
      agents.stop();
    } else if (args[0].equals("wait")) {
      awaitStop();
    }
    Thread.startVirtualThread(() -> System.out.println("goes on")).join();
    System.exit(7);
  }

  private static void awaitStop() throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    FlightRecorder.addListener(
        new FlightRecorderListener() {
          @Override
          public void recordingStateChanged(Recording recording) {
            if (isOver(recording)) {
              stopped.countDown();
            }
          }
        });
    // Who has a file is closed with it, and no longer in the list.
    if (FlightRecorder.getFlightRecorder().getRecordings().stream()
        .allMatch(StopsRecordings::isOver)) {
      return;
    }
    stopped.await();
  }

  private static boolean isOver(Recording recording) {
    return recording.getState() == RecordingState.STOPPED
        || recording.getState() == RecordingState.CLOSED;
  }
}
