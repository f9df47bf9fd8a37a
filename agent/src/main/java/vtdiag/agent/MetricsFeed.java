package vtdiag.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import vtdiag.agent.metrics.Meters;
import vtdiag.agent.metrics.Metrics;
import vtdiag.model.Attribution;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;
import vtdiag.pin.Attributor;
import vtdiag.pin.Events;
import vtdiag.pin.KeptCarrier;
import vtdiag.pin.SeenHang;
import vtdiag.pin.ThreadEvent;
import vtdiag.watch.Carried;

/**
 * Brings what the running recording has to the metrics, about a second behind. Every pin counts;
 * what each is put down to is looked up once for all pins with the same stack.
 */
final class MetricsFeed implements AutoCloseable {
  /** Different stacks that are looked up between two flushes. */
  private static final int BUDGET = 500;

  /** An event of the JDK that tells of a shorter time tells none of the waits in native code. */
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

  /** The event of the JDK and the watch's own can come in different flushes. */
  private static final int FLUSHES = 3;

  private final Metrics metrics;
  private final Meters meters;
  private final Filter filter;
  private final LoadedClasses classes;
  private final Attributor attributor;
  private final IdentityHashMap<RecordedStackTrace, StackTrace> stacks = new IdentityHashMap<>();
  private final IdentityHashMap<StackTrace, Map<Asked, Attribution>> attributions =
      new IdentityHashMap<>();

  /** What an attribution depends on, beside the stack. */
  private record Asked(
      PinEpisode.Kind kind, Optional<String> lockClass, Optional<String> pinnedReason) {}

  /** What one flush brought of waits that two events can tell. */
  private static final class Window {
    final List<KeptCarrier> natives = new ArrayList<>();
    final Map<Long, List<PinEpisode>> told = new HashMap<>();
  }

  /** The newest last. */
  private final ArrayDeque<Window> windows = new ArrayDeque<>(List.of(new Window()));

  private int budget = BUDGET;

  private MetricsFeed(AgentOptions options, LoadedClasses classes, Meters meters, Metrics metrics) {
    this.metrics = metrics;
    this.meters = meters;
    this.filter = new Filter(options.include(), options.exclude());
    this.classes = classes;
    this.attributor = new Attributor(Runtime.version().feature(), classes);
  }

  /** Opens what the options ask for; empty, and said, if nothing can be. */
  static Optional<MetricsFeed> open(
      AgentOptions options, LoadedClasses classes, Instrumentation instrumentation) {
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
      return Optional.of(new MetricsFeed(options, classes, meters, metrics));
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

  /** Brings what this stream tells from now on. */
  void follow(EventStream stream) {
    Events.EPISODES.forEach(name -> stream.onEvent(name, this::episode));
    stream.onEvent(Events.CARRIER_KEPT, event -> kept(Events.keptCarrier(values(event))));
    stream.onEvent(
        Events.WATCH, event -> meters.look(Events.watchLook(values(event)), System.nanoTime()));
    for (ThreadEvent file : ThreadEvent.FILES) {
      stream.onEvent(file.eventName(), this::file);
    }
    stream.onEvent(ThreadEvent.SUBMIT_FAILED.eventName(), event -> meters.submitFailed());
    stream.onEvent(Events.HANG, event -> meters.hang(SeenHang.of(values(event))));
    stream.onFlush(this::flush);
  }

  /** Frees the port and takes the bean away. */
  @Override
  public void close() {
    metrics.close();
  }

  private RecordedValues values(RecordedEvent event) {
    return new RecordedValues(event, stacks);
  }

  private void episode(RecordedEvent event) {
    RecordedValues values = values(event);
    if (values.type().equals(Events.PINNED)) {
      meters.pinned(values.durationNanos());
    }
    Events.episode(values, Runtime.version().feature())
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
    RecordedValues values = values(event);
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
    Optional<Attribution> attribution = attribution(episode);
    if (attribution.isEmpty()) {
      meters.pinElsewhere(episode.kind(), episode.durationNanos());
    } else if (filter.accepts(episode, attribution.get())) {
      String site = Describe.site(attribution.get().primary());
      meters.pin(episode.kind(), site, episode.durationNanos());
    }
  }

  private Optional<Attribution> attribution(PinEpisode episode) {
    Map<Asked, Attribution> known =
        attributions.computeIfAbsent(episode.stack(), stack -> new HashMap<>());
    Asked asked = new Asked(episode.kind(), episode.lockClass(), episode.pinnedReason());
    Attribution attribution = known.get(asked);
    if (attribution == null && budget > 0) {
      budget--;
      classes.remember(episode);
      classes.read(List.of(episode.stack()));
      attribution = attributor.attribute(episode, List.of());
      known.put(asked, attribution);
    }
    return Optional.ofNullable(attribution);
  }

  private void flush() {
    // Of the flush before: what the JDK tells of their time has come by now.
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
    budget = BUDGET;
    stacks.clear();
    attributions.clear();
  }

  /** As {@link vtdiag.pin.WatchedWaits} has it for a whole recording. */
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
