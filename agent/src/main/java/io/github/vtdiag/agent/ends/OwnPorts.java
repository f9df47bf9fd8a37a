package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.AskedPorts;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds the ports on which this program itself listens, and from which its virtual threads or
 * selectors wait to read although no thread reads at the other end: the answer has to come from a
 * thread that is busy or stuck, or has no carrier. Known on Linux.
 */
public final class OwnPorts implements Supplier<AskedPorts> {
  /** The methods in which a platform thread waits to read. */
  private static final Set<String> READS =
      Set.of(
          "sun.nio.ch.Net.poll",
          "sun.nio.ch.SocketDispatcher.read0",
          "sun.nio.ch.UnixDispatcher.read0");

  private final Instrumentation instrumentation;

  public OwnPorts(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Returns none if this JDK or this system does not tell. */
  @Override
  public AskedPorts get() {
    try {
      Map<Thread, Integer> descriptors = new SocketPollers(instrumentation).descriptors();
      return OwnConnections.look()
          .map(connections -> ports(descriptors, connections))
          .orElse(AskedPorts.NONE);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return AskedPorts.NONE; // Another JDK keeps the descriptors elsewhere.
    }
  }

  private static AskedPorts ports(Map<Thread, Integer> descriptors, OwnConnections connections) {
    Map<Long, Integer> byThread = new HashMap<>();
    unanswered(descriptors, connections)
        .forEach((thread, port) -> byThread.put(thread.threadId(), port));
    // A platform thread may read at the other end.
    return new AskedPorts(
        byThread, readers() == 0 ? connections.unansweredOfSelectors() : OptionalInt.empty());
  }

  /** Returns the ports of these that nobody answers, by thread. */
  static Map<Thread, Integer> unanswered(
      Map<Thread, Integer> descriptors, OwnConnections connections) {
    Map<Thread, Integer> ports = new HashMap<>();
    descriptors.forEach(
        (thread, descriptor) -> {
          OptionalInt port = connections.unanswered(descriptor);
          port.ifPresent(number -> ports.put(thread, number));
        });
    // It is unknown which connection a platform thread reads from: it may be one of these.
    return ports.isEmpty() || ports.size() <= readers() ? Map.of() : ports;
  }

  private static long readers() {
    return ThreadSnapshots.platformThreads().stream()
        .filter(thread -> thread.getState() == Thread.State.RUNNABLE)
        .map(Thread::getStackTrace)
        .filter(stack -> stack.length > 0)
        .filter(stack -> READS.contains(stack[0].getClassName() + "." + stack[0].getMethodName()))
        .count();
  }
}
