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
 */
public record Snapshot(
    String jdkVersion,
    List<SeenThread> threads,
    long others,
    CarrierPool carriers,
    boolean monitorsComplete,
    Reachability reach) {
  public Snapshot {
    threads = List.copyOf(threads);
  }

  /** Of threads of which it is not known who can reach what they wait for. */
  public Snapshot(
      String jdkVersion,
      List<SeenThread> threads,
      long others,
      CarrierPool carriers,
      boolean monitorsComplete) {
    this(jdkVersion, threads, others, carriers, monitorsComplete, Reachability.NOT_KNOWN);
  }
}
