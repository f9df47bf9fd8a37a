package io.github.vtdiag.hang;

import io.github.vtdiag.hang.CarriersKept.Kept;
import io.github.vtdiag.hang.Diagnosis.Crowd;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import io.github.vtdiag.waits.Stall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Says what is wrong, from two looks some time apart. Who did not stand still in between is not
 * stuck.
 */
public final class Diagnoser {
  /** So many crowds are told; what fewer wait for is no answer to why a program stands still. */
  private static final int CROWDS = 3;

  /** So many threads are looked at by whoever searches for the one that should end a wait. */
  private static final int FEW = 3;

  private final Snapshot before;
  private final Snapshot after;
  private final Map<Long, SeenThread> still = new LinkedHashMap<>();
  private final WaitGraph graph;

  private Diagnoser(Snapshot before, Snapshot after) {
    this.before = before;
    this.after = after;
    Map<Long, SeenThread> earlier = new HashMap<>();
    before.threads().forEach(thread -> earlier.put(thread.id(), thread));
    for (SeenThread thread : after.threads()) {
      SeenThread same = earlier.get(thread.id());
      if (same != null && thread.stoodStill(same)) {
        still.put(thread.id(), thread);
      }
    }
    this.graph = new WaitGraph(after.threads(), after.monitorsComplete());
  }

  /** All that is wrong, the worst first; never empty. */
  public static List<Diagnosis> diagnose(Snapshot before, Snapshot after) {
    return new Diagnoser(before, after).diagnose();
  }

  private List<Diagnosis> diagnose() {
    List<Diagnosis> all = new ArrayList<>();
    for (List<WaitEdge> edges : graph.cycles()) {
      if (edges.stream().allMatch(this::lasts)) {
        all.add(new Diagnosis.LockCycle(edges));
      }
    }
    if (all.isEmpty()) {
      graph.knot(still.keySet()).ifPresent(edges -> all.add(new Diagnosis.LockCycle(edges)));
    }
    all.addAll(neverReleased());
    stranded(Set.copyOf(all)).ifPresent(all::add);
    carriers(Set.copyOf(all)).ifPresent(all::add);
    if (all.isEmpty()) {
      all.add(rest());
    }
    all.sort(Comparator.comparing(diagnosis -> diagnosis.kind().severity()));
    return all;
  }

  /** Both ends stood still, and no timeout will end it. */
  private boolean lasts(WaitEdge edge) {
    return still.containsKey(edge.waiter().id())
        && still.containsKey(edge.other().id())
        && !edge.waiter().waitsFor().isTimed();
  }

  /** The locks whose owners have ended, with those that wait for them without a timeout. */
  private List<Diagnosis> neverReleased() {
    Map<ThreadWait.Park, List<SeenThread>> waiters = new LinkedHashMap<>();
    for (SeenThread thread : still.values()) {
      if (thread.waitsFor() instanceof ThreadWait.Park park
          && park.holder() instanceof LockHolder.Ended
          && park.blocker().isPresent()
          && !park.timed()) {
        waiters.computeIfAbsent(park, same -> new ArrayList<>()).add(thread);
      }
    }
    List<Diagnosis> all = new ArrayList<>();
    waiters.forEach(
        (park, threads) ->
            all.add(
                new Diagnosis.NeverReleased(
                    park.blocker().get(), (LockHolder.Ended) park.holder(), threads)));
    return all;
  }

  /**
   * The virtual threads whose wait nobody can end.
   *
   * @param deadlocks what explains the others
   */
  private Optional<Diagnosis> stranded(Set<Diagnosis> deadlocks) {
    Set<Long> explained = new HashSet<>();
    deadlocks.forEach(each -> explained.addAll(each.threads()));
    List<SeenThread> waiters =
        still.values().stream()
            .filter(thread -> thread.virtual() && after.reach().stranded().contains(thread.id()))
            .filter(thread -> !explained.contains(thread.id()))
            .toList();
    return waiters.isEmpty() ? Optional.empty() : Optional.of(new Stranded(waiters));
  }

