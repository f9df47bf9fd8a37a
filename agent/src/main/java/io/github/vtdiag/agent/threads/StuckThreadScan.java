package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.watch.Carriers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Finds, cheaply, the threads that may be stuck: a field or two of each virtual thread, and no
 * stack. Whoever runs, or waits for what has no owner, is none of them.
 */
final class StuckThreadScan {
  /** So many are looked at in full; with more, others each time. */
  private static final int MOST = 256;

  /** A wait that is woken for nothing now and then uses this much. */
  private static final long WAKES_NANOS = 100_000;

  /** Who runs uses one part in so many of a processor, or there is none for it. */
  private static final int RAN = 100;

  private final ThreadInternals internals;
  private final ThreadReader reader;
  private final Management management;
  private final OtherSchedulers schedulers;

  /** Of the carriers and platform threads, at the look before. */
  private Map<Long, Long> cpuBefore = Map.of();

  private Map<Long, Long> cpu = new HashMap<>();
  private Map<Long, Carrying> carriedBefore = Map.of();
  private long scannedNanos;

  /** Whether each mount is counted, as far as was seen. */
  private boolean counted;

  private Map<Thread, Integer> wokenBefore = Map.of();

  private int turn;

  /** Those that needed a carrier at the last scan, or some of them. */
  private List<Thread> queuedLast = List.of();

  /**
   * What one scan found.
   *
   * @param stuck those to look at in full
   * @param standing virtual threads that have not left their carriers since the scan before, and
   *     used no processor; and carriers that are blocked so
   * @param mounted all virtual threads that have a carrier
   * @param running those of them that have not left it since the scan before, and ran; with how
   *     often their carriers had mounted
   * @param kept those of them that have not left it since the scan before, of those that were asked
   *     for; whether they ran or not
   * @param blocked carriers that wait with no virtual thread on them, and not for work
   * @param runnable platform threads that are said to run and use no processor: in native code, or
   *     waiting for a class
   * @param virtualThreads how many there are
   * @param queued how many of them need a carrier of the JDK's scheduler
   * @param queuedElsewhere how many need one of another scheduler, by that
   */
  record Result(
      Set<Thread> stuck,
      Set<Thread> standing,
      List<Thread> mounted,
      Map<Thread, Long> running,
      Set<Thread> kept,
      List<Thread> blocked,
      List<Thread> runnable,
      long virtualThreads,
      long queued,
      IdentityHashMap<Object, Long> queuedElsewhere) {}

  /** What a carrier carried at a scan. */
  private record Carrying(long thread, long mounts) {}

  StuckThreadScan(
      ThreadInternals internals,
      ThreadReader reader,
      Management management,
      OtherSchedulers schedulers,
      boolean counted) {
    this.schedulers = schedulers;
    this.counted = counted;
    this.internals = internals;
    this.reader = reader;
    this.management = management;
  }

  /** The collections of one scan. */
  private final class Scan {
    final Set<Thread> stuck = new LinkedHashSet<>();
    final List<Thread> mounted = new ArrayList<>();
    final List<Thread> waiting = new ArrayList<>();
    final List<Thread> blocked = new ArrayList<>();

    /** Those that were woken and still wait, with the number of scans in a row. */
    final Map<Thread, Integer> woken = new HashMap<>();

    /** Those that wait for a lock that nobody has, if only for the moment. */
    final List<Thread> forgotten = new ArrayList<>();

    final List<Thread> queued = new ArrayList<>();

    /** By lock, whether waiting for it can mean anything. */
    final IdentityHashMap<Object, Boolean> hopeless = new IdentityHashMap<>();

    long count;
    long needy;
    final IdentityHashMap<Object, Long> needyElsewhere = new IdentityHashMap<>();

    void virtual(Thread thread) {
      count++;
      int state = internals.state(thread);
      if (internals.isWoken(thread, state)) {
        // No stack: who reads it makes the JDK look again, and the thread goes on.
        if (woken.size() < MOST) {
          woken.put(thread, wokenBefore.getOrDefault(thread, 0) + 1);
        }
      } else if (internals.isBlocked(state)) {
        addSome(blocked, thread);
      } else if (internals.carrier(thread) != null) {
        mounted.add(thread);
      } else if (internals.isQueued(state) || internals.isOverdue(thread, state)) {
        Object other = schedulers.of(thread);
        if (other == null) {
          needy++;
        } else {
          needyElsewhere.merge(other, 1L, Long::sum);
        }
        addSome(queued, thread);
      } else {
        waiter(thread, state);
      }
    }

    void waiter(Thread thread, int state) {
      Object lock = internals.blocker(thread);
      Thread holder = lock == null ? null : internals.owner(lock);
      if (holder == null
          && internals.isParked(state)
          && reader.next(lock).filter(thread::equals).isPresent()) {
        addSome(forgotten, thread);
      }
      // Who has just got it is not parked any more; a reader that asks for the write lock is.
      if (holder != null
          && (internals.isParked(state) || !holder.equals(thread))
          && hopeless.computeIfAbsent(lock, this::isHopeless)) {
        addSome(waiting, thread);
      }
    }

