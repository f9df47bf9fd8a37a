package io.github.vtdiag.agent.programs;

import java.util.Arrays;
import java.util.Optional;

/** Ends while the agent's recording starts, or once it runs, if the start was not seen. */
public final class ExitsDuringStart {
  private ExitsDuringStart() {}

  public static void main(String[] args) {
    Optional<Thread> starter = Optional.empty();
    while (starter.isEmpty()) {
      starter =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("vtdiag"))
              .findFirst();
    }
    while (starter.get().isAlive() && !prepares(starter.get())) {
      Thread.onSpinWait();
    }
    System.out.println("ends");
    System.exit(7);
  }

  private static boolean prepares(Thread starter) {
    return Arrays.stream(starter.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".Recorder")
                    && frame.getMethodName().equals("enable"));
  }
}
