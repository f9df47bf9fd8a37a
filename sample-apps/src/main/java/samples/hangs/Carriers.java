package samples.hangs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds whether all carriers are blocked for good, as far as the JDK's management beans tell on
 * Java 21: a carrier waits for the virtual thread that it carries, and counts its waits.
 */
final class Carriers {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Places where something outside, or time alone, ends the wait. */
  private static final List<String> ENDS =
      List.of("sun.nio.ch.", "java.lang.Thread.sleep", "java.lang.VirtualThread.parkNanos");

  /** A carrier and what it carries; two equal ones are the same wait. */
  private record Kept(long carrier, long carried, long blocked, long waited) {}

  private final List<Thread> virtual;
  private Optional<List<Kept>> before = Optional.empty();

  /**
   * Creates it for a program that runs these and no other virtual threads.
   *
   * @param virtual all that may be mounted
   */
  Carriers(List<Thread> virtual) {
    this.virtual = List.copyOf(virtual);
  }

  /**
   * Returns whether each carrier has the same thread in the same wait as in the last sample, and
   * that wait is for another virtual thread. Then no thread could run at a moment between the two
   * samples, and that lasts forever.
   */
  boolean standStill() {
    Optional<List<Kept>> now = look();
    boolean same = now.isPresent() && now.equals(before);
    before = now;
    return same;
  }

  private Optional<List<Kept>> look() {
    int carriers = Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize");
    List<Kept> kept = new ArrayList<>();
    for (ThreadInfo thread : THREADS.dumpAllThreads(false, false)) {
      // A virtual thread is a carrier's lock; its owner is the virtual thread itself.
      if (thread.getLockName() != null
          && thread.getLockName().startsWith("java.lang.VirtualThread@")) {
        long carried = thread.getLockOwnerId();
        if (!waitsForOthers(carried)) {
          return Optional.empty();
        }
        kept.add(
            new Kept(
                thread.getThreadId(), carried, thread.getBlockedCount(), thread.getWaitedCount()));
      }
    }
    return kept.size() == carriers ? Optional.of(kept) : Optional.empty();
  }

  private boolean waitsForOthers(long id) {
    for (Thread thread : virtual) {
      if (thread.threadId() == id) {
        Thread.State state = thread.getState();
        // Also with a timeout: here it is some minutes.
        if (state == Thread.State.RUNNABLE) {
          return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
          String method = frame.getClassName() + "." + frame.getMethodName();
          if (ENDS.stream().anyMatch(method::startsWith)) {
            return false;
          }
        }
        return true;
      }
    }
    return false;
  }
}
