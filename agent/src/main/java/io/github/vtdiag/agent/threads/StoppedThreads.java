package io.github.vtdiag.agent.threads;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * What the JVM's management tells of carriers while all threads stand still. It is safe, because no
 * virtual thread can leave a carrier meanwhile, and it stops the application for a moment: HotSpot
 * does so for whoever asks for monitors or for a stack, and only for them.
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

  /** Once a second; empty in between. */
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

  /** How often it has begun to wait or to be blocked; 0 if it has ended. */
  long waits(Thread carrier) {
    ThreadInfo info = infos(carrier.threadId())[0];
    return info == null ? 0 : info.getBlockedCount() + info.getWaitedCount();
  }
}
