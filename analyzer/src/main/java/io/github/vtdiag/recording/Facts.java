package io.github.vtdiag.recording;

import static java.util.Map.entry;

import io.github.vtdiag.jfr.Metadata;
import io.github.vtdiag.jfr.Problems;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.pin.ActiveRecording;
import io.github.vtdiag.pin.ChunkEnd;
import io.github.vtdiag.pin.EventValues;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.GcPause;
import io.github.vtdiag.pin.JvmEvents;
import io.github.vtdiag.pin.LongWaitFields;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.pin.WorkDone;
import io.github.vtdiag.recording.RecordingFacts.End;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.TimeRange.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Gathers the facts in chunks besides their pins. */
final class Facts {
  /** A measurement at a time. */
  private record At(long nanos, long value) {}

  private final Problems problems;
  private final List<MonitorSample> samples = new ArrayList<>();
  private final LockMapFacts lockMaps = new LockMapFacts();
  private final Map<String, EventSetting> settings = new HashMap<>();
  private final Map<String, EventSetting> settingsOutside = new HashMap<>();
  private final Map<Long, Map<String, String>> chunkSettings = new HashMap<>();
  private String jdkVersion = "";
  private long jvmStartMillis;
  private Launch launch = Launch.UNKNOWN;
  private StartCommand command = StartCommand.UNKNOWN;
  private ServiceInfo service = ServiceInfo.UNKNOWN;
  private final Set<Integer> ports = new TreeSet<>();
  private OptionalInt parallelismOption = OptionalInt.empty();
  private OptionalInt processorsOption = OptionalInt.empty();
  private OptionalInt container = OptionalInt.empty();
  private OptionalInt machine = OptionalInt.empty();
  private Optional<Events.Agent> agent = Optional.empty();
  private final List<At> heap = new ArrayList<>();
  private final List<GcPause> pauses = new ArrayList<>();
  private final List<At> waiting = new ArrayList<>();
  private final WatchFacts watch = new WatchFacts();
  private final List<WorkDone> work = new ArrayList<>();
  private final WaitFacts waits = new WaitFacts();
  private final EndFacts ends = new EndFacts();
  private final List<Span> leftOut = new ArrayList<>();
  private long chunkLostBytes;
  private long lostBytes;
  private long startNanos = Long.MAX_VALUE;
  private long endNanos = Long.MIN_VALUE;
  private boolean unfinished;

  Facts(Problems problems) {
    this.problems = problems;
  }

  /** Returns the feature number of the last chunk's JDK that is known; 0 if none is. */
  int jdk() {
    return Events.feature(jdkVersion);
  }

  /**
   * The readers of the events with facts. Reading needs only the event; the result is added to the
   * facts in the order of the file.
   */
  private static final Map<String, Function<EventValues, Consumer<Facts>>> READERS =
      Map.ofEntries(
          entry(Events.JVM, Facts::jvm),
          entry(JvmEvents.WITHOUT_SECRETS, Facts::jvm),
          entry(
              JvmEvents.SERVICE,
              with(JvmEvents::service, (facts, service) -> facts.service = service)),
          entry(JvmEvents.LISTENING, with(JvmEvents::port, (facts, port) -> facts.ports.add(port))),
          entry(Events.CPU, with(Events::processors, (facts, cpus) -> facts.machine = cpus)),
          entry(
              Events.CONTAINER, with(Events::processors, (facts, cpus) -> facts.container = cpus)),
          entry(Events.DATA_LOSS, with(Events::lostBytes, (facts, n) -> facts.chunkLostBytes += n)),
          entry(GcPause.EVENT, with(GcPause::of, (facts, pause) -> facts.pauses.add(pause))),
          entry(Events.HEAP_AT_GC, Facts::heap),
          entry(Events.HEAP_USAGE, Facts::heap),
          entry(Events.WAITING, Facts::waiting),
          entry(WorkDone.EVENT, with(WorkDone::of, (facts, done) -> facts.work.add(done))),
          entry(
              Events.CARRIER_KEPT,
              with(Events::keptCarrier, (facts, wait) -> facts.watch.add(wait))),
          entry(Events.WATCH, with(Events::watchLook, (facts, look) -> facts.watch.add(look))),
          entry(Events.WAIT_LOOK, with(WaitLook::of, (facts, look) -> facts.waits.add(look))),
          entry(Events.WAIT_CROWD, with(WaitCrowd::of, (facts, crowd) -> facts.waits.add(crowd))),
          entry(Events.WAIT_STACK, with(WaitStack::of, (facts, stack) -> facts.waits.add(stack))),
          entry(
              LongWaitFields.EVENT,
              with(LongWaitFields::of, (facts, wait) -> facts.waits.add(wait))),
          entry(SeenPool.EVENT, with(SeenPool::of, (facts, pool) -> facts.waits.add(pool))),
          entry(Events.HANG, with(SeenHang::of, (facts, hang) -> facts.watch.add(hang))),
          entry(
              ActiveRecording.EVENT,
              with(ActiveRecording::of, (facts, recording) -> facts.ends.add(recording))),
          entry(Events.END, with(ChunkEnd::of, (facts, end) -> facts.ends.add(end))),
          entry(
              Events.AGENT,
              with(Events::agent, (facts, agent) -> facts.agent = Optional.of(agent))),
          entry(
              Events.MONITOR_SAMPLE,
              with(Events::monitorSample, (facts, sample) -> facts.samples.add(sample))),
          entry(
              Events.LOCK_MAP,
              with(Events::lockMapPart, (facts, part) -> facts.lockMaps.add(part))),
          entry(Events.SETTING, with(Events::setting, Facts::addSetting)));

