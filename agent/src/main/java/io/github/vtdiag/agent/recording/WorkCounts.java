package io.github.vtdiag.agent.recording;

import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Records how much work the program got done, so that runs can be compared: how often the counted
 * methods returned, and how many threads were created. The JDK numbers threads one after the other;
 * a thread that is never started tells the number that is next.
 */
public final class WorkCounts {
  /** What is counted, which is known before there is a recording. */
  private record Counted(List<String> methods, IntToLongFunction count) {}

  private static volatile Counted counted = new Counted(List.of(), method -> 0);

  private final long[] before;
  private long nextThread = nextThread();

  WorkCounts() {
    before = new long[counted.methods.size()];
  }

  /** Says which methods are counted, and how often each has returned. */
  public static void count(List<String> methods, IntToLongFunction count) {
    counted = new Counted(List.copyOf(methods), count);
  }

  /** Called by JFR once a second, and at the end. */
  synchronized void commit() {
    long next = nextThread();
    // The one that tells is not the program's.
    commit("", next - nextThread - 1);
    nextThread = next;
    for (int method = 0; method < before.length; method++) {
      long now = counted.count.applyAsLong(method);
      commit(counted.methods.get(method), now - before[method]);
      before[method] = now;
    }
  }

  private static long nextThread() {
    return new Thread(null, () -> {}, "vtdiag count", 0, false).threadId();
  }

  private static void commit(String method, long count) {
    AgentEvents.Work event = new AgentEvents.Work();
    event.method = method;
    event.count = count;
    event.commit();
  }
}
