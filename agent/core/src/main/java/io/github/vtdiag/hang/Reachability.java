package io.github.vtdiag.hang;

import java.util.Map;
import java.util.Set;

/**
 * The threads that can reach what others wait for. Only a heap dump shows which threads refer to an
 * object.
 *
 * @param stranded the ids of threads whose wait no thread can end: all that can reach what they
 *     wait for are stranded themselves
 * @param reachedBy the ids of the threads that can reach an awaited object, if they are few
 */
public record Reachability(Set<Long> stranded, Map<LockRef, Set<Long>> reachedBy) {
  public static final Reachability NOT_KNOWN = new Reachability(Set.of(), Map.of());

  public Reachability {
    stranded = Set.copyOf(stranded);
    reachedBy = Map.copyOf(reachedBy);
  }
}