  /** The events with facts. */
  static final List<String> EVENTS = READERS.keySet().stream().sorted().toList();

  private static <T> Function<EventValues, Consumer<Facts>> with(
      Function<EventValues, T> read, BiConsumer<Facts, T> add) {
    return event -> {
      T value = read.apply(event);
      return facts -> add.accept(facts, value);
    };
  }

  /**
   * Reads an event.
   *
   * @return adds its facts
   * @throws IllegalArgumentException if its text makes no sense
   */
  static Consumer<Facts> read(EventValues event) {
    return READERS.get(event.type()).apply(event);
  }

  private static Consumer<Facts> jvm(EventValues event) {
    String version = Events.jdkVersion(event);
    long started = Events.jvmStartMillis(event);
    OptionalInt parallelism = Events.parallelismOption(event);
    OptionalInt processors = Events.processorsOption(event);
    Launch launch = Launch.of(Events.command(event));
    StartCommand command = new StartCommand(event.text("jvmArguments"), Events.command(event));
    return facts -> {
      facts.launch = launch;
      facts.command = command;
      facts.addJvm(version, started);
      facts.parallelismOption = parallelism;
      facts.processorsOption = processors;
    };
  }

  private void addJvm(String version, long started) {
    if (!jdkVersion.isEmpty() && !version.isEmpty() && !version.equals(jdkVersion)) {
      problems.add(
          "the recording is of more than one JVM (Java %s and %s)".formatted(jdkVersion, version));
    }
    if (jvmStartMillis != 0 && started != 0 && started != jvmStartMillis) {
      problems.add(
          "the recording is of more than one JVM: their carriers and threads are counted as one's;"
              + " name their files one by one");
    }
    jvmStartMillis = started;
    jdkVersion = version.isEmpty() ? jdkVersion : version;
  }

  private static Consumer<Facts> heap(EventValues event) {
    long nanos = event.startNanos();
    OptionalLong used = Events.usedHeapBytes(event);
    return facts -> used.ifPresent(bytes -> facts.heap.add(new At(nanos, bytes)));
  }

  private static Consumer<Facts> waiting(EventValues event) {
    At threads = new At(event.startNanos(), Events.waitingThreads(event));
    return facts -> facts.waiting.add(threads);
  }

  private void addSetting(Events.Setting setting) {
    chunkSettings
        .computeIfAbsent(setting.eventId(), id -> new HashMap<>())
        .merge(setting.name(), setting.value(), Facts::weaker);
  }

  /**
   * Takes the settings of the chunk that ends.
   *
   * @param metadata has the events' ids
   * @param wanted whether the chunk has part of the requested time; the settings of others hold
   *     only if no chunk has
   */
  void endChunk(Metadata metadata, boolean wanted) {
    Map<String, EventSetting> all = wanted ? settings : settingsOutside;
    chunkSettings.forEach(
        (id, values) -> {
          Metadata.JfrType type = metadata.type(id);
          if (type != null
              && (Events.EPISODES.contains(type.name) || ThreadEvent.NAMES.contains(type.name))) {
            all.merge(type.name, setting(values), Facts::weaker);
          }
        });
    chunkSettings.clear();
    lostBytes += wanted ? chunkLostBytes : 0;
    chunkLostBytes = 0;
  }

  private static EventSetting setting(Map<String, String> values) {
    return new EventSetting(
        "true".equals(values.get("enabled")),
        Figures.findDuration(values.getOrDefault("threshold", "")).orElse(0),
        "true".equals(values.get("stackTrace")),
        Figures.findDuration(values.getOrDefault("period", "")).orElse(0),
        "off".equals(values.get("throttle")) ? "" : values.getOrDefault("throttle", ""));
  }

  private static EventSetting weaker(EventSetting a, EventSetting b) {
    return new EventSetting(
        a.enabled() && b.enabled(),
        Math.max(a.thresholdNanos(), b.thresholdNanos()),
        a.stackTrace() && b.stackTrace(),
        Math.max(a.periodNanos(), b.periodNanos()),
        a.throttle().isEmpty() ? b.throttle() : a.throttle());
  }

