package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.AgentJars;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/** The figures that the JVM's management has for platform threads, if the JVM has that module. */
public final class Management {
  private final ThreadMXBean bean;

  public Management() {
    ThreadMXBean found = null;
    try {
      found = ManagementFactory.getThreadMXBean();
    } catch (RuntimeException | LinkageError e) {
      // A JVM without java.management: then only stacks show which threads move.
    }
    this.bean = found;
  }

  /** Returns whether there is the module that measures threads; a runtime image may lack it. */
  public static boolean isThere() {
    return ModuleLayer.boot().findModule("java.management").isPresent();
  }

  /** Returns the processor time of a platform thread in nanoseconds; empty if unknown. */
  public OptionalLong of(Thread thread) {
    try {
      long nanos = bean == null ? -1 : bean.getThreadCpuTime(thread.threadId());
      return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
    } catch (UnsupportedOperationException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns these threads with their monitors; empty if unknown. */
  List<ThreadInfo> monitors(List<Thread> threads) {
    if (bean == null) {
      return List.of();
    }
    long[] ids = threads.stream().mapToLong(Thread::threadId).toArray();
    return Arrays.stream(bean.getThreadInfo(ids, true, false)).filter(Objects::nonNull).toList();
  }

  /**
   * Returns the jars of the agents that this JVM was started with; none if its arguments are
   * unknown.
   */
  public static AgentJars agents() {
    return AgentJars.of(arguments());
  }

  /** Returns when this JVM started, in milliseconds since the epoch; 0 if unknown. */
  public static long startMillis() {
    try {
      return ManagementFactory.getRuntimeMXBean().getStartTime();
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
  }

  /** Returns the arguments of this JVM, without those of the program; none if unknown. */
  public static List<String> arguments() {
    try {
      return ManagementFactory.getRuntimeMXBean().getInputArguments();
    } catch (RuntimeException | LinkageError e) {
      return List.of();
    }
  }

  /** Returns the processor time of this thread; the clock's time where that is unknown. */
  public long mine() {
    return of(Thread.currentThread()).orElseGet(System::nanoTime);
  }
}
