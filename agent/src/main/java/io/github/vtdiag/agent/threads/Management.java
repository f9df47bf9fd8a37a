package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.AgentJars;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/** What the JVM's management tells of platform threads, where the JVM has that module. */
public final class Management {
  private final ThreadMXBean bean;

  Management() {
    ThreadMXBean found = null;
    try {
      found = ManagementFactory.getThreadMXBean();
    } catch (RuntimeException | LinkageError e) {
      // A JVM without java.management: then only stacks tell who moves.
    }
    this.bean = found;
  }

  /** Of a platform thread, in nanoseconds; empty if not known. */
  OptionalLong of(Thread thread) {
    try {
      long nanos = bean == null ? -1 : bean.getThreadCpuTime(thread.threadId());
      return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
    } catch (UnsupportedOperationException e) {
      return OptionalLong.empty();
    }
  }

  /** The monitors of these threads; empty if not known. */
  List<ThreadInfo> monitors(List<Thread> threads) {
    if (bean == null) {
      return List.of();
    }
    long[] ids = threads.stream().mapToLong(Thread::threadId).toArray();
    return Arrays.stream(bean.getThreadInfo(ids, true, false)).filter(Objects::nonNull).toList();
  }

  /** The jars of the agents that this JVM was started with; none if its arguments are not known. */
  public static AgentJars agents() {
    return AgentJars.of(arguments());
  }

  /** When this JVM started, in milliseconds since the epoch; 0 if that is not known. */
  public static long startMillis() {
    try {
      return ManagementFactory.getRuntimeMXBean().getStartTime();
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
  }

  /** What this JVM was started with, but for the program's arguments; none if not known. */
  public static List<String> arguments() {
    try {
      return ManagementFactory.getRuntimeMXBean().getInputArguments();
    } catch (RuntimeException | LinkageError e) {
      return List.of();
    }
  }

  /** Of this thread; the clock's time where the processor's is not known. */
  long mine() {
    return of(Thread.currentThread()).orElseGet(System::nanoTime);
  }
}
