package io.github.vtdiag.hang;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

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
  public OtherScheduler {
    threads = Set.copyOf(threads);
  }
}
