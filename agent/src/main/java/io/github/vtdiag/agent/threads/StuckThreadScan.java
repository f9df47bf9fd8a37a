package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.watch.CarrierStates;
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
 * Finds, cheaply, the threads that may be stuck: it reads a field or two of each virtual thread,
 * and no stack. It leaves out threads that run, and threads that wait for something without an
 * owner, unless that is a task or a thread's end.
 */
final class StuckThreadScan {
  /** The number of threads that are examined in full; if there are more, others each time. */
  private static final int MOST = 256;

  /**
   * The processor time between two scans that a wait may use: it may be woken now and then for
   * nothing.
   */
  private static final long WAKES_NANOS = 100_000;

  /**
   * The part of a processor that a running thread uses at least, unless no processor is free:
   * 1/100.
   */
  private static final int RAN = 100;

  private final ThreadInternals internals;
  private final ThreadReader reader;
  private final AwaitedThreads awaited;
  private final Management management;
  private final OtherSchedulers schedulers;
  private final CarrierStates states;

  /** The processor times of the carriers and platform threads at the scan before. */
  private Map<Long, Long> cpuBefore = Map.of();

  private Map<Long, Long> cpu = new HashMap<>();
  private Map<Long, Carrying> carriedBefore = Map.of();
  private long scannedNanos;

  /** True as long as every mount seems to be counted. */
  private boolean counted;

  private Map<Thread, Integer> wokenBefore = Map.of();

  private int turn;

  /** The threads that needed a carrier at the last scan, or some of them. */
  private List<Thread> queuedLast = List.of();

  /**
   * The findings of one scan.
   *
   * @param stuck the threads to examine in full
   * @param standing virtual threads that have not left their carriers since the scan before, and
   *     used no processor time; and carriers that are blocked without using any
   * @param mounted all virtual threads that have a carrier
   * @param running those of them that have not left their carrier since the scan before, and ran,
   *     or slept and woke again and again; with the number of mounts of the carrier
   * @param kept those of them that have not left their carrier since the scan before, whether they
   *     ran or not; only of the threads that were asked for
   * @param blocked carriers that wait with no virtual thread mounted, and not for work
   * @param runnable platform threads that are runnable and use no processor time: in native code,
   *     or waiting for a class
   * @param virtualThreads the number of all virtual threads
   * @param queued the number of them that need a carrier of the JDK's scheduler
   * @param queuedElsewhere the number of them that need a carrier of another scheduler, by
   *     scheduler
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

  /** The virtual thread on a carrier at a scan. */
  private record Carrying(long thread, long mounts) {}

  StuckThreadScan(
      ThreadInternals internals,
      ThreadReader reader,
      Management management,
      OtherSchedulers schedulers,
      CarrierStates states,
      boolean counted) {
    this.schedulers = schedulers;
    this.states = states;
    this.counted = counted;
    this.internals = internals;
    this.reader = reader;
    this.awaited = reader.awaited();
    this.management = management;
  }

  /** The collections of one scan. */
  private final class Scan {
    final Set<Thread> stuck = new LinkedHashSet<>();
    final List<Thread> mounted = new ArrayList<>();
    final List<Thread> waiting = new ArrayList<>();
    final List<Thread> blocked = new ArrayList<>();

    /** The threads that were woken and still wait, with the number of scans in a row. */
    final Map<Thread, Integer> woken = new HashMap<>();

    /** The threads that wait for a free lock, if only for the moment. */
    final List<Thread> forgotten = new ArrayList<>();

    final List<Thread> queued = new ArrayList<>();

    /**
     * The locks that were examined: true if a wait for it ends in one for a thread that does not
     * run.
     */
    final IdentityHashMap<Object, Boolean> hopeless = new IdentityHashMap<>();

    long count;
    long needy;
    final IdentityHashMap<Object, Long> needyElsewhere = new IdentityHashMap<>();

