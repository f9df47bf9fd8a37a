package io.github.vtdiag.agent.programs;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Virtual threads that wait: {@code Forgets healthy}, for something; {@code Forgets forgotten}, as
 * faults of the JDK leave them, until the agent has told of them. Needs the opened packages {@code
 * java.lang} and {@code java.util.concurrent.locks}.
 */
@SuppressWarnings("LockNotBeforeTry") // what they wait for is never let go
public final class Forgets {
  private static final Object MONITOR = new Object();
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final SynchronousQueue<Integer> HANDED = new SynchronousQueue<>();

  /** Longer than the agent needs. */
  private static final long MILLIS = 7_000;

  private Forgets() {}

  public static void main(String[] args) throws Exception {
    boolean leavesCarrier = Runtime.version().feature() >= 24;
    handOver();
    LOCK.lock();
    synchronized (MONITOR) {
      Thread parked = parked();
      Thread locks = start("locks", "PARKED", LOCK::lock);
      Thread enters = start("enters", leavesCarrier ? "BLOCKED" : "PINNED", Forgets::enter);
      if (args[0].equals("healthy")) {
        Thread.sleep(MILLIS);
      } else {
        set(parked, "parkPermit");
        freeWithoutWaking(LOCK);
        if (leavesCarrier) {
          set(enters, "blockPermit");
        }
        Set<String> untold = ConcurrentHashMap.newKeySet();
        untold.addAll(List.of("parked", "locks"));
        if (leavesCarrier) {
          untold.add("enters");
        }
        try (EventStream events = EventStream.openRepository()) {
          events.setStartTime(Instant.EPOCH);
          events.onEvent("vtdiag.Hang", event -> told(event, untold));
          events.startAsync();
          while (!untold.isEmpty()) {
            if (untold.contains("parked") && !parked.isAlive()) {
              // Its stack was being read when it was woken, so it went on.
              parked = parked();
              set(parked, "parkPermit");
            }
            Thread.sleep(50);
          }
        }
        // The agent has read its stack, which makes the JDK look again.
        parked.join();
      }
      System.out.println(locks.isAlive() + " done");
      System.exit(0);
    }
  }

  private static Thread parked() throws Exception {
    return start("parked", "PARKED", () -> LockSupport.park(HANDED));
  }

  private static void enter() {
    synchronized (MONITOR) {
      System.out.println("never");
    }
  }

  private static Thread start(String name, String state, Runnable task) throws Exception {
    Thread thread = Thread.ofVirtual().name(name).start(task);
    if (state.equals("PINNED")) {
      while (thread.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      return thread;
    }
    Field now = field(thread.getClass(), "state");
    int wanted = field(thread.getClass(), state).getInt(null);
    while (now.getInt(thread) != wanted) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Class<?> declaring = type;
    while (!declaring.getName().equals("java.lang.VirtualThread")) {
      declaring = declaring.getSuperclass();
    }
    Field field = declaring.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static void set(Thread thread, String permit) throws Exception {
    field(thread.getClass(), permit).setBoolean(thread, true);
  }

  private static void freeWithoutWaking(ReentrantLock lock) throws Exception {
    Field sync = ReentrantLock.class.getDeclaredField("sync");
    sync.setAccessible(true);
    Method owner =
        AbstractOwnableSynchronizer.class.getDeclaredMethod(
            "setExclusiveOwnerThread", Thread.class);
    owner.setAccessible(true);
    owner.invoke(sync.get(lock), (Object) null);
    Method state = AbstractQueuedSynchronizer.class.getDeclaredMethod("setState", int.class);
    state.setAccessible(true);
    state.invoke(sync.get(lock), 0);
  }

  /** Two that park and are unparked all the time. */
  private static void handOver() {
    Thread.startVirtualThread(
        () -> {
          while (true) {
            try {
              HANDED.put(1);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        });
    Thread.startVirtualThread(
        () -> {
          for (int taken = 1; true; taken++) {
            try {
              HANDED.take();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            if (taken % 20 == 0) {
              // Else the two take two processors as long as the program runs.
              LockSupport.parkNanos(1_000_000);
            }
          }
        });
  }

  private static void told(RecordedEvent event, Set<String> untold) {
    if (!event.getBoolean("ended")) {
      untold.removeIf(name -> event.getString("text").contains('"' + name + '"'));
    }
  }
}
