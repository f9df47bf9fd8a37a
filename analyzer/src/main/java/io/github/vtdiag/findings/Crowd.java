package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Wait;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Amount;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.analysis.Observation.Evidence;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.program.Owner;
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

/** The threads that wait for one thing at one place, over all looks. */
final class Crowd {
  /** What was seen this often is no accident of the lot. */
  private static final int FEWEST_SIGHTINGS = 5;

  /** Two at a time may meet by chance. */
  private static final double FEWEST_THREADS = 2;

  /** Of those that have something to do; fewer slow nobody down but themselves. */
  private static final double LEAST_SHARE = 0.05;

  /** Waits of which most programs have some count only if they are most of what threads do. */
  private static final double MOST = 0.5;

  /** So many looks in a row are no burst, where they are a good part of the time. */
  private static final int IN_A_ROW = 3;

  private static final double BURST = 0.1;

  private final Awaited awaited;
  private final Optional<Frame> site;
  private final Map<Long, Integer> byLook = new HashMap<>();
  private final Set<Integer> locks = new HashSet<>();
  private boolean manyLocks;
  private boolean stalled;
  private final Map<Integer, Integer> owners = new HashMap<>();
  private long sightings;

  /** The most permits of the semaphore that nobody had at a look; negative if not known. */
  private int free = -1;

  Crowd(Awaited awaited, Optional<Frame> site) {
    this.awaited = awaited;
    this.site = site;
  }

  /**
   * @param stalls whether these threads stood still when the recording ended
   */
  void add(WaitLook look, WaitCrowd crowd, boolean stalls) {
    stalled |= stalls;
    byLook.merge(look.number(), crowd.threads(), Integer::sum);
    sightings += crowd.threads();
    manyLocks |= crowd.locks() > 1;
    free = Math.max(free, crowd.free() - 1);
    if (crowd.lockIdentity() != 0) {
      locks.add(crowd.lockIdentity());
    }
    if (crowd.ownerStack() != 0) {
      owners.merge(crowd.ownerStack(), crowd.threads(), Integer::sum);
    }
  }

  /** The finding, if it is worth one. */
  Optional<Wait> finding(
      Waits.Looks looks,
      List<SeenPool> pools,
      Function<Frame, Owner> ownerOf,
      IntFunction<Optional<Waits.Holder>> holderOf) {
    Optional<WaitKind> kind = WaitKind.of(awaited.kind());
    if (kind.isEmpty() || sightings < FEWEST_SIGHTINGS) {
      return Optional.empty();
    }
    double mean = 0;
    double most = 0;
    double squares = 0;
    int all = looks.all().size();
    for (WaitLook look : looks.all()) {
      double threads = byLook.getOrDefault(look.number(), 0) * Waits.Looks.scale(look);
      mean += threads / all;
      squares += threads * threads / all;
      most = Math.max(most, threads);
    }
    double ofBusy = looks.meanBusy() == 0 ? 0 : mean / looks.meanBusy();
    boolean many = mean >= FEWEST_THREADS && lasts(looks);
    if (!many || ofBusy < (kind.get().isScarce() ? LEAST_SHARE : MOST)) {
      return Optional.empty();
    }
    List<Detail> details = new ArrayList<>();
    details.add(Detail.of("virtualThreads", Unit.COUNT, looks.meanAlive(), false));
    details.add(Detail.of("busyThreads", Unit.COUNT, looks.meanBusy(), true));
    // Of the mean over looks that each saw something else.
    double error = 2 * Math.sqrt(Math.max(0, squares - mean * mean) / Math.max(1, all - 1));
    details.add(Detail.of("threadsError", Unit.COUNT, error, true));
    if (isOne()) {
      details.add(Detail.of("objects", Unit.COUNT, 1, false));
    }
    if (isOne() && awaited.kind() == Awaited.Kind.SEMAPHORE && free >= 0) {
      details.add(Detail.of("free", Unit.COUNT, free, false));
    }
    if (stalled && kind.get().isScarce()) {
      details.add(Detail.of(WaitText.STALLED, Unit.COUNT, 1, false));
    }
    double meanThreads = mean;
    bound(pools).ifPresent(bound -> addBound(bound, meanThreads, all, details));
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
                site,
                awaited.inside(),
                awaited.inside().map(ownerOf).orElseGet(Owner.Jdk::new),
                new Amount(Unit.THREAD_NANOS, mean * looks.durationNanos(), true),
                sightings,
                Optional.of(
                    new AtOnce(
                        mean,
                        (long) Math.ceil(most),
                        looks.meanAlive() == 0 ? -1 : Math.min(1, mean / looks.meanAlive()))),
                kind.get().isScarce() || awaited.kind() == Awaited.Kind.ANSWER,
                estimated ? withEstimate(details, looks) : details,
                new Evidence(
                    List.of(Events.WAIT_CROWD), looks.all().size(), OptionalLong.empty()))));
  }

  private boolean isOne() {
    return !manyLocks && locks.size() == 1;
  }

  /** How many of it there are, where that is known. */
  private Optional<Bound> bound(List<SeenPool> pools) {
    return switch (awaited.kind()) {
      case POOL -> Bound.of(awaited.subject(), pools);
      // Only one thread at a time has such a lock.
      case LOCK ->
          isOne() && awaited.subject().equals("ReentrantLock")
              ? Optional.of(new Bound("", 1, 1))
              : Optional.empty();
      case SEMAPHORE, MONITOR, FULL_QUEUE, SIGNAL, FUTURE, ANSWER, DATA, SLEEP, IDLE, UNKNOWN ->
          Optional.empty();
    };
  }

  private void addBound(Bound bound, double mean, int looks, List<Detail> details) {
    if (!bound.name().isEmpty()) {
      details.add(Detail.of("name", bound.name()));
    }
    details.add(Detail.of("bound", Unit.COUNT, (double) bound.objects(), false));
    details.add(Detail.of("inUse", Unit.COUNT, (double) bound.mostInUse(), false));
    // Where nobody comes through there is no use to compare the wait with.
    Optional.of(bound)
        .filter(known -> !stalled)
        .flatMap(known -> known.waitsPerUse(mean, (double) byLook.size() / looks))
        .ifPresent(
            times -> {
              details.add(Detail.of("waitsPerUse", Unit.COUNT, times, true));
              details.add(Detail.of("withTwice", Unit.COUNT, bound.twice(mean), true));
            });
  }

  private static List<Detail> withEstimate(List<Detail> details, Waits.Looks looks) {
    double looked = looks.all().stream().mapToInt(WaitLook::looked).average().orElse(0);
    details.add(Detail.of("lookedAt", Unit.COUNT, looked, false));
    return details;
  }

  private Optional<Waits.Holder> holder(IntFunction<Optional<Waits.Holder>> holderOf) {
    return owners.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .flatMap(most -> holderOf.apply(most.getKey()));
  }

  /** What a holder does meanwhile; empty if it may be running. */
  private static String does(Awaited awaited) {
    return awaited.kind() == Awaited.Kind.UNKNOWN ? "" : awaited.subject();
  }

  /** Half of the time, or several looks in a row that are a good part of it. */
  private boolean lasts(Waits.Looks looks) {
    int row = 0;
    int longest = 0;
    for (WaitLook look : looks.all()) {
      row = byLook.containsKey(look.number()) ? row + 1 : 0;
      longest = Math.max(longest, row);
    }
    int all = looks.all().size();
    return byLook.size() * 2 >= all || (longest >= IN_A_ROW && longest >= BURST * all);
  }
}
