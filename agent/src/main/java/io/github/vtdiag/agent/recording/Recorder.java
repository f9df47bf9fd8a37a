package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.pin.ActiveRecording;
import io.github.vtdiag.pin.ChunkEnd.Why;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.ThreadEvent;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/** The recording, which is authoritative; the live stream is only an early warning. */
public final class Recorder {
  /** JFR limits the length of strings, so longer maps go into several events. */
  private static final int MAP_PART = 8_000;

  /**
   * The period of execution samples, which show where carriers run; the sampler takes a few threads
   * each time.
   */
  private static final String SAMPLES = "20 ms";

  /** The shortest file I/O that is recorded; the samples show shorter ones. */
  private static final Duration FILES = Duration.ofMillis(1);

  private static final String ALLOCATIONS = "50/s";

  /** The callbacks registered with JFR, so that they can be removed. */
  private static final Collection<Runnable> PERIODIC = new ConcurrentLinkedQueue<>();

  private final Recording recording;
  private final OutputFile output;
  private final Instant start;
  private final LoadedClasses classes;
  private final JfrShutdown jfr;
  private final RecordingEnd end;
  private final AtomicLong chunks;
  private final WorkCounts work;
  private volatile boolean programEnds;

  private Recorder(
      Recording recording,
      OutputFile output,
      Instant start,
      LoadedClasses classes,
      JfrShutdown jfr,
      RecordingEnd end,
      AtomicLong chunks,
      WorkCounts work) {
    this.end = end;
    this.work = work;
    this.chunks = chunks;
    this.recording = recording;
    this.output = output;
    this.start = start;
    this.classes = classes;
    this.jfr = jfr;
  }

  public Recording recording() {
    return recording;
  }

  /** Returns the file that has the recording once it is complete. */
  public Path output() {
    return output.complete();
  }

  /** Returns the file as it is called now. */
  public Path written() {
    return output.now();
  }

  public Instant start() {
    return start;
  }

  public LoadedClasses classes() {
    return classes;
  }

  /**
   * Starts JFR, which takes a few hundred milliseconds in a fresh JVM.
   *
   * @param stackDepth the depth at which JFR cuts stacks
   * @param attached whether the program runs already
   * @param late whether the program's first virtual thread went on before
   * @param jfr the end of JFR, which does not come before the start is done
   */
  public static Recorder start(
      AgentOptions options,
      int stackDepth,
      boolean attached,
      BooleanSupplier late,
      JfrShutdown jfr,
      Instrumentation instrumentation)
      throws IOException {
    if (!FlightRecorder.isInitialized()) {
      moveRepository(options.output(), instrumentation);
    }
    Recording recording = new Recording();
    boolean started = false;
    try {
      Recorder recorder =
          jfr.start(
              JfrShutdown.jfrs(instrumentation),
              () -> start(recording, options, stackDepth, attached, late, jfr, instrumentation));
      started = true;
      return recorder;
    } finally {
      if (!started) {
        recording.close();
      }
    }
  }

