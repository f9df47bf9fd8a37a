package io.github.vtdiag.cli.programs;

/** Does some work and tells how much, in the words of its argument, FIGURE as it is told. */
public final class Counts {
  private Counts() {}

  public static void main(String[] args) throws InterruptedException {
    Thread worker = Thread.startVirtualThread(() -> System.out.println("working"));
    worker.join();
    System.out.println(args[0].replace("FIGURE", System.getProperty("figure", "0")));
    if (args.length > 1) {
      Thread.sleep(Long.parseLong(args[1]));
    }
    if (Boolean.getBoolean("fail")) {
      System.exit(9);
    }
  }
}
