package io.github.vtdiag.hang;

import io.github.vtdiag.hang.CarriersKept.Kept;
import io.github.vtdiag.hang.Diagnosis.Crowd;
import io.github.vtdiag.model.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Diagnoses hangs from two snapshots some time apart. A thread that moved in between is not stuck.
 */
public final class Diagnoser {
  private final Snapshot before;
  private final Snapshot after;
  private final Map<Long, SeenThread> still = new LinkedHashMap<>();
  private final WaitGraph graph;
  private final Crowds crowds;

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
    this.crowds = new Crowds(after, graph);
  }

  /** Returns all diagnoses, the worst first; never empty. */
  public static List<Diagnosis> diagnose(Snapshot before, Snapshot after) {
    return new Diagnoser(before, after).diagnose();
  }

  private List<Diagnosis> diagnose() {
    List<Diagnosis> all = new ArrayList<>();
    for (List<WaitEdge> edges : graph.cycles()) {
      if (edges.stream().allMatch(this::lasts)) {
        all.add(new LockCycle(edges));
      }
    }
    if (all.isEmpty()) {
      graph.knot(still.keySet()).ifPresent(edges -> all.add(new LockCycle(edges)));
    }
    all.addAll(neverReleased());
    stranded(Set.copyOf(all)).ifPresent(all::add);
    Set<Diagnosis> deadlocks = Set.copyOf(all);
    carriers(deadlocks).ifPresent(all::add);
    for (OtherScheduler scheduler : after.schedulers()) {
      carriers(scheduler, deadlocks).or(() -> notScheduled(scheduler)).ifPresent(all::add);
    }
    notScheduled().ifPresent(all::add);
    if (all.isEmpty()) {
      all.add(rest());
    }
    all.sort(Comparator.comparing(diagnosis -> diagnosis.kind().severity()));
    return all;
  }

  /** Returns whether both threads stood still, and no timeout will end the wait. */
  private boolean lasts(WaitEdge edge) {
    return still.containsKey(edge.waiter().id())
        && still.containsKey(edge.other().id())
        && !edge.waiter().waitsFor().isTimed();
  }

  /**
   * Returns the locks whose owners have ended, with the threads that wait for them without a
   * timeout.
   */
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
   * Returns the virtual threads whose wait no thread can end.
   *
   * @param deadlocks the deadlocks that explain the others
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
   * Returns the diagnosis for the state in which every carrier is occupied; empty if one is not.
   *
   * @param deadlocks those that were found already
   */
  private Optional<Diagnosis> carriers(Set<Diagnosis> deadlocks) {
    List<SeenThread> keepers = keepers(thread -> !after.isElsewhere(thread));
    long queued = queued();
    CarrierPool pool = after.carriers();
    // A carrier that waits itself is about to run a thread, or prevents all others from doing so.
    boolean needed = queued > 0 || keepers.stream().anyMatch(SeenThread::isBlockedCarrier);
    if (keepers.isEmpty()
        || !needed
        || mounted(thread -> !after.isElsewhere(thread)) > keepers.size()
        || keepers.size() < pool.carriers().orElse(0)
        || keepers.size() < pool.parallelism().orElse(1)) {
      return Optional.empty();
    }
    return Optional.of(allKept(keepers, queued, deadlocks, ""));
  }

  /**
   * Returns the same for another scheduler, of which only the threads that carry its threads are
   * known.
   */
  private Optional<Diagnosis> carriers(OtherScheduler scheduler, Set<Diagnosis> deadlocks) {
    Predicate<SeenThread> its = thread -> scheduler.threads().contains(thread.id());
    List<SeenThread> keepers = keepers(its);
    long queued =
        Math.max(
            still.values().stream().filter(its).filter(SeenThread::needsCarrier).count(),
            queued(scheduler));
    boolean allKept =
        !keepers.isEmpty()
            && queued > 0
            && mounted(its) == keepers.size()
            && keepers.size() >= scheduler.carriers().orElse(Integer.MAX_VALUE);
    return allKept
        ? Optional.of(allKept(keepers, queued, deadlocks, scheduler.name()))
        : Optional.empty();
  }

  /** Returns the diagnosis for queued threads that no carrier takes, though carriers are free. */
  private Optional<Diagnosis> notScheduled() {
    CarrierPool pool = after.carriers();
    long queued = queued();
    boolean noneRan = queued > 0 && pool.hasMountedNoneSince(before.carriers());
    int free = Math.min(before.carriers().free(), pool.free());
    return noneRan && free > 0
        ? Optional.of(NotScheduled.byJdk(queued, free, pool.parallelism().orElse(free)))
        : Optional.empty();
  }

  /** Returns the same for another scheduler, whose carriers may do anything else. */
  private Optional<Diagnosis> notScheduled(OtherScheduler now) {
    long queued = queued(now);
    boolean noneRan =
        queued > 0
            && now.mounts().isPresent()
            && earlier(now).allMatch(then -> then.mounts().equals(now.mounts()));
    return noneRan ? Optional.of(NotScheduled.by(now.name(), queued)) : Optional.empty();
  }

  /** Returns the number of virtual threads that were queued for it in both snapshots. */
  private long queued(OtherScheduler now) {
    return Math.min(
        earlier(now).mapToLong(then -> then.queued().orElse(0)).sum(), now.queued().orElse(0));
  }

  /** Returns what was seen of a scheduler before; two may have the same name. */
  private Stream<OtherScheduler> earlier(OtherScheduler now) {
    return before.schedulers().stream().filter(then -> then.name().equals(now.name()));
  }

  private Diagnosis allKept(
      List<SeenThread> keepers, long queued, Set<Diagnosis> deadlocks, String scheduler) {
    List<Kept> kept = keepers.stream().map(thread -> new Kept(thread, chain(thread))).toList();
    return kept.stream().allMatch(this::waitsForUnmounted)
        ? new CarriersKept.DeadlockByPinning(kept, queued, scheduler)
        : new CarriersKept.Starved(
            kept, queued, lostWakeUps(), deadlock(kept, deadlocks), scheduler);
  }

  /**
   * Returns the virtual threads that occupy their carriers, and the carriers that wait themselves.
   */
  private List<SeenThread> keepers(Predicate<SeenThread> such) {
    return still.values().stream()
        .filter(such)
        .filter(Diagnoser::hasCarrier)
        .filter(thread -> thread.stays() || !(thread.waitsFor() instanceof ThreadWait.Nothing))
        .toList();
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

  /** Returns whether it is a virtual thread on a carrier, or a carrier that waits itself. */
  private static boolean hasCarrier(SeenThread thread) {
    return thread.isBlockedCarrier()
        || (thread.virtual() && thread.mount() == SeenThread.Mount.MOUNTED);
  }

  /**
   * Returns the number of virtual threads that were queued for the JDK's scheduler in both
   * snapshots.
   */
  private long queued() {
    long seen =
        still.values().stream()
            .filter(thread -> thread.needsCarrier() && !after.isElsewhere(thread))
            .count();
    return Math.max(
        seen, Math.min(before.carriers().queued().orElse(0), after.carriers().queued().orElse(0)));
  }

  private long mounted(Predicate<SeenThread> such) {
    return after.threads().stream().filter(such).filter(Diagnoser::hasCarrier).count();
  }

  private List<WaitEdge> chain(SeenThread first) {
    List<WaitEdge> chain = new ArrayList<>(graph.chain(first));
    List<SeenThread> needy = still.values().stream().filter(SeenThread::needsCarrier).toList();
    SeenThread last = chain.isEmpty() ? first : chain.getLast().other();
    WaitGraph.sameCall(last, needy).or(() -> SocketPolling.edge(last, needy)).ifPresent(chain::add);
    return chain;
  }

  /** Returns whether a chain ends with a thread that needs a carrier. */
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
                    // A thread that needs a carrier may be the next to enter.
                    || (after.monitorsComplete()
                        && queued() == 0
                        && graph.isBlockedAtNothing(thread)))
        .toList();
  }

  /** Returns what is unknown of threads on carriers of a scheduler whose carriers are not known. */
  private Optional<String> keptElsewhere(List<SeenThread> stuck) {
    return after.schedulers().stream()
        .filter(scheduler -> scheduler.carriers().isEmpty())
        .filter(
            scheduler ->
                stuck.stream()
                    .anyMatch(
                        thread -> hasCarrier(thread) && scheduler.threads().contains(thread.id())))
        .findFirst()
        .map(
            scheduler ->
                "virtual threads stand still on carriers of a scheduler that is not the JDK's ("
                    + scheduler.name()
                    + "); how many carriers it has, and who waits for one, is not known from"
                    + " outside");
  }

  private Diagnosis rest() {
    List<SeenThread> virtual = after.threads().stream().filter(SeenThread::virtual).toList();
    long count = virtual.size() + after.others();
    List<SeenThread> stuck = still.values().stream().filter(SeenThread::virtual).toList();
    if (count == 0) {
      return new Diagnosis.Idle(0, 0);
    }
    List<SeenThread> lost = lostWakeUps();
    if (!lost.isEmpty()) {
      return new Diagnosis.LostWakeUp(lost);
    }
    long moved = count - stuck.size();
    List<Crowd> largest = crowds.largest(stuck);
    long crowded = largest.stream().mapToLong(Crowd::threads).sum();
    if (crowded > 1 && crowded * 2 > count) {
      return new Diagnosis.Waiting(largest, count);
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
    Optional<String> unseen = keptElsewhere(stuck);
    if (unseen.isPresent()) {
      return new Diagnosis.Unknown(unseen.get());
    }
    long inNative =
        stuck.stream()
            .filter(thread -> thread.mount() == SeenThread.Mount.MOUNTED)
            .filter(thread -> thread.waitsFor() instanceof ThreadWait.NativeCode)
            .filter(thread -> !thread.isInSelector())
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
    List<Crowd> forOthers = crowds.forOthers(stuck);
    return forOthers.isEmpty()
        ? new Diagnosis.Idle(count, stuck.stream().filter(SeenThread::isInSelector).count())
        : new Diagnosis.Waiting(forOthers, count);
  }
}
