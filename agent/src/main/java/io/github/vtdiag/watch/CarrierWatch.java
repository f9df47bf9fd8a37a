package io.github.vtdiag.watch;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.OtherCarriers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Samples the carriers from outside, every {@value #PERIOD_MILLIS} ms. As long as threads mount and
 * unmount, a sample compares two numbers per carrier. A thread is asked for its state only if it
 * has not unmounted since the sample before, and for its stack only if it waits.
 *
 * <p>Nothing of a virtual thread is kept after it has unmounted.
 */
public final class CarrierWatch implements Runnable {
  static final long PERIOD_MILLIS = 20;
  private static final int JITTER_MILLIS = 5;
  static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

  /** The shortest wait in native code that is reported; the JDK has no event for it. */
  public static final Duration NATIVE = Duration.ofMillis(100);

  /**
   * The time between two searches for new carriers; until the first is found, every sample
   * searches.
   */
  private static final long SEARCH = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * The time after which carriers are searched for even if their number is the same: they may be
   * others.
   */
  private static final long SEARCH_ALL = TimeUnit.SECONDS.toNanos(1);

  /**
   * The delay beyond which a sample proves nothing about the time before it: the process may have
   * been suspended, or this thread may have had no processor.
   */
  private static final long LATE = 5 * PERIOD;

  /** The number of carriers of other schedulers that are named. */
  private static final int NAMES = 4;

  /** The part of a processor that close looks may take, unless that makes them rare: 1/200. */
  private static final int SHARE = 200;

  private final long threshold;
  private final Carried carried;
  private final Sightings sightings;
  private final CarrierStates states;
  private final Carriers carriers = new Carriers();
  private final ReentrantLock lock = new ReentrantLock();
  private final CarrierTimes times;
  private final SplittableRandom random = new SplittableRandom();
  private DetailedSnapshot closeLook;

  /** All carriers, those of the JDK's scheduler first. */
  private List<CarrierSlot> slots = List.of();

  private List<CarrierSlot> ofJdk = List.of();
  private long lastNanos;
  private long searchNanos;
  private long searchAllNanos;
  private long restUntilNanos;
  private int uncounted;

  /**
   * The number of samples since the last {@link #summary}; {@link #longestGap} is the longest time
   * between two of them.
   */
  private long looks;

  private long longestGap;

  /**
   * @param threshold the shortest wait that is a pin in progress
   * @param sightings receives what is to be reported
   * @param states knows what the JDK does not report of carriers
   * @throws ReflectiveOperationException if this JDK does not show which thread is mounted on a
   *     carrier
   */
  public CarrierWatch(Duration threshold, Sightings sightings, CarrierStates states)
      throws ReflectiveOperationException {
    this.states = states;
    this.threshold = threshold.toNanos();
    this.sightings = sightings;
    this.carried = new Carried();
    this.lastNanos = System.nanoTime();
    this.times = new CarrierTimes(states, lastNanos);
  }

  /**
   * Takes samples until the thread is interrupted, or until something fails that would fail again.
   */
  @Override
  public void run() {
    try {
      while (true) {
        // The period varies, so that it does not stay in phase with something the program does.
        Thread.sleep(PERIOD_MILLIS + random.nextInt(-JITTER_MILLIS, JITTER_MILLIS + 1));
        lock.lock();
        try {
          look(System.nanoTime());
        } finally {
          lock.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      states.close();
    }
  }

  private void look(long now) throws ReflectiveOperationException {
    long gap = now - lastNanos;
    looks++;
    longestGap = Math.max(longestGap, gap);
    if (slots.isEmpty() || now - searchNanos >= SEARCH) {
      searchNanos = now;
      if (mayHaveChanged(now)) {
        searchAllNanos = now;
        search();
      }
    }
    long unseen = gap > LATE ? gap - PERIOD : 0;
    boolean close = now - restUntilNanos >= 0;
    for (CarrierSlot slot : slots) {
      look(slot, now, unseen, close);
    }
    times.look(ofJdk, pool(), now);
    lastNanos = now;
    long spent = closeLook == null ? 0 : closeLook.takeSpentNanos();
    if (close) {
      restUntilNanos = now + Math.min(DetailedSnapshot.CLOSE, SHARE * spent);
    }
  }

  /**
   * Returns whether there may be new carriers. Going through the threads costs as much as many
   * samples; asking their pool costs nothing.
   */
  private boolean mayHaveChanged(long now) {
    ForkJoinPool pool = pool();
    return pool == null || pool.getPoolSize() != ofJdk.size() || now - searchAllNanos >= SEARCH_ALL;
  }

  /** Returns the JDK's scheduler; null as long as it has no carrier. */
  private ForkJoinPool pool() {
    return !ofJdk.isEmpty() && ofJdk.getFirst().carrier instanceof ForkJoinWorkerThread carrier
        ? carrier.getPool()
        : null;
  }

  private void search() {
    List<Thread> found = new ArrayList<>(carriers.find());
    found.addAll(Mounts.others());
    if (isKnown(found)) {
      return;
    }
    IdentityHashMap<Thread, CarrierSlot> before = new IdentityHashMap<>();
    slots.forEach(slot -> before.put(slot.carrier, slot));
    List<CarrierSlot> after = new ArrayList<>(found.size());
    for (Thread carrier : found) {
      CarrierSlot known = before.get(carrier);
      after.add(known != null ? known : new CarrierSlot(carrier));
    }
    if (closeLook == null) {
      // It loads what a program without virtual threads never needs. If that fails for lack of
      // memory, there must be no slot that uses it.
      closeLook = new DetailedSnapshot(threshold, carried, sightings, this::carriedNow, states);
    }
    slots = after;
    ofJdk = after.stream().filter(slot -> slot.ofJdk).toList();
  }

  /** Returns whether these are the known carriers, in the order in which they were found before. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private boolean isKnown(List<Thread> found) {
    boolean same = found.size() == slots.size();
    for (int i = 0; same && i < found.size(); i++) {
      same = found.get(i) == slots.get(i).carrier;
    }
    return same;
  }

  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  private void look(CarrierSlot slot, long now, long unseen, boolean close)
      throws ReflectiveOperationException {
    // In this order: the mount is counted before the carrier has its continuation.
    Object carries = carried.continuation(slot.carrier);
    long mounts = Mounts.count(slot.index);
    boolean same = carries == slot.carries && mounts == slot.mounts;
    boolean blocked = same && carries == null && isBlocked(slot);
    slot.idle = same && carries == null && !blocked;
    if (!same || slot.idle) {
      closeLook.end(slot, now);
      uncounted += slot.notes(carries, mounts) ? 1 : 0;
      // It was mounted at an unknown time between the two samples; time without samples does not
      // count.
      slot.elsewhereNanos = now - (now - lastNanos - unseen) / 2;
      slot.sinceMount = true;
      slot.examineNanos = now;
      slot.running = 0;
      slot.cpuAtNanos = 0;
      return;
    }
    slot.sameNanos = now;
    if (slot.wait == null) {
      slot.elsewhereNanos += unseen;
    } else {
      slot.wait.unseenNanos += unseen;
    }
    if ((close || slot.isDue(now)) && now - slot.examineNanos >= 0) {
      closeLook.examine(slot, now);
    }
  }

  /**
   * Returns whether a carrier without a mounted thread is blocked. For the thread of another
   * executor that is its own business.
   */
  static boolean isBlocked(CarrierSlot slot) {
    return slot.ofJdk
        && slot.carrier instanceof ForkJoinWorkerThread carrier
        && Carriers.isBlocked(carrier);
  }

  private List<Thread> carriedNow() {
    List<Thread> all = new ArrayList<>();
    try {
      for (CarrierSlot slot : slots) {
        if (slot.carries != null) {
          all.add(carried.thread(slot.carries));
        }
      }
    } catch (ReflectiveOperationException e) {
      // Then fewer are known.
    }
    return all;
  }

  private long queued() {
    ForkJoinPool pool = pool();
    return pool == null ? 0 : Carriers.queued(pool);
  }

  /**
   * Returns what the watch saw since the last call; empty if it is busy, and so takes samples.
   * Called once a second, by a thread of JFR's.
   *
   * @param atExit whether the program is about to end, and there will be no further call
   */
  public Optional<Events.WatchLook> summary(boolean atExit) {
    if (!tryLock(PERIOD)) {
      return Optional.empty();
    }
    try {
      long now = System.nanoTime();
      int kept = 0;
      int idle = 0;
      int otherKept = 0;
      for (CarrierSlot slot : slots) {
        idle += slot.ofJdk && slot.idle ? 1 : 0;
        boolean keeps =
            slot.wait != null && !slot.wait.idleLoop && slot.wait.lengthNanos(now) >= threshold;
        kept += slot.ofJdk && keeps ? 1 : 0;
        otherKept += !slot.ofJdk && keeps ? 1 : 0;
      }
      Events.WatchLook summary =
          new Events.WatchLook(
              TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()),
              threshold,
              NATIVE.toNanos(),
              PERIOD,
              looks,
              Math.max(longestGap, now - lastNanos),
              ofJdk.size(),
              kept,
              idle,
              queued(),
              uncounted == 0,
              atExit,
              new OtherCarriers(slots.size() - ofJdk.size(), otherKept, otherNames()),
              times.take(ofJdk));
      looks = 0;
      longestGap = 0;
      return Optional.of(summary);
    } finally {
      lock.unlock();
    }
  }

  private String otherNames() {
    String names =
        slots.stream()
            .filter(slot -> !slot.ofJdk)
            .map(slot -> slot.carrier.getName())
            .sorted()
            .limit(NAMES)
            .collect(Collectors.joining(", "));
    boolean more = slots.size() - ofJdk.size() > NAMES || Mounts.missedOthers();
    return names + (more ? ", ..." : "");
  }

  /** Reports all current waits that are long enough, because the JVM ends. */
  public void tellAll() {
    if (!tryLock(LATE)) {
      return;
    }
    try {
      long now = System.nanoTime();
      // First the waits that have just ended.
      look(now);
      for (CarrierSlot slot : slots) {
        closeLook.tellNow(slot, now);
      }
    } catch (ReflectiveOperationException e) {
      // Earlier reports are in the recording.
    } finally {
      lock.unlock();
    }
  }

  private boolean tryLock(long nanos) {
    try {
      return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
