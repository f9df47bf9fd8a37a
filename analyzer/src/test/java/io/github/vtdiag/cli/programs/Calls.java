package io.github.vtdiag.cli.programs;

/** Calls a method again and again, in the way its argument says. */
public final class Calls {
  private static final long PAUSE_MILLIS = 5;

  private Calls() {}

  public static void main(String[] args) throws InterruptedException {
    switch (args[0]) {
      case "for-ever" -> call(Long.MAX_VALUE);
      case "ends-early" -> {
        call(20);
        System.out.println("all done");
      }
      case "ends" -> call(500);
      case "dies" -> {
        call(20);
        System.out.println("out of luck");
        System.exit(8);
      }
      case "stops" -> {
        call(20);
        System.out.println("all done");
        Thread.sleep(Long.MAX_VALUE);
      }
      case "never" -> {
        System.out.println("thinking");
        Thread.sleep(Long.MAX_VALUE);
      }
      default -> System.out.println("nothing to do");
    }
  }

  private static void call(long times) throws InterruptedException {
    for (long i = 0; i < times; i++) {
      work();
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  static void work() {
    if (Boolean.getBoolean("twice")) {
      beside();
    }
    beside();
  }

  static void beside() {
    Thread.onSpinWait();
  }

  static void never() {
    Thread.onSpinWait();
  }
}
