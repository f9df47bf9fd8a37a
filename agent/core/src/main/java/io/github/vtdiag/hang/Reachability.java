package io.github.vtdiag.hang;

import java.util.Map;
import java.util.Set;

/**
 * Which threads can reach what others wait for; only a heap dump shows who refers to an object.
 *
 * @param stranded the ids of threads whose wait nobody can end: all that can reach what they wait
 *     for wait so themselves
 * @param reachedBy the ids of the threads that can reach an awaited object, where these are a few
 */
public record Reachability(Set<Long> stranded, Map<LockRef, Set<Long>> reachedBy) {
  public static final Reachability NOT_KNOWN = new Reachability(Set.of(), Map.of());

  public Reachability {
    stranded = Set.copyOf(stranded);
    reachedBy = Map.copyOf(reachedBy);
  }
}
