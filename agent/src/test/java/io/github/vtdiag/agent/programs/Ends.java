package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** Ways to end, by name; each prints to both streams first. */
public final class Ends {
  private Ends() {}

  public static void main(String[] args) throws InterruptedException {
    System.out.println("out of " + args[0]);
    System.err.println("err of " + args[0]);
    Thread virtual = Thread.startVirtualThread(() -> System.out.println("virtual"));
    virtual.join();
    switch (args[0]) {
      case "return" -> {}
      case "count" -> System.out.println(Thread.activeCount() + " threads of its group");
      case "exit" -> System.exit(7);
      case "halt" -> Runtime.getRuntime().halt(9);
      case "throw" -> throw new IllegalStateException("as asked");
      case "daemon" -> {
        Thread daemon = new Thread(Ends::sleepLong);
        daemon.setDaemon(true);
        daemon.start();
      }
      case "hook" ->
          Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
      case "hung" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(Ends::waitForHalt));
        Thread.sleep(3_000); // The agent finds the hooks a moment after the start.
        System.exit(7);
      }
      case "term", "kill" -> {
        // The only way a program can send itself the signal without native code.
        String signal = "-" + args[0].toUpperCase(Locale.ROOT);
        try {
          new ProcessBuilder("kill", signal, Long.toString(ProcessHandle.current().pid())).start();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        sleepLong();
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Waits for ever, in a JVM that is halted a while later. */
  private static void waitForHalt() {
    Thread halts =
        new Thread(
            () -> {
              try {
                Thread.sleep(15_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(11);
            });
    halts.setDaemon(true);
    halts.start();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleepLong() {
    try {
      Thread.sleep(100_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