    void virtual(Thread thread) {
      count++;
      int state = internals.state(thread);
      Thread carrier = internals.carrier(thread);
      if (internals.isWoken(thread, state)) {
        // Its stack is not read: that would make the JDK check again, and the thread would go on.
        if (woken.size() < MOST) {
          woken.put(thread, wokenBefore.getOrDefault(thread, 0) + 1);
        }
      } else if (internals.isBlocked(state)) {
        addSome(blocked, thread);
        awaited.waits(thread);
      } else if (carrier != null) {
        mounted.add(thread);
        if (carrier.getState() != Thread.State.RUNNABLE) {
          awaited.waits(thread);
        }
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
      if (holder != null || AwaitedThreads.mayAwait(lock)) {
        awaited.waits(thread);
      }
      if (holder == null
          && internals.isParked(state)
          && reader.next(lock).filter(thread::equals).isPresent()) {
        addSome(forgotten, thread);
      }
      // The thread that has just got it is not parked any more; a reader that asks for the write
      // lock is.
      if (holder != null
          && (internals.isParked(state) || !holder.equals(thread))
          && hopeless.computeIfAbsent(lock, this::isHopeless)) {
        addSome(waiting, thread);
      }
      if (holder == null && isHopeless(lock)) {
        addSome(waiting, thread);
      }
    }

    /** Adds a thread that joins another one, if that one is stuck. */
    void joiner(Thread thread) {
      Object blocker = internals.blocker(thread);
      if (awaited.isJoin(blocker) && isHopeless(blocker)) {
        addSome(waiting, thread);
      }
    }

    /**
     * Returns whether a thread that waits for this waits, in the end, for one that does not run. A
     * mounted thread may have stopped with a lock; a task that a mounted thread runs goes on,
     * unless it is blocked.
     */
    @SuppressWarnings("ReferenceEquality") // identity comparison is intended
    boolean isHopeless(Object first) {
      Object lock = first;
      for (int steps = 0; steps < 1_000; steps++) {
        Thread holder = reader.awaited(lock);
        if (holder == null) {
          return false;
        }
        if (!holder.isAlive()) {
          return true;
        }
        if (!holder.isVirtual() && holder.getState() != Thread.State.WAITING) {
          return holder.getState() == Thread.State.BLOCKED;
        }
        Object next = internals.blocker(holder);
        if (next == null || reader.awaited(next) == null) {
          // It runs, or waits for something without an owner; or it waits for a monitor or a class.
          return holder.isVirtual()
              && (internals.isBlocked(internals.state(holder))
                  || mayHaveStopped(internals.carrier(holder), internals.owner(lock) != null));
        }
        if (next == first) {
          return true;
        }
        lock = next;
      }
      return true;
    }

    /** Returns whether a mounted thread may have stopped; never if there is no carrier. */
    private static boolean mayHaveStopped(Thread carrier, boolean ofLock) {
      return carrier != null && (ofLock || carrier.getState() == Thread.State.BLOCKED);
    }

    boolean isStuck(Thread platform) {
      return switch (platform.getState()) {
        case BLOCKED -> true;
        case WAITING -> {
          Object blocker = internals.blocker(platform);
          yield internals.owner(blocker) != null || isHopeless(blocker);
        }
        case NEW, RUNNABLE, TIMED_WAITING, TERMINATED -> false;
      };
    }

    void addSome(List<Thread> list, Thread thread) {
      if (list.size() < MOST) {
        list.add(thread);
      } else {
        // Each thread has its chance, at one scan or another.
        int slot = Math.floorMod(turn++ * 31, 4 * MOST);
        if (slot < MOST) {
          list.set(slot, thread);
        }
      }
    }
  }

  private static List<Thread> runnable(List<Thread> platform) {
    return platform.stream().filter(thread -> thread.getState() == Thread.State.RUNNABLE).toList();
  }

  /**
   * Scans all threads.
   *
   * @param platform the platform threads, without carriers of the JDK's scheduler
   * @param carriers all carriers of the JDK's scheduler
   * @param keepers the ids of threads that monopolized their carriers at the scan before
   */
  Result scan(List<Thread> platform, List<ForkJoinWorkerThread> carriers, Set<Long> keepers) {
    awaited.startScan();
    Scan scan = new Scan();
    internals.eachVirtual(scan::virtual);
    if (awaited.anyJoined()) {
      internals.eachVirtual(scan::joiner);
    }
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
        } else if (now.equals(before)
            && (ran(carrier, elapsed) || !states.mayWantProcessor(carrier))) {
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
      // They may be the threads that would go on.
      scan.stuck.addAll(scan.queued);
    } else {
      reader.forgetQueue();
    }
    carriedBefore = carried;
    for (Thread thread : platform) {
      // The carrier of another scheduler waits as its mounted thread.
      if (!carried.containsKey(thread.threadId()) && scan.isStuck(thread)) {
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

  /** Returns the threads that needed a carrier at the last scan, or some of them. */
  List<Thread> queued() {
    return queuedLast;
  }

  /** Returns the threads that were woken and still waited, for this number of scans in a row. */
  List<Thread> forgotten(int scans) {
    return wokenBefore.entrySet().stream()
        .filter(each -> each.getValue() >= scans)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns how often a carrier has mounted; 0 if mounts are not counted. */
  static long mounts(Thread carrier) {
    return Mounts.count(Mounts.index(carrier));
  }

  /** Returns whether it had a processor, so that a lack of progress is its own doing. */
  private boolean ran(Thread carrier, long elapsedNanos) {
    Long before = cpuBefore.get(carrier.threadId());
    Long after = cpu.get(carrier.threadId());
    return before != null && after != null && after - before > elapsedNanos / RAN;
  }

  /** Returns whether a platform thread has used next to no processor time since the scan before. */
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
