package io.github.vtdiag.hang;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scheduler of virtual threads other than the JDK's: an executor that a library uses for some
 * threads.
 *
 * @param name the names of its carriers, or its class if none is known
 * @param threads the ids of its virtual threads that were examined
 * @param carriers the number of its carriers; empty if it is unknown
 * @param queued the number of its virtual threads that wait for a carrier, if it is known
 * @param mounts the number of times that its carriers have mounted one so far, if it is known
 */
public record OtherScheduler(
    String name,
    Set<Long> threads,
    OptionalInt carriers,
    OptionalLong queued,
    OptionalLong mounts) {
  /** The number of carriers that are named. */
  private static final int NAMED = 4;

  public OtherScheduler {
    threads = Set.copyOf(threads);
  }

  /** Returns the names of carriers; after the first few, that there are more. */
  public static String names(Stream<String> carriers) {
    List<String> all = carriers.sorted().toList();
    return all.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (all.size() > NAMED ? ", ..." : "");
  }
}
