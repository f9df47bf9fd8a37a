package io.github.vtdiag.hang;

import java.util.List;

/**
 * The threads of a JVM at one moment.
 *
 * @param jdkVersion such as {@code 21.0.8+9-LTS}; empty if that is not known
 * @param threads those that were looked at
 * @param others how many more virtual threads there were, which had moved since the look before and
 *     so cannot be stuck
 * @param monitorsComplete whether every monitor that one of them waits for is known as an object,
 *     with the thread that holds it, not by its class
 * @param carriers those of the JDK's scheduler
 * @param schedulers the others
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

  /** Of threads that are all of the JDK's scheduler, as far as is known. */
  public Snapshot(
      String jdkVersion,
      List<SeenThread> threads,
      long others,
      CarrierPool carriers,
      boolean monitorsComplete,
      Reachability reach) {
    this(jdkVersion, threads, others, carriers, monitorsComplete, reach, List.of());
  }

  /** Of threads of which it is not known who can reach what they wait for. */
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

  /** The same, with all threads of the JDK's scheduler. */
  public Snapshot(
      String jdkVersion,
      List<SeenThread> threads,
      long others,
      CarrierPool carriers,
      boolean monitorsComplete) {
    this(jdkVersion, threads, others, carriers, monitorsComplete, Reachability.NOT_KNOWN);
  }

  /** Whether it is a thread of another scheduler than the JDK's. */
  public boolean isElsewhere(SeenThread thread) {
    return schedulers.stream().anyMatch(other -> other.threads().contains(thread.id()));
  }
}
