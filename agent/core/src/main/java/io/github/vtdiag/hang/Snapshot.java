package io.github.vtdiag.hang;

import java.util.List;

/**
 * The threads of a JVM at one moment.
 *
 * @param threads the threads that were examined
 * @param others the number of other virtual threads, which moved since the previous snapshot and so
 *     cannot be stuck
 * @param monitorsComplete whether every monitor that one of them waits for is known as an object
 *     with its owner, not only by its class
 * @param carriers the carriers of the JDK's scheduler
 * @param schedulers the other schedulers
 */
public record Snapshot(
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

  /** Returns whether it is a thread of another scheduler than the JDK's. */
  public boolean isElsewhere(SeenThread thread) {
    return schedulers.stream().anyMatch(other -> other.threads().contains(thread.id()));
  }
}
