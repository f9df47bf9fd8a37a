package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.threads.ThreadSnapshots;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The virtual threads that wait to read from a connection to this JVM itself whose other end no
 * thread reads from. They are looked up seldom, because each open file has to be read.
 */
final class UnansweredReads {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** The methods in which a platform thread waits to read. */
  private static final Set<String> READS =
      Set.of(
          "sun.nio.ch.Net.poll",
          "sun.nio.ch.SocketDispatcher.read0",
          "sun.nio.ch.UnixDispatcher.read0");

  private final Instrumentation instrumentation;
  private SocketPollers pollers;
  private boolean failed;
  private boolean looked;
  private long lookedNanos;
  private Map<Thread, Integer> ports = Map.of();

  UnansweredReads(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Returns the port of each such thread, among those that have waited for long to read. */
  Map<Thread, Integer> ports(List<Thread> reading) {
    long now = System.nanoTime();
    if (failed || reading.isEmpty() || (looked && now - lookedNanos < PERIOD_NANOS)) {
      return ports;
    }
    looked = true;
    lookedNanos = now;
    ports = Map.of();
    try {
      if (pollers == null) {
        pollers = new SocketPollers(instrumentation);
      }
      ports = look(reading);
    } catch (ReflectiveOperationException | RuntimeException e) {
      failed = true; // Another JDK keeps them elsewhere: then nothing is known of these threads.
    }
    return ports;
  }

  private Map<Thread, Integer> look(List<Thread> reading) {
    Map<Thread, Integer> descriptors = pollers.descriptors();
    descriptors.keySet().retainAll(Set.copyOf(reading));
    Map<Thread, Integer> found = new HashMap<>();
    if (!descriptors.isEmpty()) {
      OwnConnections.look()
          .ifPresent(
              connections ->
                  descriptors.forEach(
                      (thread, descriptor) -> {
                        OptionalInt port = connections.unanswered(descriptor);
                        if (port.isPresent()) {
                          found.put(thread, port.getAsInt());
                        }
                      }));
    }
    // It is unknown which connection a platform thread reads from: it may be one of these.
    return !found.isEmpty() && found.size() <= readers() ? Map.of() : Map.copyOf(found);
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
