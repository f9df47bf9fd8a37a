package io.github.vtdiag.agent.threads;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The state of carriers according to the JVM's management, while all threads are stopped. That is
 * safe, because no virtual thread can unmount meanwhile, but it stops the application for a moment.
 * HotSpot stops all threads only for requests that include monitors or stacks.
 */
final class StoppedThreads {
  private static final long SELDOM = TimeUnit.SECONDS.toNanos(1);

  private ThreadMXBean threads;
  private long askedNanos = System.nanoTime() - SELDOM;

  private ThreadInfo[] infos(long... ids) {
    if (threads == null) {
      threads = ManagementFactory.getThreadMXBean();
    }
    return threads.getThreadInfo(ids, false, false, 1);
  }

  boolean isInNative(Thread carrier) {
    ThreadInfo info = infos(carrier.threadId())[0];
    return info != null && info.isInNative();
  }

  /** Returns the number of these carriers in native code once a second; empty in between. */
  OptionalInt inNative(List<Thread> carriers) {
    long now = System.nanoTime();
    if (now - askedNanos < SELDOM) {
      return OptionalInt.empty();
    }
    askedNanos = now;
    int count = 0;
    for (ThreadInfo info : infos(carriers.stream().mapToLong(Thread::threadId).toArray())) {
      count += info != null && info.isInNative() ? 1 : 0;
    }
    return OptionalInt.of(count);
  }

  /** Returns how often it has begun to wait or to be blocked; 0 if it has ended. */
  long waits(Thread carrier) {
    ThreadInfo info = infos(carrier.threadId())[0];
    return info == null ? 0 : info.getBlockedCount() + info.getWaitedCount();
  }
}
