package io.github.vtdiag.agent.metrics;

import io.github.vtdiag.agent.options.ReadAt;
import io.github.vtdiag.watch.Carried;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All the ways by which metrics can be read, until they are closed. */
public final class Metrics implements AutoCloseable {
  private final List<AutoCloseable> ways = new ArrayList<>();

  private Metrics() {}

  /**
   * Opens what was asked for; what cannot be opened is reported, and the rest is there.
   *
   * @param threads creates daemon threads
   * @param carried knows what is mounted on a carrier, if this JVM shows it
   * @param say receives lines for the user who started the program
   */
  public static Metrics open(
      ReadAt target,
      Meters meters,
      String version,
      Optional<Carried> carried,
      ThreadFactory threads,
      Consumer<String> say) {
    Metrics metrics = new Metrics();
    LiveScheduler scheduler = new LiveScheduler(carried);
    Supplier<Meters.Reading> reading = () -> meters.read(System.nanoTime());
    target
        .endpoint()
        .ifPresent(at -> metrics.listen(at, reading, scheduler, version, threads, say));
    metrics.register(reading, scheduler, threads, say);
    return metrics;
  }

  private void listen(
      ReadAt.Endpoint at,
      Supplier<Meters.Reading> reading,
      LiveScheduler scheduler,
      String version,
      ThreadFactory threads,
      Consumer<String> say) {
    Exposition exposition = new Exposition(version);
    try {
      HttpListener listener =
          new HttpListener(
              at, accept -> exposition.write(reading.get(), scheduler.look(), accept), threads);
      ways.add(listener);
      say.accept(
          "metrics: "
              + listener.url()
              + (listener.isLoopback() ? "" : " (other machines can read them)"));
    } catch (IOException | RuntimeException e) {
      say.accept(
          "no metrics over HTTP, cannot listen at "
              + (at.host().isEmpty() ? "port " : "")
              + at
              + ": "
              + e.getMessage()
              + "; choose another with metrics=HOST:PORT");
    }
  }

  private void register(
      Supplier<Meters.Reading> reading,
      LiveScheduler scheduler,
      ThreadFactory threads,
      Consumer<String> say) {
    try {
      ways.add(
          new JmxBean(
              new VirtualThreadsBean(reading, scheduler::look),
              threads,
              e -> say.accept("no metrics over JMX: " + e)));
    } catch (LinkageError e) {
      say.accept(
          "no metrics over JMX: the module java.management is missing; add it with --add-modules"
              + " java.management, or use a runtime image that has it");
    }
  }

  /** Frees the port and unregisters the bean. */
  @Override
  public void close() {
    for (AutoCloseable way : ways) {
      try {
        way.close();
      } catch (Exception e) {
        // The others are closed all the same.
      }
    }
  }
}
