package io.github.vtdiag.agent.tell;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.metrics.Meters;
import io.github.vtdiag.agent.metrics.Metrics;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.options.Filter;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.agent.recording.StreamedPins;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.watch.Carried;
import java.lang.instrument.Instrumentation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/** Passes the data of the running recording to the metrics, about a second behind. */
public final class MetricsFeed implements AutoCloseable {
  /** The shortest event of the JDK that may describe one of the waits in native code. */
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * The number of flushes that are compared: the event of the JDK and the watch's own can come in
   * different ones.
   */
  private static final int FLUSHES = 3;

  private final Metrics metrics;
  private final Meters meters;
  private final Filter filter;
  private final StreamedPins pins;

  /** The waits in one flush that two events can describe. */
  private static final class Window {
    final List<KeptCarrier> natives = new ArrayList<>();
    final Map<Long, List<PinEpisode>> told = new HashMap<>();
  }

  /** The last flushes, the newest last. */
  private final ArrayDeque<Window> windows = new ArrayDeque<>(List.of(new Window()));

  private MetricsFeed(AgentOptions options, StreamedPins pins, Meters meters, Metrics metrics) {
    this.pins = pins;
    this.metrics = metrics;
    this.meters = meters;
    this.filter = new Filter(options.include(), options.exclude());
  }

  /** Opens what the options ask for; empty, and reported, if nothing can be opened. */
  public static Optional<MetricsFeed> open(
      AgentOptions options, StreamedPins pins, Instrumentation instrumentation) {
    try {
      Meters meters = new Meters(options.onHang().look());
      Metrics metrics =
          Metrics.open(
              options.metrics().orElseThrow(),
              meters,
              Recorder.version(),
              carried(instrumentation),
              task -> AgentThread.daemon("vtdiag metrics", task),
              Log::line);
      return Optional.of(new MetricsFeed(options, pins, meters, metrics));
    } catch (RuntimeException | LinkageError e) {
      Log.failure("no metrics, the recording continues", e);
      return Optional.empty();
    }
  }

  private static Optional<Carried> carried(Instrumentation instrumentation) {
    try {
      JdkInternals.openCarriers(instrumentation);
      return Optional.of(new Carried());
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Passes on the data of this stream from now on, with every one of its pins. */
  public void follow(EventStream stream) {
    Events.EPISODES.forEach(name -> stream.onEvent(name, this::episode));
    stream.onEvent(Events.CARRIER_KEPT, event -> kept(Events.keptCarrier(pins.values(event))));
    stream.onEvent(
        Events.WATCH,
        event -> meters.look(Events.watchLook(pins.values(event)), System.nanoTime()));
    stream.onEvent(Events.WAIT_LOOK, event -> meters.look(WaitLook.of(pins.values(event))));
    for (ThreadEvent file : ThreadEvent.FILES) {
      stream.onEvent(file.eventName(), this::file);
    }
    stream.onEvent(ThreadEvent.SUBMIT_FAILED.eventName(), event -> meters.submitFailed());
    stream.onEvent(Events.HANG, event -> meters.hang(SeenHang.of(pins.values(event))));
    stream.onFlush(this::flush);
  }

  /** Frees the port and unregisters the bean. */
  @Override
  public void close() {
    metrics.close();
  }

  private void episode(RecordedEvent event) {
    if (event.getEventType().getName().equals(Events.PINNED)) {
      meters.pinned(event.getDuration().toNanos());
    }
    pins.of(event)
        .ifPresent(
            episode -> {
              if (episode.durationNanos() >= SHORT) {
                windows
                    .getLast()
                    .told
                    .computeIfAbsent(episode.thread().id(), id -> new ArrayList<>())
                    .add(episode);
              }
              count(episode);
            });
  }

  private void file(RecordedEvent event) {
    RecordedValues values = pins.values(event);
    if (values.thread().virtual()) {
      meters.file(values.durationNanos());
    }
  }

  private void kept(KeptCarrier wait) {
    if (wait.ended() && wait.kind() == KeptCarrier.Kind.NATIVE) {
      windows.getLast().natives.add(wait);
    }
  }

  private void count(PinEpisode episode) {
    Optional<Attribution> attribution = pins.attributionOf(episode);
    if (attribution.isEmpty()) {
      meters.pinElsewhere(episode.kind(), episode.durationNanos());
    } else if (filter.accepts(episode, attribution.get())) {
      String site = attribution.get().primary().summary();
      meters.pin(episode.kind(), site, episode.durationNanos());
    }
  }

  private void flush() {
    // The flush before: by now the JDK's events for the same time have come.
    windows.stream()
        .skip(Math.max(0, windows.size() - 2))
        .limit(windows.size() - 1L)
        .flatMap(before -> before.natives.stream())
        .filter(wait -> !isTold(wait))
        .forEach(wait -> count(wait.episode(Runtime.version().feature())));
    windows.addLast(new Window());
    if (windows.size() > FLUSHES) {
      windows.removeFirst();
    }
  }

  /**
   * Returns whether the JDK has an event for a wait, by the rule of {@link
   * io.github.vtdiag.pin.WatchedWaits}.
   */
  private boolean isTold(KeptCarrier wait) {
    long end = wait.startNanos() + wait.nanos();
    return windows.stream()
        .flatMap(window -> window.told.getOrDefault(wait.thread().id(), List.of()).stream())
        .anyMatch(
            pin ->
                2 * (Math.min(pin.endNanos(), end) - Math.max(pin.startNanos(), wait.startNanos()))
                    >= Math.max(1, wait.nanos()));
  }
}
