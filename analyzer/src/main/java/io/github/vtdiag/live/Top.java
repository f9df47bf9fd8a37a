package io.github.vtdiag.live;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.dump.Jvm;
import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Recorded;
import io.github.vtdiag.live.TopSample.Seen;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.Recordings;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.recording.Watched;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Samples a running JVM again and again. */
public final class Top implements Closeable {
  /** The number of samples of the queue that are kept. */
  private static final int HISTORY = 120;

  /** The first Java that says how many virtual threads are queued. */
  private static final int TELLS_QUEUE = 24;

  /** The factor by which a pause is longer than the reading before it. */
  private static final int READING_PART = 2;

  /**
   * The longest time between two flushes: JFR writes once a second, and a busy machine may be late.
   */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final RunningJvm jvm;
  private final TargetJvm target;
  private final Duration window;
  private final Pipeline pipeline;
  private final CarrierSamples carriers;
  private final KnownThreads threads = new KnownThreads();
  private final Deque<OptionalLong> queue = new ArrayDeque<>();

  private boolean closed;

  private Optional<OwnRecording> recording = Optional.empty();
  private Recorded recorded = Recorded.NOTHING;
  private Optional<Watched> watched = Optional.empty();
  private OptionalInt recordedParallelism = OptionalInt.empty();
  private OptionalInt toldParallelism = OptionalInt.empty();
  private List<CarrierRow> rows = List.of();
  private List<ToldHang> hangs = List.of();
  private SortedMap<Path, FileTime> seen = new TreeMap<>();
  private long nextReading = System.nanoTime();
  private long atMillis;

  private Top(RunningJvm jvm, TargetJvm target, Duration window, List<String> classPath) {
    this.jvm = jvm;
    this.target = target;
    this.window = window;
    this.carriers = new CarrierSamples(jvm::waitedForProcessor);
    this.pipeline =
        new Pipeline(classPath.isEmpty() ? target.classPath() : classPath, target.jdk());
  }

  /**
   * Connects to a JVM and has it record.
   *
   * @param patience how long it may take to answer
   * @param window the time that the account and the findings cover
   * @param classPath what it runs; empty for what it says itself
   */
  public static Top at(long pid, Duration patience, Duration window, List<String> classPath)
      throws DataException {
    RunningJvm jvm = RunningJvm.attach(pid, patience);
    Top top = null;
    try {
      TargetJvm target = TargetJvm.of(pid, jvm.properties(), jvm::reached);
      top = new Top(jvm, target, window, classPath);
      top.record();
      return top;
    } finally {
      if (top == null) {
        jvm.close();
      }
    }
  }

  public TargetJvm target() {
    return target;
  }

  private void record() {
    try {
      recording =
          Optional.of(
              OwnRecording.start(jvm, target.feature(), window.plus(Duration.ofSeconds(20))));
    } catch (DataException e) {
      recorded =
          new Recorded(
              0,
              Optional.empty(),
              false,
              "The JVM makes no recording, so only its carriers are shown: " + e.getMessage());
    }
  }

  /**
   * Samples the carriers.
   *
   * @throws DataException if the JVM has ended, or does not answer
   */
  public TopSample look() throws DataException {
    if (recording.isPresent()) {
      recording.get().renew();
    }
    // Before the carriers are stopped to be printed: others queue up while they are stopped.
    Jvm said = new Jvm(new Properties(), target.feature() < TELLS_QUEUE ? "" : scheduler());
    String printed = jvm.ask("Thread.print");
    toldParallelism = said.parallelism();
    rows = carriers.look(printed, System.nanoTime(), parallelism());
    hangs = jvm.toldHangs();
    atMillis = System.currentTimeMillis();
    queue.addLast(said.queued().isPresent() ? said.queued() : queuedByAgent());
    if (queue.size() > HISTORY) {
      queue.removeFirst();
    }
    return moment();
  }

  private String scheduler() {
    try {
      return jvm.ask("Thread.vthread_scheduler");
    } catch (DataException e) {
      return ""; // Not every JVM has the command; the next question finds one that has ended.
    }
  }

