package io.github.vtdiag.agent.tell;

import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.options.Filter;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.agent.recording.StreamedPins;
import io.github.vtdiag.hang.CrashRisk;
import io.github.vtdiag.hang.WakeUpFaults;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Follows the running recording, about a second behind. It reads the lock maps of the classes that
 * it sees in pins, and warns of long pins: once per site, then at most once a minute.
 */
public final class LiveWarnings {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * The number of pins that are read in full between two flushes: a flood of equal pins shows
   * nothing new.
   */
  private static final int BUDGET = 500;

  /**
   * The time from the recording's start to the first data that JFR writes for its streams. Opening
   * a stream before would cost a program that ends by then a tenth of what the agent costs it.
   */
  private static final long FIRST_FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Optional<Duration> warn;
  private final Filter filter;
  private final StreamedPins pins;
  private final CarrierReports reports;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Map<String, Site> sites = new HashMap<>();
  private int budget = BUDGET;
  private volatile EventStream followed;

  /** The time of the last warning about a site, and the number of pins held back since. */
  private static final class Site {
    long warnedAtNanos;
    long unsaid;
  }

  public LiveWarnings(AgentOptions options, StreamedPins pins, CarrierReports reports) {
    this.warn = options.warn();
    this.filter = new Filter(options.include(), options.exclude());
    this.pins = pins;
    this.reports = reports;
  }

  /**
   * Runs until {@link #end} is called, or the JVM ends; a stream's own thread would keep the JVM
   * alive.
   *
   * @param others follow the same stream
   */
  public void follow(Recorder recorder, Consumer<EventStream> others)
      throws IOException, InterruptedException {
    warn.ifPresent(asked -> warnOfJava());
    if (ended.await(FIRST_FLUSH_NANOS, TimeUnit.NANOSECONDS)) {
      return;
    }
    try (EventStream stream = EventStream.openRepository()) {
      followed = stream;
      stream.setStartTime(recorder.start());
      stream.setOrdered(false);
      stream.onError(e -> {});
      stream.onFlush(
          () -> {
            budget = BUDGET;
            pins.flush();
          });
      Events.EPISODES.forEach(name -> stream.onEvent(name, this::accept));
      others.accept(stream);
      stream.start();
    }
  }

  /** Warns of the known faults of this Java: lost wake-ups, which look like a hang, and crashes. */
  private static void warnOfJava() {
    Runtime.Version version = Runtime.version();
    List<String> told = new ArrayList<>();
    List<String> faults = WakeUpFaults.faults(version);
    if (!faults.isEmpty()) {
      told.add("lose virtual threads that were woken (" + String.join(", ", faults) + ")");
    }
    CrashRisk.warning(version, List.copyOf(System.getProperties().stringPropertyNames()))
        .ifPresent(told::add);
    if (!told.isEmpty()) {
      Log.line(
          "this Java, "
              + version
              + ", can "
              + String.join(", and ", told)
              + ", unless its vendor has fixed that; update it");
    }
  }

  /** Stops following, and closes the files that the stream has open. */
  public void end() {
    ended.countDown();
    EventStream stream = followed;
    if (stream != null) {
      stream.close();
    }
  }

  private void accept(RecordedEvent event) {
    boolean isLong = warn.isPresent() && event.getDuration().compareTo(warn.get()) >= 0;
    if (!isLong && budget <= 0) {
      return;
    }
    budget--;
    pins.of(event).ifPresent(episode -> accept(episode, isLong));
  }

  private void accept(PinEpisode episode, boolean isLong) {
    if (!isLong) {
      // Nothing to report, but the recording gets the lock maps.
      pins.attributionOf(episode);
      return;
    }
    Attribution attribution = pins.sureAttributionOf(episode);
    if (!reports.hasToldOf(episode) && filter.accepts(episode, attribution)) {
      warn(episode, attribution);
    }
  }

  private void warn(PinEpisode episode, Attribution attribution) {
    long now = System.nanoTime();
    Site site = sites.get(attribution.primary().summary());
    if (site == null) {
      site = new Site();
      sites.put(attribution.primary().summary(), site);
    } else if (now - site.warnedAtNanos < QUIET_NANOS) {
      site.unsaid++;
      return;
    }
    Log.line(
        "carrier blocked "
            + Figures.duration(episode.durationNanos())
            + ": "
            + thread(episode.thread())
            + " in "
            + attribution.operation().text()
            + ", "
            + SiteNames.clause(attribution.primary(), episode.stack())
            + (site.unsaid > 0
                ? "; " + site.unsaid + " more like this since the last warning"
                : ""));
    site.warnedAtNanos = now;
    site.unsaid = 0;
  }

  static String thread(ThreadRef thread) {
    if (!thread.name().isEmpty()) {
      return "virtual thread " + Printable.quoted(thread.name());
    }
    return thread.id() < 0 ? "a virtual thread" : "virtual thread #" + thread.id();
  }
}
