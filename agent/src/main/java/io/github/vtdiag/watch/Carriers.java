package io.github.vtdiag.watch;

import io.github.vtdiag.boot.Mounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The current carriers. Those of the JDK's scheduler are platform threads in a group of their own,
 * which exists as soon as its first virtual thread runs. Those of other schedulers are known by
 * what they mount.
 */
public final class Carriers {
  private static final String GROUP = "CarrierThreads";
  private static final String TYPE = "jdk.internal.misc.CarrierThread";

  /** Before it, the JDK queues a thread once more when its stack is read while it is queued. */
  private static final int READS_QUEUED_AS_IS = 25;

  /** The scheduler's tasks beyond one for each queued thread: one for each such read at first. */
  private static final AtomicLong SURPLUS = new AtomicLong();

  private ThreadGroup group;
  private Thread[] room = new Thread[16];

  /**
   * Returns whether a virtual thread was ever started. The carriers are no evidence: where all
   * virtual threads wait, they end after half a minute.
   */
  public boolean everRan() {
    return hasGroup() || !Mounts.others().isEmpty();
  }

  private boolean hasGroup() {
    if (group == null) {
      group = findGroup();
    }
    return group != null;
  }

  /**
   * Finds the carriers of the JDK's scheduler; none before the first virtual thread was started,
   * and after they ended.
   */
  public List<ForkJoinWorkerThread> find() {
    if (!hasGroup()) {
      return List.of();
    }
    int found = group.enumerate(room, false);
    while (found == room.length) {
      room = new Thread[2 * room.length];
      found = group.enumerate(room, false);
    }
    List<ForkJoinWorkerThread> carriers = new ArrayList<>(found);
    for (int i = 0; i < found; i++) {
      // The pool's own timer thread is in that group too.
      if (room[i] instanceof ForkJoinWorkerThread carrier && isOfJdk(carrier)) {
        carriers.add(carrier);
      }
      room[i] = null;
    }
    return carriers;
  }

  /** Returns whether it is a carrier, of whatever scheduler. */
  public static boolean isCarrier(Thread thread) {
    return isOfJdk(thread) || Mounts.index(thread) >= 0;
  }

  /** Returns whether it is a carrier of the JDK's scheduler. */
  public static boolean isOfJdk(Thread thread) {
    return thread.getClass().getName().equals(TYPE);
  }

  /**
   * Returns whether a carrier waits for something other than work. A carrier that waits for work
   * has its pool as its blocker. No virtual thread may be mounted on it.
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  public static boolean isBlocked(ForkJoinWorkerThread carrier) {
    Thread.State state = carrier.getState();
    return switch (state) {
      case BLOCKED -> true;
      case WAITING, TIMED_WAITING ->
          LockSupport.getBlocker(carrier) != carrier.getPool()
              // A carrier that was woken in between has no blocker either.
              && carrier.getState() == state;
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  /** Returns whether a carrier waits for work. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  public static boolean isIdle(ForkJoinWorkerThread carrier) {
    return switch (carrier.getState()) {
      case WAITING, TIMED_WAITING -> LockSupport.getBlocker(carrier) == carrier.getPool();
      case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
    };
  }

  /**
   * Returns how many of the idle carriers the scheduler does not use. It adds carriers for threads
   * in Object.wait and file I/O, and keeps them for half a minute after. It wakes no idle carrier
   * while as many as its parallelism are active, and pinned ones are active ({@code
   * ForkJoinPool.signalWork} of Java 21 to 25). A scheduler that counts more active carriers than
   * there can be has lost count of them.
   *
   * @param idle the number of carriers that wait for work
   * @param all the number of all carriers
   */
  public static int unused(int idle, int all, ForkJoinPool scheduler) {
    int active = Math.min(scheduler.getActiveThreadCount(), all - idle);
    int missing = Math.max(0, scheduler.getParallelism() - active);
    return Math.max(0, idle - missing);
  }

  private static ThreadGroup findGroup() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    ThreadGroup[] groups = new ThreadGroup[top.activeGroupCount() + 8];
    int found = top.enumerate(groups, false);
    for (int i = 0; i < found; i++) {
      if (groups[i].getName().equals(GROUP)) {
        return groups[i];
      }
    }
    return null;
  }

  /** Returns how many virtual threads are queued in this scheduler. */
  public static long queued(ForkJoinPool scheduler) {
    return Math.max(0, tasks(scheduler) - SURPLUS.get());
  }

  private static long tasks(ForkJoinPool scheduler) {
    return scheduler.getQueuedTaskCount() + scheduler.getQueuedSubmissionCount();
  }

  /** To be called when the stack of a queued thread was read. */
  public static void hasReadInQueue() {
    if (Runtime.version().feature() < READS_QUEUED_AS_IS) {
      SURPLUS.incrementAndGet();
    }
  }

  /** Returns whether reading stacks has added tasks that may still be there. */
  public static boolean hasSurplus() {
    return SURPLUS.get() > 0;
  }

  /**
   * Finds out how many of the tasks that reading stacks has added are still there.
   *
   * @param threads the number of queued threads, as their states tell
   */
  public static void count(ForkJoinPool scheduler, long threads) {
    SURPLUS.set(Math.max(0, tasks(scheduler) - threads));
  }

  /** Returns the JDK's scheduler; asking a carrier does not create it. */
  public Optional<ForkJoinPool> scheduler() {
    return find().stream().map(ForkJoinWorkerThread::getPool).findFirst();
  }
}