  /**
   * Moves JFR's repository: JFR begins in the temporary folder, and fails if that cannot be
   * written.
   */
  private static void moveRepository(String output, Instrumentation instrumentation) {
    try {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      if (Files.isWritable(temporary)) {
        return;
      }
      Path folder = Path.of(RecordingName.of(output)).toAbsolutePath().getParent();
      if (Files.isWritable(folder)) {
        JdkInternals.setRepository(instrumentation, folder);
        Log.line(
            "the temporary folder "
                + temporary
                + " cannot be written: JFR keeps its data in "
                + folder
                + " until the program ends");
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      Log.failure("cannot have JFR begin elsewhere than in java.io.tmpdir", e);
    }
  }

  private static Recorder start(
      Recording recording,
      AgentOptions options,
      int stackDepth,
      boolean attached,
      BooleanSupplier late,
      JfrShutdown jfr,
      Instrumentation instrumentation)
      throws IOException {
    recording.setName(ActiveRecording.AGENTS);
    recording.setToDisk(true);
    recording.setMaxSize(options.maxSizeMegabytes() * 1_000_000L);
    OutputFile output = OutputFile.set(recording, options.output());
    recording.setDumpOnExit(true);
    enable(recording, options.threshold());

    LoadedClasses classes = new LoadedClasses(instrumentation);
    AtomicLong chunks = new AtomicLong();
    everyPeriod(
        AgentEvents.Agent.class,
        () -> {
          chunks.incrementAndGet();
          commitAgent(options, stackDepth, attached, late.getAsBoolean());
        });
    ServiceInfo service = JvmFacts.service();
    everyPeriod(JvmFacts.Service.class, () -> JvmFacts.commitService(service));
    everyPeriod(JvmFacts.Listening.class, new ListeningPorts()::commit);
    if (JvmFacts.mayHoldSecrets()) {
      everyPeriod(JvmFacts.Jvm.class, JvmFacts::commitWithoutSecrets);
    }
    RecordingEnd end = new RecordingEnd();
    everyPeriod(AgentEvents.End.class, end::commit);
    everyPeriod(AgentEvents.LockMap.class, () -> classes.all().forEach(Recorder::commitLockMap));
    everyPeriod(AgentEvents.Waiting.class, new WaitingThreads()::commit);
    WorkCounts work = new WorkCounts();
    everyPeriod(AgentEvents.Work.class, work::commit);
    // JFR writes all descriptions of events anew if one comes while it records.
    AgentEvents.register();
    WaitEvents.register();
    Instant start = Instant.now();
    recording.start();
    Log.hintAtOutOfMemory(
        "; if "
            + output.now()
            + " stays empty, its data is in "
            + System.getProperty("jdk.jfr.repository"));
    return new Recorder(recording, output, start, classes, jfr, end, chunks, work);
  }

  /**
   * Runs a task each period, on one of JFR's threads, which would print whatever the task throws.
   */
  public static void everyPeriod(Class<? extends Event> event, Runnable task) {
    Runnable guarded = AgentThread.guarded(task);
    FlightRecorder.addPeriodicEvent(event, guarded);
    PERIODIC.add(guarded);
  }

  /**
   * Removes all callbacks from JFR. The recording is left open: the code that stopped it still
   * queries it, and closes it.
   */
  public void leave() {
    PERIODIC.forEach(FlightRecorder::removePeriodicEvent);
    PERIODIC.clear();
    output.leave();
    jfr.giveBack();
  }

  private static void enable(Recording recording, Duration threshold) {
    recording.enable(Events.PINNED).withThreshold(threshold).withStackTrace();
    if (Runtime.version().feature() < JavaRelease.UNPINNED_MONITORS) {
      for (String monitor : List.of(Events.MONITOR_ENTER, Events.MONITOR_WAIT)) {
        recording.enable(monitor).withThreshold(threshold).withStackTrace();
      }
    }
    for (ThreadEvent sample : List.of(ThreadEvent.EXECUTION_SAMPLE, ThreadEvent.NATIVE_SAMPLE)) {
      recording.enable(sample.eventName()).with("period", SAMPLES).withStackTrace();
    }
    for (ThreadEvent file : ThreadEvent.FILES) {
      recording.enable(file.eventName()).withThreshold(FILES).withStackTrace();
    }
    recording.enable(ThreadEvent.SUBMIT_FAILED.eventName()).withStackTrace();
    recording
        .enable(ThreadEvent.ALLOCATION_SAMPLE.eventName())
        .with("throttle", ALLOCATIONS)
        .withStackTrace();
    boolean secrets = JvmFacts.mayHoldSecrets();
    for (String information : Events.ENVIRONMENT) {
      if (secrets && information.equals(Events.JVM)) {
        continue;
      }
      // Not at the chunk's end, which a killed JVM never writes.
      recording.enable(information).with("period", "beginChunk");
    }
    Events.WITHOUT_SETTINGS.forEach(recording::enable);
    // The heap is measured before and after a collection, and once a second as long as there is
    // none.
    recording.enable(Events.HEAP_USAGE).with("period", "1 s");
    recording.enable(ActiveRecording.EVENT);
  }

  /**
   * Makes the last chunk end with a measurement of the heap, which only grows between collections:
   * a program may end within the first second.
   */
  public void lookAtHeapAtEnd() {
    try {
      recording.enable(Events.HEAP_USAGE).with("period", "endChunk");
    } catch (IllegalStateException e) {
      // The application closed the recording.
    }
  }

  /** Returns whether the recording was ended while the program goes on. */
  public boolean isOver() {
    return recording.getState() == RecordingState.STOPPED
        || recording.getState() == RecordingState.CLOSED;
  }

  /**
   * Returns whether JFR has dropped the beginning of the recording: it deletes the file of a chunk
   * that no recording has any more.
   */
  public boolean hasLostBeginning() {
    String repository = System.getProperty("jdk.jfr.repository");
    if (repository == null) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(repository), "*.jfr")) {
      long left = 0;
      for (Path file : files) {
        left += Files.isRegularFile(file) ? 1 : 0;
      }
      return left < chunks.get();
    } catch (IOException | DirectoryIteratorException | InvalidPathException e) {
      return false;
    }
  }

  /**
   * Called when the program begins to end: a hang that ends from now on has not ended by itself.
   */
  public void programEnds() {
    programEnds = true;
  }

  public boolean isProgramEnding() {
    return programEnds;
  }

  /** Called when the program ends, and with it the recording. */
  public void exits() {
    work.commit();
    end.is(Why.EXIT);
  }

  /** Ends the recording and writes its file. */
  public void finish(Why why) {
    end.is(why);
    try {
      recording.stop();
    } catch (IllegalStateException e) {
      // The application stopped it, and has its data.
    }
  }

  private static void commitAgent(AgentOptions options, int depth, boolean attached, boolean late) {
    AgentEvents.Agent event = new AgentEvents.Agent();
    int parallelism = parallelism();
    event.version = version();
    event.options = options.text();
    event.stackDepth = depth;
    event.attached = attached;
    event.late = late;
    event.processors = Runtime.getRuntime().availableProcessors();
    event.parallelism = parallelism;
    // The scheduler's own default, java.lang.VirtualThread.createDefaultScheduler.
    event.maxPoolSize =
        Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize", Math.max(parallelism, 256));
    event.commit();
  }

  /** Returns the parallelism of the scheduler. */
  public static int parallelism() {
    return Integer.getInteger(
        "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
  }

  public static String version() {
    String version = Recorder.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  public static void commitLockMap(LoadedClasses.Recorded recorded) {
    ClassMonitors type = recorded.type();
    String map = recorded.map();
    int parts = Math.max(1, (map.length() + MAP_PART - 1) / MAP_PART);
    for (int part = 0; part < parts; part++) {
      AgentEvents.LockMap event = new AgentEvents.LockMap();
      event.className = type.type().name();
      event.classLoader = type.type().loader();
      event.sourceFile = type.type().source();
      event.location = type.location();
      event.jarHash = type.jar().hash();
      event.coordinates = type.jar().coordinates();
      event.changedBy = type.changedBy();
      event.part = part;
      event.parts = parts;
      event.map = map.substring(part * MAP_PART, Math.min(map.length(), (part + 1) * MAP_PART));
      event.commit();
    }
  }
}
