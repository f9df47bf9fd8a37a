package io.github.vtdiag.watch;

import io.github.vtdiag.account.CarrierSample;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/**
 * The sums of what the carriers do, sample by sample. A sample costs a few reads per carrier. Only
 * carriers with a running thread are asked whether they are in native code, and not many at a time.
 */
final class CarrierTimes {
  /** The number of carriers that are asked per sample; asking one takes a microsecond or two. */
  private static final int MOST_ASKED = 4;

  /**
   * The longest gap between samples that counts. A longer one means that the process was stopped,
   * or had no processor.
   */
  private static final long LONG = TimeUnit.SECONDS.toNanos(1);

  /** Null until there is a carrier: a program without virtual threads never needs it. */
  private ThreadMXBean threads;

  private Map<Long, Long> processor = new HashMap<>();
  private final CarrierStates states;
  private final List<Thread> asked = new ArrayList<>(MOST_ASKED);
  private int turn;

  /** The share of the running carriers that were in native code when they were last asked. */
  private double nativeShare;

  private long beganNanos;
  private long lastNanos;

  private long capacity;
  private long idle;
  private long java;
  private long inNative;
  private long waiting;
  private long blocked;
  private long unseen;
  private double weight;
  private double squares;
  private long queued;
  private long mostQueued;
  private long someQueued;
  private long rush;
  private long rushJava;
  private long rushNative;
  private long rushWaiting;
  private long rushBlocked;

  CarrierTimes(CarrierStates states, long now) {
    this.states = states;
    beganNanos = now;
    lastNanos = now;
    // The classes that each second needs are loaded now: later there may be no memory to do so.
    take(List.of());
  }

  /**
   * Counts what the carriers do for the time since the sample before. A sample that comes late
   * because the machine is busy stands for more time than others, which makes the sums less exact.
   * A gap longer than {@link #LONG} counts as unseen. Idle carriers that the scheduler does not use
   * count for nothing: no thread that is queued can have them.
   *
   * @param slots the carriers of the JDK's scheduler
   * @param pool that scheduler; null as long as it has no carrier
   */
  void look(List<CarrierSlot> slots, ForkJoinPool pool, long now) {
    long gap = Math.max(0, now - lastNanos);
    long unseenNanos = gap > LONG ? gap - CarrierWatch.PERIOD : 0;
    long nanos = gap - unseenNanos;
    lastNanos = now;
    int carriers = Math.max(slots.size(), pool == null ? initial() : pool.getParallelism());
    int idleOnes = carriers - slots.size();
    int waitingOnes = 0;
    int blockedOnes = 0;
    int running = 0;
    asked.clear();
    // If there are more than can be asked, others are asked next time.
    int first = slots.isEmpty() ? 0 : Math.floorMod(turn++ * MOST_ASKED, slots.size());
    for (int i = 0; i < slots.size(); i++) {
      CarrierSlot slot = slots.get((first + i) % slots.size());
      Thread.State state = slot.carrier.getState();
      boolean waits =
          switch (state) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
          };
      if (slot.carries == null) {
        // The scheduler's own work between two threads counts, too.
        boolean isBlocked = waits && CarrierWatch.isBlocked(slot);
        blockedOnes += isBlocked ? 1 : 0;
        idleOnes += waits && !isBlocked ? 1 : 0;
        running += waits ? 0 : 1;
      } else if (waits) {
        waitingOnes++;
      } else {
        running++;
        if (asked.size() < MOST_ASKED) {
          asked.add(slot.carrier);
        }
      }
    }
    int unused = pool == null ? 0 : Carriers.unused(idleOnes, slots.size(), pool);
    carriers -= unused;
    idleOnes -= unused;
    if (!asked.isEmpty()) {
      states.inNative(asked).ifPresent(found -> nativeShare = (double) found / asked.size());
    }
    long natives = asked.isEmpty() ? 0 : Math.round(nanos * running * nativeShare);
    capacity += carriers * (nanos + unseenNanos);
    unseen += carriers * unseenNanos;
    idle += idleOnes * nanos;
    waiting += waitingOnes * nanos;
    blocked += blockedOnes * nanos;
    inNative += natives;
    java += running * nanos - natives;
    weight += (double) carriers * nanos;
    squares += (double) carriers * nanos * nanos;
    long line = pool == null ? 0 : Carriers.queued(pool);
    queued += line * nanos;
    mostQueued = Math.max(mostQueued, line);
    someQueued += line > 0 ? nanos : 0;
    if (line > 0 && idleOnes == 0) {
      rush += nanos;
      rushJava += running * nanos - natives;
      rushNative += natives;
      rushWaiting += waitingOnes * nanos;
      rushBlocked += blockedOnes * nanos;
    }
  }

  /** Returns the parallelism that the scheduler will have once there is a virtual thread. */
  private static int initial() {
    return Integer.getInteger(
        "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
  }

  private ThreadMXBean threads() {
    if (threads == null) {
      threads = ManagementFactory.getThreadMXBean();
    }
    return threads;
  }

  /** Returns the sums since the last call. */
  CarrierSample take(List<CarrierSlot> slots) {
    CarrierSample looked =
        new CarrierSample(
            TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()),
            lastNanos - beganNanos,
            capacity,
            idle,
            java,
            inNative,
            waiting,
            blocked,
            unseen,
            processor(slots),
            // The number of samples of equal length that would be as exact.
            squares == 0 ? 0 : Math.round(weight * weight / squares),
            queued,
            mostQueued,
            someQueued,
            new CarrierSample.Saturation(rush, rushJava, rushNative, rushWaiting, rushBlocked));
    beganNanos = lastNanos;
    capacity = 0;
    idle = 0;
    java = 0;
    inNative = 0;
    waiting = 0;
    blocked = 0;
    unseen = 0;
    weight = 0;
    squares = 0;
    queued = 0;
    mostQueued = 0;
    someQueued = 0;
    rush = 0;
    rushJava = 0;
    rushNative = 0;
    rushWaiting = 0;
    rushBlocked = 0;
    return looked;
  }

  /**
   * Returns the processor time since the last call. That of a carrier that has ended meanwhile is
   * lost.
   */
  private long processor(List<CarrierSlot> slots) {
    if (slots.isEmpty()) {
      return 0;
    }
    if (!threads().isThreadCpuTimeSupported()) {
      return -1;
    }
    Map<Long, Long> now = new HashMap<>();
    long sum = 0;
    for (CarrierSlot slot : slots) {
      long carrier = slot.carrier.threadId();
      long time = threads().getThreadCpuTime(carrier);
      if (time >= 0) {
        now.put(carrier, time);
        sum += Math.max(0, time - processor.getOrDefault(carrier, 0L));
      }
    }
    processor = now;
    return sum;
  }
}
