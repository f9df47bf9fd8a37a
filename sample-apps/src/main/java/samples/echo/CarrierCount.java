package samples.echo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the platform threads that carry virtual threads, in two ways that miss different things.
 *
 * <p>Each virtual thread says on which carrier it is, whenever it is asked. That misses a carrier
 * that a thread was on only between two such moments, so it is the least there can have been.
 *
 * <p>The scheduler numbers its carriers as it creates them, and an idle one lives for 30 seconds.
 * So the highest number that was seen is how many were ever created, which is the most there can
 * have been: one of them may have carried nothing, or only threads of the JDK's own.
 */
final class CarrierCount {
  private static final String GROUP = "CarrierThreads";
  private static final String NUMBER = "-worker-";

  private final Set<String> carrying = ConcurrentHashMap.newKeySet();
  private volatile int most;

  /** Called by a virtual thread. */
  void here() {
    String self = Thread.currentThread().toString();
    // VirtualThread[#33]/runnable@ForkJoinPool-1-worker-2
    String carrier = self.substring(self.lastIndexOf('@') + 1);
    if (!carrying.contains(carrier)) {
      carrying.add(carrier);
    }
  }

  /** Looks at the carriers that there are now. */
  void look() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    // Room for more: enumerate leaves out silently what does not fit.
    Thread[] threads = new Thread[2 * top.activeCount() + 64];
    int count = top.enumerate(threads);
    for (int i = 0; i < count; i++) {
      ThreadGroup group = threads[i].getThreadGroup();
      if (group != null && group.getName().equals(GROUP)) {
        most = Math.max(most, number(threads[i].getName()));
      }
    }
  }

  /** How many were seen to carry: there were no less. */
  int seen() {
    return carrying.size();
  }

  /** How many were ever created: no more can have carried. */
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
