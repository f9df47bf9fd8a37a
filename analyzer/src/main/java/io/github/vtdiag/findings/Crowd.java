package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding.Wait;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Amount;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.analysis.Observation.Evidence;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitTally;
import io.github.vtdiag.waits.Awaited;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The threads that wait for one thing at one place, over all samples. */
final class Crowd {
  private Awaited awaited;
  private final Optional<Frame> site;
  private final WaitTally tally = new WaitTally();
  private final Set<Integer> locks = new HashSet<>();
  private boolean manyLocks;
  private boolean stalled;
  private boolean ownerless;
  private DeadlockRole deadlock = DeadlockRole.NO;
  private final Map<Integer, Integer> owners = new HashMap<>();

  /** The threads in each method that waits, all samples together. */
  private final Map<String, Integer> inMethod = new HashMap<>();

  private final Map<String, Awaited> named = new HashMap<>();

  /** The most free permits of the semaphore in any sample; negative if not known. */
  private int free = -1;

  Crowd(Awaited awaited, Optional<Frame> site) {
    this.awaited = awaited;
    this.site = site;
  }

  /**
   * @param stalls whether these threads were stalled when the recording ended
   * @param what what they wait for: the same, but perhaps inside another method
   * @param hangs the stacks of threads in a hang
   */
  void add(WaitLook look, WaitCrowd crowd, Awaited what, boolean stalls, HangStacks hangs) {
    String method = what.inside().map(Frame::qualifiedMethod).orElse("");
    named.putIfAbsent(method, what);
    inMethod.merge(method, crowd.threads(), Integer::sum);
    stalled |= stalls;
    ownerless |= hangs.ownerless().contains(crowd.stack());
    if (hangs.deadlocked().contains(crowd.stack())) {
      deadlock = DeadlockRole.THREADS;
    } else if (hangs.deadlocked().contains(crowd.ownerStack())) {
      deadlock = DeadlockRole.worse(deadlock, DeadlockRole.OWNER);
    } else if (stalls && hangs.endsInDeadlock() && crowd.ownerStack() == 0) {
      deadlock = DeadlockRole.worse(deadlock, DeadlockRole.PERHAPS);
    }
    tally.add(look, crowd.threads());
    manyLocks |= crowd.locks() > 1;
    free = Math.max(free, crowd.free() - 1);
    if (crowd.lockIdentity() != 0) {
      locks.add(crowd.lockIdentity());
    }
    if (crowd.ownerStack() != 0) {
      owners.merge(crowd.ownerStack(), crowd.threads(), Integer::sum);
    }
  }

  /** Returns whether threads of it were stalled when the recording ended. */
  boolean isStalled() {
    return stalled;
  }

  /**
   * Returns the finding, if the crowd is large enough for one.
   *
   * @param few whether a single thread is enough
   */
  Optional<Wait> finding(
      boolean few,
      Waits.WaitSamples looks,
      List<SeenPool> pools,
      PoolUsers users,
      Function<Frame, Owner> ownerOf,
      IntFunction<Optional<Waits.Holder>> holderOf) {
    nameMost();
    Optional<WaitKind> kind = WaitKind.of(awaited.kind());
    Optional<WaitTally.Crowd> many =
        kind.flatMap(each -> few ? tally.few(looks.all()) : tally.of(looks.all()));
    if (many.isEmpty()) {
      return Optional.empty();
    }
    WaitTally.Crowd threads = many.get();
    boolean scarce = awaited.kind().isScarce();
    double ofBusy = looks.meanBusy() == 0 ? 0 : threads.mean() / looks.meanBusy();
    if (!few && ofBusy < (scarce || stalled ? WaitTally.LEAST_SHARE : WaitTally.MOST)) {
      return Optional.empty();
    }
    List<Detail> details = new ArrayList<>();
    details.add(Detail.of("virtualThreads", Unit.COUNT, looks.meanAlive(), false));
    details.add(Detail.of("busyThreads", Unit.COUNT, looks.meanBusy(), true));
    details.add(Detail.of("threadsError", Unit.COUNT, threads.error(), true));
    if (isOne()) {
      details.add(Detail.of("objects", Unit.COUNT, 1, false));
    }
    if (isOne() && awaited.kind() == Awaited.Kind.SEMAPHORE && free >= 0) {
      details.add(Detail.of("free", Unit.COUNT, free, false));
    }
    if (stalled) {
      details.add(Detail.of(WaitText.STALLED, Unit.COUNT, 1, false));
    }
    if (ownerless && awaited.kind() == Awaited.Kind.LOCK) {
      details.add(Detail.of(WaitText.OWNER_ENDED, Unit.COUNT, 1, false));
    }
    if (deadlock != DeadlockRole.NO && kind.get().bottleneck() == Bottleneck.LOCK) {
      details.add(Detail.of(WaitText.DEADLOCK, deadlock.name()));
    }
    bound(pools)
        .ifPresent(bound -> addBound(bound, threads, mostUsers(bound, looks, users), details));
    holder(holderOf)
        .ifPresent(
            holder -> {
              details.add(Detail.of("holder", holder.site()));
              details.add(Detail.of("holderWaitsFor", does(holder.awaited())));
            });
    boolean estimated = looks.all().stream().anyMatch(look -> look.looked() < look.alive());
    return Optional.of(
        new Wait(
            kind.get(),
            new Observation(
                awaited.subject(),
                awaited.traits(),
                site,
                awaited.inside(),
                awaited.inside().map(ownerOf).orElseGet(Owner.Jdk::new),
                new Amount(Unit.THREAD_NANOS, threads.mean() * looks.durationNanos(), true),
                tally.sightings(),
                Optional.of(
                    new AtOnce(
                        threads.mean(),
                        (long) Math.ceil(threads.most()),
                        looks.meanAlive() == 0
                            ? -1
                            : Math.min(1, threads.mean() / looks.meanAlive()))),
                scarce || stalled || awaited.kind() == Awaited.Kind.ANSWER,
                estimated ? withEstimate(details, looks) : details,
                new Evidence(
                    List.of(Events.WAIT_CROWD), looks.all().size(), OptionalLong.empty()))));
  }