  /** Returns that of two values of a setting in one chunk with which less was recorded. */
  private static String weaker(String a, String b) {
    return a.equals("false")
            || Figures.findDuration(a).orElse(0) > Figures.findDuration(b).orElse(0)
        ? a
        : b;
  }

  /**
   * Adds the time of a chunk.
   *
   * @param finished whether the JVM wrote its end
   */
  void addSpan(long fromNanos, long toNanos, boolean finished) {
    startNanos = Math.min(startNanos, fromNanos);
    unfinished = toNanos >= endNanos ? !finished : unfinished;
    endNanos = Math.max(endNanos, toNanos);
    ends.addChunk(fromNanos, toNanos);
  }

  /** Adds to the pins the waits that the agent's watch saw and no event of the JDK covers. */
  void addWatched(PinTable pins, SeenChunks seen) {
    watch.addTo(pins, seen.waits(jvmStartMillis), jdk());
  }

  /** Returns the waiting threads that the agent saw in a time. */
  SeenWaits waitsIn(Span span) {
    return waits.at(
        nanos ->
            span.overlaps(nanos, nanos)
                && leftOut.stream().noneMatch(other -> other.overlaps(nanos, nanos)));
  }

  /** Excludes a time in between, which belongs to another recording. */
  void leaveOut(long fromNanos, long toNanos) {
    leftOut.add(new Span(fromNanos, toNanos));
  }

  long startNanos() {
    return startNanos;
  }

  long endNanos() {
    return endNanos;
  }

  /** Returns the part of a time that is this recording's. */
  private long duration(Span span) {
    long duration = length(span);
    for (Span other : leftOut) {
      duration -=
          length(new Span(Math.max(other.from(), span.from()), Math.min(other.to(), span.to())));
    }
    return Math.max(0, duration);
  }

  private static long length(Span span) {
    return Math.max(0, span.to() - span.from());
  }

  List<MonitorSample> samples() {
    return samples;
  }

  List<ClassMonitors> lockMaps() {
    return lockMaps.complete(problems);
  }

  /**
   * Returns the facts.
   *
   * @param wanted the requested time
   */
  RecordingFacts build(String source, Span wanted) {
    Span span = new Span(Math.max(startNanos, wanted.from()), Math.min(endNanos, wanted.to()));
    settingsOutside.forEach(settings::putIfAbsent);
    Optional<Watched> watched = watch.in(span);
    OptionalInt cpus = first(processorsOption, container, machine);
    OptionalInt processors = agent.map(Events.Agent::processors).orElse(OptionalInt.empty());
    OptionalInt parallelism = agent.map(Events.Agent::parallelism).orElse(OptionalInt.empty());
    return new RecordingFacts(
        source,
        jdkVersion,
        jdk(),
        span.from(),
        duration(span),
        first(processors, cpus),
        // By default the scheduler aims at one carrier per processor.
        first(parallelism, parallelismOption, cpus),
        settings,
        agent.map(
            a -> new RecordingFacts.Agent(a.version(), a.options(), a.late(), a.maxPoolSize())),
        lostBytes,
        values(heap, wanted).max(),
        pausedNanos(wanted, watched),
        values(waiting, wanted).average(),
        values(waiting, wanted).max(),
        inside(waiting, wanted).filter(at -> at.value() > 0).map(At::nanos).toList(),
        WorkDone.in(work, at -> wanted.overlaps(at, at)),
        watched,
        watch.hangsIn(span),
        span.from() > startNanos ? 0 : ends.lostNanos(startNanos),
        span.to() < endNanos
            ? End.LATER
            : ends.end(!unfinished, agent.map(Events.Agent::attached).orElse(false), startNanos),
        launch,
        command,
        service,
        List.copyOf(ports),
        problems.sentences());
  }

  /** Returns how long the collector had stopped all threads until the program ended. */
  private long pausedNanos(Span wanted, Optional<Watched> watched) {
    long end = watched.map(Watched::exitNanos).orElse(OptionalLong.empty()).orElse(Long.MAX_VALUE);
    return pauses.stream()
        .filter(pause -> wanted.overlaps(pause.startNanos(), pause.startNanos()))
        .mapToLong(pause -> pause.nanosBefore(end))
        .sum();
  }

  private static LongStream values(List<At> measured, Span wanted) {
    return inside(measured, wanted).mapToLong(At::value);
  }

  private static Stream<At> inside(List<At> measured, Span wanted) {
    return measured.stream().filter(at -> wanted.overlaps(at.nanos(), at.nanos()));
  }

  private static OptionalInt first(OptionalInt... numbers) {
    for (OptionalInt number : numbers) {
      if (number.isPresent()) {
        return number;
      }
    }
    return OptionalInt.empty();
  }
}
