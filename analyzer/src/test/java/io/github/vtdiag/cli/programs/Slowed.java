package io.github.vtdiag.cli.programs;

import java.lang.management.ManagementFactory;

/**
 * The command line, slowed on purpose. Arguments: a number of events, the microseconds of processor
 * time to waste on each, and the command line's own.
 */
public final class Slowed {
  private Slowed() {}

  public static void main(String[] args) throws Exception {
    long nanos = Long.parseLong(args[0]) * Long.parseLong(args[1]) * 1_000;
    var threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + nanos;
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
    String[] own = new String[args.length - 2];
    System.arraycopy(args, 2, own, 0, own.length);
    // From the jar: it stands first on the class path.
    Class.forName("io.github.vtdiag.cli.Main")
        .getMethod("main", String[].class)
        .invoke(null, (Object) own);
  }
}