  /** Names the method in which most of them wait: they may do so at several monitors. */
  private void nameMost() {
    inMethod.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(most -> named.get(most.getKey()))
        .ifPresent(most -> awaited = most);
  }

  private boolean isOne() {
    return !manyLocks && locks.size() == 1;
  }

  /** Returns the bound, if it is known. */
  private Optional<Bound> bound(List<SeenPool> pools) {
    if (awaited.kind() == Awaited.Kind.POOL) {
      return Bound.of(awaited.subject(), pools);
    }
    // Only one thread at a time holds such a lock.
    return isOne() && awaited.is(Awaited.Trait.EXCLUSIVE)
        ? Optional.of(new Bound("", 1, 1))
        : Optional.empty();
  }

  /** Returns the threads that have most of a pool's objects, if all are in use. */
  private Optional<PoolUsers.Most> mostUsers(
      Bound bound, Waits.WaitSamples looks, PoolUsers users) {
    return awaited.kind() == Awaited.Kind.POOL && bound.isReached()
        ? awaited
            .inside()
            .flatMap(
                pool ->
                    users.most(
                        pool, bound.objects(), looks.all().stream().filter(tally::isIn).toList()))
        : Optional.empty();
  }

  private void addBound(
      Bound bound, WaitTally.Crowd threads, Optional<PoolUsers.Most> users, List<Detail> details) {
    if (!bound.name().isEmpty()) {
      details.add(Detail.of("name", bound.name()));
    }
    details.add(Detail.of("bound", Unit.COUNT, (double) bound.objects(), false));
    details.add(Detail.of("inUse", Unit.COUNT, (double) bound.mostInUse(), false));
    // If no thread gets through, there is no use to compare the wait with.
    Optional.of(bound)
        .filter(known -> !stalled)
        .flatMap(known -> known.waitsPerUse(threads.mean(), threads.looks()))
        .ifPresent(
            times -> {
              details.add(Detail.of("waitsPerUse", Unit.COUNT, times, true));
              // More users would wait for the same lock.
              if (users.filter(PoolUsers.AtLock.class::isInstance).isEmpty()) {
                details.add(Detail.of("withTwice", Unit.COUNT, bound.twice(threads.mean()), true));
              }
            });
    users.ifPresent(most -> add(most, details));
  }

  private static void add(PoolUsers.Most users, List<Detail> details) {
    switch (users) {
      case PoolUsers.AtLock(String place, double threads) -> {
        details.add(Detail.of("usersAtLock", Unit.COUNT, threads, true));
        details.add(Detail.of(Observation.LOCK_OF_USERS, place));
      }
      case PoolUsers.InTransaction(PoolUsers.Meanwhile meanwhile, double threads) -> {
        details.add(Detail.of("inTransaction", Unit.COUNT, threads, true));
        details.add(Detail.of(WaitText.TRANSACTION_WAITS_IN, meanwhile.place()));
        details.add(Detail.of("transactionWaitsFor", meanwhile.awaited()));
      }
    }
  }

  private static List<Detail> withEstimate(List<Detail> details, Waits.WaitSamples looks) {
    double looked = looks.all().stream().mapToInt(WaitLook::looked).average().orElse(0);
    details.add(Detail.of("lookedAt", Unit.COUNT, looked, false));
    return details;
  }

  private Optional<Waits.Holder> holder(IntFunction<Optional<Waits.Holder>> holderOf) {
    return owners.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .flatMap(most -> holderOf.apply(most.getKey()));
  }

  /** Returns what a holder waits for; empty if it may be running. */
  private static String does(Awaited awaited) {
    return awaited.kind() == Awaited.Kind.UNKNOWN ? "" : awaited.subject();
  }
}
