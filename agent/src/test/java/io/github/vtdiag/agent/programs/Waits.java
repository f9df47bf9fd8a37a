package io.github.vtdiag.agent.programs;

import java.io.IOException;

/**
 * Waits to be attached to, then pins, and exits with 7. {@code Waits cold} makes its first virtual
 * thread when it goes on, {@code Waits warm} has made one before.
 */
public final class Waits {
  private Waits() {}

  private static final class Initialized {
    static final long AT;

    static {
      Pins.pause();
      AT = System.nanoTime();
    }
  }

  private static boolean went() {
    return Initialized.AT > 0;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args[0].equals("warm")) {
      Thread.startVirtualThread(() -> {}).join();
    }
    System.out.println("ready");
    System.in.read();
    Thread.startVirtualThread(() -> System.out.println(went())).join();
    System.out.println("done");
    System.exit(7);
  }
}