  /**
   * What it means that every carrier is kept, if it is.
   *
   * @param deadlocks those that were found already
   */
  private Optional<Diagnosis> carriers(Set<Diagnosis> deadlocks) {
    List<SeenThread> keepers =
        still.values().stream()
            .filter(Diagnoser::hasCarrier)
            .filter(thread -> thread.stays() || !(thread.waitsFor() instanceof ThreadWait.Nothing))
            .toList();
    long queued = queued();
    CarrierPool pool = after.carriers();
    // A carrier that waits itself is about to run a thread, or keeps all others from running one.
    boolean needed = queued > 0 || keepers.stream().anyMatch(SeenThread::isBlockedCarrier);
    if (keepers.isEmpty()
        || !needed
        || mounted() > keepers.size()
        || keepers.size() < pool.carriers().orElse(0)
        || keepers.size() < pool.parallelism().orElse(1)) {
      return Optional.empty();
    }
    List<Kept> kept = keepers.stream().map(thread -> new Kept(thread, chain(thread))).toList();
    return Optional.of(
        kept.stream().allMatch(this::waitsForUnmounted)
            ? new CarriersKept.DeadlockByPinning(kept, queued)
            : new CarriersKept.Starved(kept, queued, lostWakeUps(), deadlock(kept, deadlocks)));
  }

  private static CarriersKept.Starved.Deadlock deadlock(List<Kept> kept, Set<Diagnosis> deadlocks) {
    Set<Long> stuck = new HashSet<>();
    deadlocks.forEach(each -> stuck.addAll(each.threads()));
    boolean keepsAll =
        kept.stream()
            .allMatch(
                each -> stuck.contains(each.thread().id()) || stuck.contains(each.last().id()));
    return deadlocks.isEmpty()
        ? CarriersKept.Starved.Deadlock.NONE
        : keepsAll ? CarriersKept.Starved.Deadlock.KEEPS_ALL : CarriersKept.Starved.Deadlock.BESIDE;
  }

  /** Whether it is a virtual thread on a carrier, or a carrier that waits itself. */
  private static boolean hasCarrier(SeenThread thread) {
    return thread.isBlockedCarrier()
        || (thread.virtual() && thread.mount() == SeenThread.Mount.MOUNTED);
  }

  /** Virtual threads that needed a carrier at both looks. */
  private long queued() {
    long seen = still.values().stream().filter(SeenThread::needsCarrier).count();
    return Math.max(
        seen, Math.min(before.carriers().queued().orElse(0), after.carriers().queued().orElse(0)));
  }

  private long mounted() {
    return after.threads().stream().filter(Diagnoser::hasCarrier).count();
  }

  private List<WaitEdge> chain(SeenThread first) {
    List<WaitEdge> chain = new ArrayList<>(graph.chain(first));
    List<SeenThread> needy = still.values().stream().filter(SeenThread::needsCarrier).toList();
    SeenThread last = chain.isEmpty() ? first : chain.getLast().other();
    WaitGraph.sameCall(last, needy).ifPresent(chain::add);
    return chain;
  }

  /** Whether a chain ends with one that needs a carrier. */
  private boolean waitsForUnmounted(Kept kept) {
    return !kept.chain().isEmpty()
        && kept.chain().stream().allMatch(edge -> still.containsKey(edge.other().id()))
        && kept.last().needsCarrier();
  }

  private List<SeenThread> lostWakeUps() {
    return still.values().stream()
        .filter(thread -> thread.virtual() && thread.mount() != SeenThread.Mount.MOUNTED)
        .filter(
            thread ->
                WaitGraph.isLostWakeUp(thread)
                    // Of those that need a carrier one may be the next to enter.
                    || (after.monitorsComplete()
                        && queued() == 0
                        && graph.isBlockedAtNothing(thread)))
        .toList();
  }