  private OptionalLong queuedByAgent() {
    long now = TimeRange.nanosOf(Instant.now());
    return watched
        .map(Watched::last)
        .filter(look -> now - look.atNanos() < FRESH_NANOS)
        .map(look -> OptionalLong.of(look.queued()))
        .orElse(OptionalLong.empty());
  }

  private OptionalInt parallelism() {
    return toldParallelism.isPresent()
        ? toldParallelism
        : target.parallelism().map(OptionalInt::of).orElse(recordedParallelism);
  }

  /** Returns the last sample, with what the recording tells by now. */
  public TopSample moment() {
    Optional<Seen> seen = carriers.seen(window);
    double pinned = recorded.pinned();
    double ready = seen.map(Seen::ready).orElse(0.0);
    return new TopSample(
        target,
        atMillis,
        parallelism(),
        rows.stream().map(row -> threads.completed(row).among(pinned, ready)).toList(),
        seen,
        List.copyOf(queue),
        hangs,
        recorded);
  }

  /**
   * Reads the recording if there is more of it, with pauses.
   *
   * @return whether there is something new
   */
  public boolean read() {
    if (recording.isEmpty() || System.nanoTime() - nextReading < 0) {
      return false;
    }
    SortedMap<Path, FileTime> now = files(recording.get().repository());
    if (now.equals(seen)) {
      return false;
    }
    seen = now;
    long begin = System.nanoTime();
    try {
      read(List.copyOf(now.keySet()));
    } catch (DataException e) {
      if (recorded.findings().isEmpty()) {
        recorded = new Recorded(0, Optional.empty(), false, e.getMessage());
      }
    }
    long end = System.nanoTime();
    nextReading = end + READING_PART * (end - begin);
    return true;
  }

  private void read(List<Path> files) throws DataException {
    if (files.isEmpty()) {
      return;
    }
    long from = TimeRange.nanosOf(Instant.now().minus(window));
    TimeRange range = new TimeRange(Optional.of(new TimeRange.At(from)), Optional.empty());
    List<RecordingData> data =
        new Recordings(range, note -> {}, bytes -> {})
            .read(new Input("process " + target.pid(), files));
    threads.read(data);
    Findings findings = pipeline.findings(data);
    long nanos = data.stream().mapToLong(each -> each.facts().durationNanos()).sum();
    boolean agent = data.stream().anyMatch(each -> each.facts().agent().isPresent());
    recorded = new Recorded(nanos, Optional.of(findings), agent, "");
    watched =
        data.stream().map(RecordingData::facts).flatMap(each -> each.watched().stream()).findAny();
    // The agent counts where Java does not; the sample was taken before this was read.
    if (!queue.isEmpty() && queue.getLast().isEmpty()) {
      queue.removeLast();
      queue.addLast(queuedByAgent());
    }
    recordedParallelism =
        data.stream()
            .map(RecordingData::facts)
            .map(RecordingFacts::parallelism)
            .filter(OptionalInt::isPresent)
            .findFirst()
            .orElse(OptionalInt.empty());
  }

  /** Returns the chunks that can have something of the last seconds. */
  private SortedMap<Path, FileTime> files(Path repository) {
    Instant oldest = Instant.now().minus(window);
    SortedMap<Path, FileTime> files = new TreeMap<>();
    List<Path> all = new ArrayList<>();
    try (Stream<Path> list = Files.list(repository)) {
      list.filter(file -> file.getFileName().toString().endsWith(".jfr")).forEach(all::add);
    } catch (IOException e) {
      return seen; // The JVM has ended, or is about to.
    }
    for (Path file : all) {
      try {
        FileTime time = Files.getLastModifiedTime(file);
        if (Files.size(file) > 0 && !time.toInstant().isBefore(oldest)) {
          files.put(file, time);
        }
      } catch (IOException e) {
        // JFR has removed it meanwhile.
      }
    }
    return files;
  }

  /** Ends the recording, once: at the end, and when the process is told to end before. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      recording.ifPresent(OwnRecording::close);
      jvm.close();
    }
  }
}
