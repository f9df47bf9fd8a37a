package io.github.vtdiag.agent.recording;

import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Records how much work the program got done, so that runs can be compared: how often the counted
 * methods returned, and how many threads were created. The JDK numbers threads consecutively; a
 * thread that is never started shows the next number.
 */
public final class WorkCounts {
  /** The counted methods, which are known before there is a recording. */
  private record Counted(List<String> methods, IntToLongFunction count) {}

  private static volatile Counted counted = new Counted(List.of(), method -> 0);

  private final long[] before;
  private long nextThread = nextThread();

  WorkCounts() {
    before = new long[counted.methods.size()];
  }

  /** Sets which methods are counted, and the function that returns their counts. */
  public static void count(List<String> methods, IntToLongFunction count) {
    counted = new Counted(List.copyOf(methods), count);
  }

  /** Called by JFR once a second, and at the end. */
  synchronized void commit() {
    long next = nextThread();
    // One thread is not the program's: the one created to read the number.
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
