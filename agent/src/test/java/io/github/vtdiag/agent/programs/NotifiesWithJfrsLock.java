package io.github.vtdiag.agent.programs;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;

/**
 * Notifies the agent's listeners on two threads as JFR does: on one without JFR's monitor, and
 * meanwhile on another one with it, as at exit. Prints how many there were, or halts.
 */
public final class NotifiesWithJfrsLock {
  private static final int SECONDS = 20;

  private NotifiesWithJfrsLock() {}

  public static void main(String[] args) throws Exception {
    // Not before that does the agent record.
    Thread.startVirtualThread(Thread::onSpinWait).join();
    Thread watchdog = new Thread(NotifiesWithJfrsLock::halt);
    watchdog.setDaemon(true);
    watchdog.start();
    FlightRecorder recorder = FlightRecorder.getFlightRecorder();
    Object lock = field(FlightRecorder.class, "internal").get(recorder);
    List<?> all = (List<?>) field(lock.getClass(), "changeListeners").get(null);
    int notified = 0;
    try (Recording recording = new Recording()) {
      for (Object each : List.copyOf(all)) {
        notifyTwice((FlightRecorderListener) each, recording, lock);
        notified++;
      }
    }
    System.out.println(notified + " listeners");
  }

  private static void notifyTwice(FlightRecorderListener listener, Recording recording, Object lock)
      throws InterruptedException {
    Thread other = new Thread(() -> listener.recordingStateChanged(recording));
    synchronized (lock) {
      other.start();
      while (other.getState() != Thread.State.BLOCKED && other.isAlive()) {
        Thread.onSpinWait();
      }
      listener.recordingStateChanged(recording);
    }
    other.join();
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static void halt() {
    try {
      TimeUnit.SECONDS.sleep(SECONDS);
    } catch (InterruptedException e) {
      // Nobody does that.
    }
    System.out.println("the listener waits for a thread that waits for JFR");
    Runtime.getRuntime().halt(1);
  }
}