  private Diagnosis rest() {
    List<SeenThread> virtual = after.threads().stream().filter(SeenThread::virtual).toList();
    long count = virtual.size() + after.others();
    List<SeenThread> stuck = still.values().stream().filter(SeenThread::virtual).toList();
    if (count == 0) {
      return new Diagnosis.Idle(0);
    }
    List<SeenThread> lost = lostWakeUps();
    if (!lost.isEmpty()) {
      return new Diagnosis.LostWakeUp(lost);
    }
    long moved = count - stuck.size();
    List<Crowd> crowds = crowds(stuck);
    long crowded = crowds.stream().mapToLong(Crowd::threads).sum();
    if (crowded > 1 && crowded * 2 > count) {
      return new Diagnosis.Waiting(crowds, count);
    }
    if (moved > 0) {
      return new Diagnosis.Busy(moved, count);
    }
    if (stuck.stream().allMatch(thread -> thread.waitsFor() instanceof ThreadWait.NotKnown)) {
      return new Diagnosis.Unknown("the states of the threads are not known");
    }
    long kept = stuck.stream().filter(thread -> thread.mount() == SeenThread.Mount.MOUNTED).count();
    CarrierPool pool = after.carriers();
    if (kept >= pool.parallelism().orElse(1) && kept >= pool.carriers().orElse(1)) {
      return new Diagnosis.Unknown(
          "all carriers are kept by virtual threads that stand still, in native code or pinned;"
              + " nobody else needs one yet");
    }
    long inNative =
        stuck.stream()
            .filter(thread -> thread.mount() == SeenThread.Mount.MOUNTED)
            .filter(thread -> thread.waitsFor() instanceof ThreadWait.NativeCode)
            .count();
    if (inNative > 0) {
      return new Diagnosis.Unknown(
          Figures.count(inNative, "virtual thread")
              + (inNative == 1 ? " keeps its carrier" : " keep their carriers")
              + (inNative == 1 ? " and stands" : " and stand")
              + " still in native code; what is waited for there cannot be seen");
    }
    long blocked = still.values().stream().filter(SeenThread::isBlockedCarrier).count();
    if (blocked > 0) {
      return new Diagnosis.Unknown(
          Figures.count(blocked, "carrier")
              + (blocked == 1 ? " stands" : " stand")
              + " still with no virtual thread on "
              + (blocked == 1 ? "it" : "them"));
    }
    if (stuck.stream().anyMatch(SeenThread::needsCarrier)) {
      return new Diagnosis.Unknown("virtual threads could run, and a carrier is free");
    }
    List<Crowd> forOthers = forOthers(stuck);
    return forOthers.isEmpty()
        ? new Diagnosis.Idle(count)
        : new Diagnosis.Waiting(forOthers, count);
  }

  /** The largest groups, by place, of those that wait for what another thread has to do. */
  private List<Crowd> forOthers(List<SeenThread> stuck) {
    Map<Stall.Place, List<SeenThread>> groups = new LinkedHashMap<>();
    for (SeenThread thread : stuck) {
      boolean timed = thread.waitsFor().isTimed();
      Awaited awaited =
          KnownWaits.of(
              new StackTrace(thread.frames(), false),
              thread.state().orElse(timed ? Thread.State.TIMED_WAITING : Thread.State.WAITING));
      // Who has asked for an answer, or has more to send, is not idle either.
      boolean busy = Stall.neverOfIdle(awaited) || awaited.kind() == Awaited.Kind.ANSWER;
      if (busy && !timed) {
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

  /** What one of them is parked for says nothing of the others. */
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
   * What threads have in common that wait.
   *
   * @param object the same object; empty if they wait in the same place, for one that is not known
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
    return thread.frames().stream()
        .filter(frame -> waits && !frame.type().isJdk())
        .findFirst()
        .map(frame -> new Common(Optional.empty(), Optional.of(frame)));
  }

  /** Who waits for the network waits for no other thread. */
  private static boolean readsSocket(SeenThread thread) {
    return thread.frames().stream()
        .anyMatch(frame -> frame.type().name().startsWith("sun.nio.ch."));
  }

  /** The largest groups that wait for one object, or in one place. */
  private List<Crowd> crowds(List<SeenThread> stuck) {
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
    return new Crowd(
        group.getFirst(),
        group.size(),
        graph
            .edge(group.getFirst())
            .map(edge -> OptionalLong.of(edge.other().id()))
            .orElse(OptionalLong.empty()),
        others(group));
  }

  /** The threads besides those that wait that can reach what they wait for, if these are a few. */
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
