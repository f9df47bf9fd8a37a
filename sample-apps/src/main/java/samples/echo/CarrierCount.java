package samples.echo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the platform threads that carry virtual threads, in two ways that miss different things.
 *
 * <p>Each virtual thread reports its carrier whenever it is asked. That misses a carrier that a
 * thread was on only between two such moments, so it is a lower bound.
 *
 * <p>The scheduler numbers its carriers as it creates them, and an idle one lives for 30 seconds.
 * So the highest number that was seen is the number ever created, which is an upper bound: one of
 * them may have carried nothing, or only threads of the JDK's own.
 */
final class CarrierCount {
  private static final String GROUP = "CarrierThreads";
  private static final String NUMBER = "-worker-";

  private final Set<String> carrying = ConcurrentHashMap.newKeySet();
  private volatile int most;

  /** Records the carrier of the calling virtual thread. */
  void here() {
    String self = Thread.currentThread().toString();
    // VirtualThread[#33]/runnable@ForkJoinPool-1-worker-2
    String carrier = self.substring(self.lastIndexOf('@') + 1);
    if (!carrying.contains(carrier)) {
      carrying.add(carrier);
    }
  }

  /** Samples the existing carriers. */
  void look() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    // With spare room: enumerate silently leaves out what does not fit.
    Thread[] threads = new Thread[2 * top.activeCount() + 64];
    int count = top.enumerate(threads);
    for (int i = 0; i < count; i++) {
      ThreadGroup group = threads[i].getThreadGroup();
      if (group != null && group.getName().equals(GROUP)) {
        most = Math.max(most, number(threads[i].getName()));
      }
    }
  }

  /** Returns the number of carriers that were seen to carry: a lower bound. */
  int seen() {
    return carrying.size();
  }

  /** Returns the number of carriers that were ever created: an upper bound. */
  int created() {
    look();
    int highest = most;
    for (String name : carrying) {
      highest = Math.max(highest, number(name));
    }
    return highest;
  }

  private static int number(String name) {
    int at = name.lastIndexOf(NUMBER);
    return at < 0 ? 0 : Integer.parseInt(name.substring(at + NUMBER.length()));
  }
}
