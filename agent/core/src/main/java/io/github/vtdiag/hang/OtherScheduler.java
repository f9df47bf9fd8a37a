package io.github.vtdiag.hang;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scheduler of virtual threads that is not the JDK's: an executor that a library has put in its
 * place for some threads.
 *
 * @param name what its carriers are called
 * @param threads the ids of its virtual threads that were looked at
 * @param carriers how many carriers it has; empty if that is not known
 * @param queued how many of its virtual threads wait for one, if that is known
 */
public record OtherScheduler(
    String name, Set<Long> threads, OptionalInt carriers, OptionalLong queued) {
  /** So many carriers are named. */
  private static final int NAMED = 4;

  public OtherScheduler {
    threads = Set.copyOf(threads);
  }

  /** What carriers are called; of many some, and that there are more. */
  public static String names(Stream<String> carriers) {
    List<String> all = carriers.sorted().toList();
    return all.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (all.size() > NAMED ? ", ..." : "");
  }
}
