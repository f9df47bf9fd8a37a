package io.github.vtdiag.hang;

import java.util.List;

/**
 * The threads of a JVM at one moment.
 *
 * @param jdkVersion such as {@code 21.0.8+9-LTS}; empty if it is unknown
 * @param threads the threads that were examined
 * @param others the number of other virtual threads, which moved since the previous snapshot and so
 *     cannot be stuck
 * @param monitorsComplete whether every monitor that one of them waits for is known as an object
 *     with its owner, not only by its class
 * @param carriers the carriers of the JDK's scheduler
 * @param schedulers the other schedulers
 */
public record Snapshot(
    String jdkVersion,
    List<SeenThread> threads,
    long others,
    CarrierPool carriers,
    boolean monitorsComplete,
    Reachability reach,
    List<OtherScheduler> schedulers) {
  public Snapshot {
    threads = List.copyOf(threads);
    schedulers = List.copyOf(schedulers);
  }

  /** Creates a snapshot in which all threads belong to the JDK's scheduler, as far as is known. */
  public Snapshot(
      String jdkVersion,
      List<SeenThread> threads,
      long others,
      CarrierPool carriers,
      boolean monitorsComplete,
      Reachability reach) {
    this(jdkVersion, threads, others, carriers, monitorsComplete, reach, List.of());
  }

  /** Creates a snapshot without knowledge of the threads that can reach what others wait for. */
  public Snapshot(
      String jdkVersion,
      List<SeenThread> threads,
      long others,
      CarrierPool carriers,
      boolean monitorsComplete,
      List<OtherScheduler> schedulers) {
    this(
        jdkVersion,
        threads,
        others,
        carriers,
        monitorsComplete,
        Reachability.NOT_KNOWN,
        schedulers);
  }

  /** Creates such a snapshot in which all threads belong to the JDK's scheduler. */
  public Snapshot(
      String jdkVersion,
      List<SeenThread> threads,
      long others,
      CarrierPool carriers,
      boolean monitorsComplete) {
    this(jdkVersion, threads, others, carriers, monitorsComplete, Reachability.NOT_KNOWN);
  }

  /** Returns whether it is a thread of another scheduler than the JDK's. */
  public boolean isElsewhere(SeenThread thread) {
    return schedulers.stream().anyMatch(other -> other.threads().contains(thread.id()));
  }
}
