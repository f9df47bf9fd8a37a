package io.github.vtdiag.patch;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.source.SourceFolders;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The locks to patch.
 *
 * @param sets each with all locks that must move for anything to be freed
 * @param refused the locks that may not move
 */
public record WantedLocks(Set<List<Lock>> sets, List<Decision.Declined> refused) {
  public WantedLocks {
    sets = Collections.unmodifiableSet(new LinkedHashSet<>(sets));
    refused = List.copyOf(refused);
  }

  /** Takes each lock that can move, on its own. */
  public static WantedLocks of(Collection<Decision> decisions) {
    Set<List<Lock>> sets = new LinkedHashSet<>();
    List<Decision.Declined> refused = new ArrayList<>();
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Movable movable -> sets.add(List.of(movable.lock()));
        case Decision.Declined declined -> refused.add(declined);
      }
    }
    return new WantedLocks(sets, refused);
  }

  /** Returns the decisions on the locks that a method takes, whatever its parameters. */
  public static List<Decision> takenBy(
      String className, String method, Collection<Decision> decisions) {
    return decisions.stream()
        .filter(
            decision ->
                sites(decision).stream()
                    .map(LockSite::id)
                    .anyMatch(id -> isIn(className, method, id)))
        .toList();
  }

  private static boolean isIn(String className, String method, MonitorId monitor) {
    return monitor.className().equals(className) && monitor.method().equals(method);
  }

  private static List<LockSite> sites(Decision decision) {
    return switch (decision) {
      case Decision.Movable movable -> movable.lock().sites();
      case Decision.Declined declined -> declined.sites();
    };
  }

  /**
   * Plans their patch. If one lock of a set has to stay, moving the others would free nothing, so
   * they stay too.
   *
   * @param program the lock maps of all classes that are compiled from the sources
   */
  public Patch patch(Collection<ClassMonitors> program, SourceFolders sources) {
    return patch(program, sources, List.of());
  }

  /** Plans their patch without some of them. */
  Patch patch(
      Collection<ClassMonitors> program, SourceFolders sources, List<Patch.Unpatched> leftOut) {
    Set<Lock> out = leftOut.stream().map(Patch.Unpatched::lock).collect(Collectors.toSet());
    List<Lock> locks =
        sets.stream().flatMap(List::stream).distinct().filter(lock -> !out.contains(lock)).toList();
    Patch patch = Patcher.patch(locks, program, sources).without(leftOut);
    List<Lock> useful =
        sets.stream().filter(patch.moved()::containsAll).flatMap(List::stream).distinct().toList();
    if (useful.size() == patch.moved().size()) {
      return patch;
    }
    List<Patch.Unpatched> declined = new ArrayList<>(patch.declined());
    for (Lock lock : patch.moved()) {
      if (!useful.contains(lock)) {
        Patch.Unpatched other = inTheWay(lock, patch);
        declined.add(
            new Patch.Unpatched(
                lock,
                other.obstacle(),
                "it is held together with a lock that stays: " + other.reason()));
      }
    }
    Patch rest = Patcher.patch(useful, program, sources);
    return new Patch(
        rest.files(), rest.moved(), rest.fields(), declined, rest.places(), rest.comments());
  }

  private Patch.Unpatched inTheWay(Lock lock, Patch patch) {
    return patch.declined().stream()
        .filter(
            other ->
                sets.stream().anyMatch(set -> set.contains(lock) && set.contains(other.lock())))
        .findFirst()
        .orElseThrow();
  }
}