    /** Whether who waits for this lock waits, in the end, for one that does not run. */
    @SuppressWarnings("ReferenceEquality") // one object or not is the question
    boolean isHopeless(Object first) {
      Object lock = first;
      for (int steps = 0; steps < 1_000; steps++) {
        Thread holder = internals.owner(lock);
        if (holder == null) {
          return false;
        }
        if (!holder.isAlive()) {
          return true;
        }
        if (!holder.isVirtual()) {
          // Its state is no field that could be read for nothing.
          return mayWaitForLock(holder);
        }
        Object next = internals.blocker(holder);
        if (next == null || internals.owner(next) == null) {
          // It runs, or waits for what has no owner; or it waits for a monitor or a class.
          return internals.isBlocked(internals.state(holder)) || internals.carrier(holder) != null;
        }
        if (next == first) {
          return true;
        }
        lock = next;
      }
      return true;
    }

    void addSome(List<Thread> list, Thread thread) {
      if (list.size() < MOST) {
        list.add(thread);
      } else {
        // Each has its chance, at one scan or another.
        int slot = Math.floorMod(turn++ * 31, 4 * MOST);
        if (slot < MOST) {
          list.set(slot, thread);
        }
      }
    }
  }

  private boolean mayWaitForLock(Thread platform) {
    return switch (platform.getState()) {
      case BLOCKED -> true;
      case WAITING -> internals.owner(internals.blocker(platform)) != null;
      case NEW, RUNNABLE, TIMED_WAITING, TERMINATED -> false;
    };
  }

  private static List<Thread> runnable(List<Thread> platform) {
    return platform.stream().filter(thread -> thread.getState() == Thread.State.RUNNABLE).toList();
  }

  /**
   * Scans all.
   *
   * @param platform the platform threads, without carriers of the JDK's scheduler
   * @param carriers all of these
   * @param keepers the ids of threads that kept their carriers at the scan before
   */
  Result scan(List<Thread> platform, List<ForkJoinWorkerThread> carriers, Set<Long> keepers) {
    Scan scan = new Scan();
    internals.eachVirtual(scan::virtual);
    scan.stuck.addAll(scan.forgotten);
    scan.stuck.addAll(scan.blocked);
    scan.stuck.addAll(scan.waiting);
    Map<Long, Carrying> carried = new HashMap<>();
    Map<Thread, Long> running = new HashMap<>();
    Set<Thread> kept = new HashSet<>();
    long elapsed = System.nanoTime() - scannedNanos;
    scannedNanos += elapsed;
    Set<Thread> standing = new HashSet<>();
    for (Thread thread : scan.mounted) {
      Thread carrier = internals.carrier(thread);
      if (carrier != null) {
        Carrying now = new Carrying(thread.threadId(), mounts(carrier));
        Carrying before = carriedBefore.get(carrier.threadId());
        carried.put(carrier.threadId(), now);
        boolean stays = before != null && before.thread() == now.thread();
        counted &= before == null || stays || before.mounts() != now.mounts();
        if (now.equals(before) && keepers.contains(thread.threadId())) {
          kept.add(thread);
        }
        if (stoodStill(carrier) && stays) {
          scan.stuck.add(thread);
          standing.add(thread);
        } else if (now.equals(before) && ran(carrier, elapsed)) {
          running.put(thread, now.mounts());
        }
      }
    }
    List<Thread> blocked = new ArrayList<>();
    for (ForkJoinWorkerThread carrier : carriers) {
      if (!carried.containsKey(carrier.threadId())
          && Carriers.isBlocked(carrier)
          && stoodStill(carrier)) {
        blocked.add(carrier);
      }
    }
    queuedLast = List.copyOf(scan.queued);
    boolean noneMoves = standing.size() == scan.mounted.size();
    standing.addAll(blocked);
    if (noneMoves && !standing.isEmpty()) {
      // They may be the ones to go on.
      scan.stuck.addAll(scan.queued);
    } else {
      reader.forgetQueue();
    }
    carriedBefore = carried;
    for (Thread thread : platform) {
      // The carrier of another scheduler waits as the thread that it carries.
      if (!carried.containsKey(thread.threadId()) && mayWaitForLock(thread)) {
        scan.stuck.add(thread);
      }
    }
    List<Thread> still = runnable(platform).stream().filter(this::stoodStill).toList();
    wokenBefore = Map.copyOf(scan.woken);
    cpuBefore = cpu;
    cpu = new HashMap<>();
    if (!counted) {
      running.clear();
      kept.clear();
    }
    return new Result(
        scan.stuck,
        standing,
        scan.mounted,
        running,
        kept,
        blocked,
        still,
        scan.count,
        scan.needy,
        scan.needyElsewhere);
  }

  /** Those that needed a carrier at the last scan, or some of them. */
  List<Thread> queued() {
    return queuedLast;
  }

  /** Those that were woken and still waited, for so many scans in a row. */
  List<Thread> forgotten(int scans) {
    return wokenBefore.entrySet().stream()
        .filter(each -> each.getValue() >= scans)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How often a carrier has mounted; 0 if nobody counts. */
  static long mounts(Thread carrier) {
    return Mounts.count(Mounts.index(carrier));
  }

  /** Whether it had a processor, so that what it does not get done is its own doing. */
  private boolean ran(Thread carrier, long elapsedNanos) {
    Long before = cpuBefore.get(carrier.threadId());
    Long after = cpu.get(carrier.threadId());
    return before != null && after != null && after - before > elapsedNanos / RAN;
  }

  /** Whether a platform thread has used next to no processor time since the scan before. */
  private boolean stoodStill(Thread platform) {
    OptionalLong now = management.of(platform);
    if (now.isEmpty()) {
      return true;
    }
    cpu.put(platform.threadId(), now.getAsLong());
    Long before = cpuBefore.get(platform.threadId());
    return before != null && now.getAsLong() - before < WAKES_NANOS;
  }
}
