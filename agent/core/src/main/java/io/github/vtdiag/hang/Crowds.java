package io.github.vtdiag.hang;

import io.github.vtdiag.hang.Diagnosis.Crowd;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.Stall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The largest groups of threads that wait for the same thing, or in the same place. */
final class Crowds {
  /**
   * The number of crowds that are reported. What fewer threads wait for does not explain why a
   * program stands still.
   */
  private static final int CROWDS = 3;

  /** The most threads that are named as able to end a wait; a reader can check so few. */
  private static final int FEW = 3;

  private final Snapshot after;
  private final WaitGraph graph;

  Crowds(Snapshot after, WaitGraph graph) {
    this.after = after;
    this.graph = graph;
  }

  /**
   * Returns the largest groups, by place, of threads that wait for another thread to do something.
   */
  List<Crowd> forOthers(List<SeenThread> stuck) {
    Map<Stall.Place, List<SeenThread>> groups = new LinkedHashMap<>();
    for (SeenThread thread : stuck) {
      Awaited awaited = WaitWords.awaited(thread);
      // A thread that awaits an answer, or has more to send, is not idle either.
      boolean busy = awaited.isNeverOfIdle() || awaited.kind() == Awaited.Kind.ANSWER;
      // A timeout does not bring what others have; a signal may just not be needed.
      boolean lacks = awaited.kind().isScarce();
      if (busy && (lacks || !thread.waitsFor().isTimed())) {
        String method =
            WaitWords.site(thread).or(awaited::inside).map(Frame::qualifiedMethod).orElse("");
        groups
            .computeIfAbsent(new Stall.Place(awaited.subject(), method), place -> new ArrayList<>())
            .add(thread);
      }
    }
    return groups.values().stream()
        .sorted(Comparator.comparingInt(group -> -group.size()))
        .limit(CROWDS)
        .map(group -> crowd(isForOne(group) ? group : withoutObject(group)))
        .toList();
  }

  private static boolean isForOne(List<SeenThread> group) {
    return group.stream().map(thread -> thread.waitsFor().object()).distinct().count() == 1;
  }

  /**
   * Removes the objects for which the threads are parked: one of them says nothing of the others.
   */
  private static List<SeenThread> withoutObject(List<SeenThread> group) {
    return group.stream()
        .map(
            thread ->
                thread.waitsFor() instanceof ThreadWait.Park park
                    ? thread.with(
                        new ThreadWait.Park(Optional.empty(), park.holder(), park.timed()),
                        thread.held())
                    : thread)
        .toList();
  }

  /**
   * The object or place that waiting threads have in common.
   *
   * @param object the same object; empty if it is unknown and they wait in the same place
   */
  private record Common(Optional<LockRef> object, Optional<Frame> place) {}

  private static Optional<Common> common(SeenThread thread) {
    Optional<LockRef> object = thread.waitsFor().object().filter(LockRef::isExact);
    if (object.isPresent()) {
      return Optional.of(new Common(object, Optional.empty()));
    }
    boolean waits =
        switch (thread.waitsFor()) {
          case ThreadWait.MonitorEntry entry -> true;
          case ThreadWait.ObjectWait wait -> true;
          case ThreadWait.Park park -> park.blocker().isEmpty() && !readsSocket(thread);
          case ThreadWait.ClassInitialization awaited -> true;
          case ThreadWait.Nothing nothing -> false;
          case ThreadWait.NativeCode code -> false;
          case ThreadWait.Sleep sleep -> false;
          case ThreadWait.NotKnown unknown -> false;
        };
    return WrittenFrames.outsideJdk(thread.frames())
        .findFirst()
        .filter(frame -> waits)
        .map(frame -> new Common(Optional.empty(), Optional.of(frame)));
  }

  /** A thread that waits for the network waits for no other thread. */
  private static boolean readsSocket(SeenThread thread) {
    return thread.frames().stream()
        .anyMatch(frame -> frame.type().name().startsWith("sun.nio.ch."));
  }

  /** Returns the largest groups that wait for one object, or in one place. */
  List<Crowd> largest(List<SeenThread> stuck) {
    Map<Common, List<SeenThread>> groups = new LinkedHashMap<>();
    for (SeenThread thread : stuck) {
      common(thread)
          .ifPresent(key -> groups.computeIfAbsent(key, same -> new ArrayList<>()).add(thread));
    }
    return groups.values().stream()
        .filter(group -> group.size() > 1)
        .sorted(Comparator.comparingInt(group -> -group.size()))
        .limit(CROWDS)
        .map(this::crowd)
        .toList();
  }

  private Crowd crowd(List<SeenThread> group) {
    return new Crowd(group.getFirst(), group.size(), graph.edge(group.getFirst()), others(group));
  }

  /** Returns the threads outside the group that can reach what it waits for, if they are few. */
  private List<SeenThread> others(List<SeenThread> group) {
    Set<Long> others =
        new HashSet<>(
            group
                .getFirst()
                .waitsFor()
                .object()
                .map(object -> after.reach().reachedBy().getOrDefault(object, Set.of()))
                .orElse(Set.of()));
    group.forEach(thread -> others.remove(thread.id()));
    return others.size() > FEW
        ? List.of()
        : after.threads().stream().filter(thread -> others.contains(thread.id())).toList();
  }
}
