package io.github.vtdiag.junit.inside;

import io.github.vtdiag.model.Figures;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds virtual threads that still pin their carriers when their test is over. JFR writes a pin
 * when it ends, and these may never end.
 */
final class KeptCarriers {
  private static final String GROUP = "CarrierThreads";
  private static final int LOOKS = 4;

  /** The most processor time of a blocked thread. It uses none, but the JVM accounts in steps. */
  private static final long PROCESSOR_NANOS = 2_000_000;

  private KeptCarriers() {}

  /** The thread on a carrier, and the figures that identify its wait. */
  private record Reading(long carried, long blocked, long waited, long processorNanos) {
    boolean isStill(Reading before) {
      return carried == before.carried
          && blocked == before.blocked
          && waited == before.waited
          && processorNanos - before.processorNanos < PROCESSOR_NANOS;
    }
  }

  /**
   * Finds one of these threads that pins its carrier for longer than a time.
   *
   * @return the failure in words
   */
  static Optional<String> find(Set<Long> virtual, long nanos) {
    if (virtual.isEmpty()) {
      return Optional.empty();
    }
    try {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      Map<Long, Reading> kept = looks(threads, virtual);
      for (int i = 1; i < LOOKS && !kept.isEmpty(); i++) {
        LockSupport.parkNanos(nanos / (LOOKS - 2) + 1);
        Map<Long, Reading> now = looks(threads, virtual);
        kept.entrySet()
            .removeIf(
                each ->
                    !now.containsKey(each.getKey())
                        || !now.get(each.getKey()).isStill(each.getValue()));
      }
      return kept.isEmpty() ? Optional.empty() : Optional.of(words(kept, nanos));
    } catch (LinkageError | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  private static String words(Map<Long, Reading> kept, long nanos) {
    return Figures.count(kept.size(), "virtual thread")
        + " of this test still "
        + (kept.size() == 1 ? "keeps its carrier, and has" : "keep their carriers, and have")
        + " for longer than "
        + Figures.duration(nanos)
        + ": "
        + kept.values().stream().map(look -> "#" + look.carried()).collect(Collectors.joining(", "))
        + ". JFR tells who holds which monitor only when such a wait ends; vtdiag hang tells it of"
        + " a running JVM.";
  }

  /**
   * Samples the carriers while all threads stand still: {@code getThreadInfo(long)} reads a
   * carrier's stack as it runs, and can crash the JVM of Java 25 (JDK-8392031).
   */
  private static Map<Long, Reading> looks(ThreadMXBean threads, Set<Long> virtual) {
    long[] carriers = carriers().mapToLong(Thread::threadId).toArray();
    Map<Long, Reading> looks = new HashMap<>();
    for (ThreadInfo info : threads.getThreadInfo(carriers, false, false, 1)) {
      if (info != null && virtual.contains(info.getLockOwnerId())) {
        looks.put(
            info.getThreadId(),
            new Reading(
                info.getLockOwnerId(),
                info.getBlockedCount(),
                info.getWaitedCount(),
                threads.isThreadCpuTimeSupported()
                    ? threads.getThreadCpuTime(info.getThreadId())
                    : 0));
      }
    }
    return looks;
  }

  private static Stream<Thread> carriers() {
    return Arrays.stream(all())
        .filter(
            thread -> {
              ThreadGroup group = thread.getThreadGroup();
              return group != null && group.getName().equals(GROUP);
            });
  }

  /** Returns the processor time that each carrier has used, by its number. */
  static Map<Long, Long> processorNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> used = new HashMap<>();
    carriers()
        .forEach(
            thread -> used.put(thread.threadId(), threads.getThreadCpuTime(thread.threadId())));
    return used;
  }

  /** Returns the numbers of the live platform threads. */
  static Set<Long> platformThreads() {
    Set<Long> ids = new HashSet<>();
    for (Thread thread : all()) {
      ids.add(thread.threadId());
    }
    return ids;
  }

  private static Thread[] all() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top != null && top.getParent() != null) {
      top = top.getParent();
    }
    if (top == null) {
      return new Thread[0];
    }
    Thread[] some = new Thread[top.activeCount() * 2 + 64];
    int count = top.enumerate(some);
    return Arrays.copyOf(some, count);
  }
}
