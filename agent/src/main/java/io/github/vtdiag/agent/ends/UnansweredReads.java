package io.github.vtdiag.agent.ends;

import io.github.vtdiag.waits.WaitDetail;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The virtual threads that wait to read from a connection to this JVM itself whose other end no
 * thread reads from, or from one to another process that has never sent anything or has been asked
 * for something. They are looked up seldom, because each open file has to be read.
 */
public final class UnansweredReads {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Instrumentation instrumentation;
  private final Predicate<List<StackTraceElement>> requests;
  private SocketPollers pollers;
  private boolean failed;
  private boolean looked;
  private long lookedNanos;
  private final Map<Thread, WaitDetail> known = new HashMap<>();

  /**
   * @param requests tells whether a client with this stack awaits the answer to what it wrote
   */
  public UnansweredReads(
      Instrumentation instrumentation, Predicate<List<StackTraceElement>> requests) {
    this.instrumentation = instrumentation;
    this.requests = requests;
  }

  /** Returns what is known of each such thread, among those that have waited for long to read. */
  public Map<Thread, WaitDetail> of(List<WaitGroup> groups) {
    Map<Thread, List<StackTraceElement>> reading = new HashMap<>();
    groups.forEach(group -> group.members().forEach(each -> reading.put(each, group.stack())));
    return of(reading);
  }

  private Map<Thread, WaitDetail> of(Map<Thread, List<StackTraceElement>> reading) {
    // A thread that is missing once has gone on, and may have had its answer.
    known.keySet().retainAll(reading.keySet());
    long now = System.nanoTime();
    if (failed || reading.isEmpty() || (looked && now - lookedNanos < PERIOD_NANOS)) {
      return Map.copyOf(known);
    }
    looked = true;
    lookedNanos = now;
    known.clear();
    try {
      if (pollers == null) {
        pollers = new SocketPollers(instrumentation);
      }
      look(reading);
    } catch (ReflectiveOperationException | RuntimeException e) {
      failed = true; // Another JDK keeps them elsewhere: then nothing is known of these threads.
    }
    return Map.copyOf(known);
  }

  private void look(Map<Thread, List<StackTraceElement>> reading) {
    Map<Thread, Integer> descriptors = pollers.descriptors();
    descriptors.keySet().retainAll(reading.keySet());
    if (descriptors.isEmpty()) {
      return;
    }
    OwnConnections.look()
        .ifPresent(
            connections -> {
              OwnPorts.unanswered(descriptors, connections)
                  .forEach(
                      (thread, port) ->
                          known.put(
                              thread,
                              new WaitDetail(WaitDetail.Kind.UNREAD_PORT, String.valueOf(port))));
              descriptors.forEach(
                  (thread, descriptor) -> {
                    if (connections.isSilent(descriptor)) {
                      known.put(thread, WaitDetail.of(WaitDetail.Kind.SILENT));
                    } else if (connections.isMade(descriptor)
                        && requests.test(reading.get(thread))) {
                      known.put(thread, WaitDetail.of(WaitDetail.Kind.READ_ANSWERS));
                    }
                  });
            });
  }
}
