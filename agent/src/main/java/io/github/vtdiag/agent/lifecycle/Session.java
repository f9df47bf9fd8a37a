package io.github.vtdiag.agent.lifecycle;

import io.github.vtdiag.agent.jvm.AgentProperties;
import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.jvm.Patience;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.probe.VirtualThreadHooks;
import io.github.vtdiag.agent.recording.AgentEvents;
import io.github.vtdiag.agent.recording.DiskGuard;
import io.github.vtdiag.agent.recording.JfrShutdown;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.agent.recording.StreamedPins;
import io.github.vtdiag.agent.recording.WaitReports;
import io.github.vtdiag.agent.recording.WrittenFile;
import io.github.vtdiag.agent.tell.CarrierReports;
import io.github.vtdiag.agent.tell.ExitSummary;
import io.github.vtdiag.agent.tell.HangReports;
import io.github.vtdiag.agent.tell.LiveWarnings;
import io.github.vtdiag.agent.tell.MetricsFeed;
import io.github.vtdiag.agent.threads.Management;
import io.github.vtdiag.agent.threads.OsThreads;
import io.github.vtdiag.agent.waits.Noted;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.watch.CarrierWatch;
import io.github.vtdiag.watch.Sightings;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import jdk.jfr.consumer.EventStream;

/**
 * One run of the agent: starts the recording on a daemon thread, in parallel with the application's
 * start, and ends it at exit.
 */
final class Session {
  /** The longest time that an exit waits for the summary; JFR itself finishes the recording. */
  private static final long SUMMARY_SECONDS = Patience.seconds(2);

  /** The longest time that an exit waits until the current waits are recorded. */
  private static final long DRAIN_MILLIS = 300;

  /** The number of attempts to get the watch's last summary: it may be busy for a moment. */
  private static final int SUMMARY_TRIES = 10;

  private final AgentOptions options;
  private final Instrumentation instrumentation;
  private final boolean attached;
  private final StartGate gate;
  private final JfrShutdown jfr = new JfrShutdown();
  private final Thread starter = AgentThread.daemon("vtdiag", this::start);
  private final int stackDepth;
  private volatile Thread exitHook;
  private volatile Recorder recorder;
  private volatile CarrierWatch watch;
  private volatile Sightings sightings;
  private volatile CarrierReports carrierReports;
  private volatile Optional<MetricsFeed> metrics = Optional.empty();
  private volatile Optional<WaitReports> waits = Optional.empty();

  /**
   * Set once the watch has sent its last summary; the figures of the exit summary must not grow
   * then.
   */
  private volatile boolean ending;

  private Session(AgentOptions options, Instrumentation instrumentation, boolean attached) {
    this.options = options;
    this.instrumentation = instrumentation;
    this.attached = attached;
    this.gate = new StartGate(Patience.of(options.longestWait()));
    this.stackDepth = raiseStackDepth(options.depth(), instrumentation);
  }

  /**
   * Raises the stack depth. Not on the daemon: -XX:StartFlightRecording starts JFR as soon as
   * premain ends.
   */
  private static int raiseStackDepth(int depth, Instrumentation instrumentation) {
    try {
      int inForce = JdkInternals.raiseStackDepth(instrumentation, depth);
      if (inForce < depth) {
        Log.line(
            "JFR was started before vtdiag and records only "
                + inForce
                + " frames of each stack: monitors held further down are missed; to see them, start"
                + " the program with -XX:FlightRecorderOptions:stackdepth="
                + depth);
      }
      return inForce;
    } catch (ReflectiveOperationException | RuntimeException e) {
      Log.failure("cannot raise JFR's stack depth, which is 64 frames unless set otherwise", e);
      return 0;
    }
  }

  /**
   * Begins a run. Called on the main thread before {@code main}, where everything slow is left to
   * the daemon; or on the attach thread of a running program, where it returns once the recording
   * runs.
   */
  static void begin(AgentOptions options, Instrumentation instrumentation, boolean attached) {
    Session session = new Session(options, instrumentation, attached);
    instrumentation.addTransformer(session.gate);
    session.exitHook = AgentThread.atExit("vtdiag exit", session::end);
    session.starter.start();
    if (attached || StartGate.isPassed(instrumentation)) {
      session.gate.comesLate();
      session.gate.await();
    }
  }

  /**
   * A recording, with its watch.
   *
   * @param noted from when on the JDK's class calls the agent
   */
  private record Begun(Detacher detacher, CarrierReports reports, Noted noted) {}

  private void start() {
    boolean watches = options.watch().isPresent() && Management.isThere();
    boolean samples =
        options.samples() > 0 && Runtime.version().feature() < JavaRelease.UNPINNED_MONITORS;
    Optional<Begun> begun = record(watches, samples);
    if (!samples || begun.isEmpty()) {
      instrumentation.removeTransformer(gate);
    }
    begun.ifPresent(each -> startServices(each, watches, samples));
  }

  /** Starts the recording and the watch; empty if this JVM cannot record. */
  private Optional<Begun> record(boolean watches, boolean samples) {
    Optional<Weaving> weaving =
        samples || watches
            ? Optional.of(Weaving.start(instrumentation, watches, samples))
            : Optional.empty();
    try {
      recorder = Recorder.start(options, stackDepth, attached, gate::isLate, jfr, instrumentation);
    } catch (Throwable e) {
      // Threads wait at the gate, and reporting may take a while.
      gate.open();
      if (!JfrShutdown.isInProgress(e)) { // Else end() reports it.
        Log.failure("cannot record, running without the agent", e);
        AgentProperties.set(AgentProperties.REFUSED, "it cannot record: " + e);
        weaving.ifPresent(each -> each.undo(instrumentation));
        forget();
      }
      return Optional.empty();
    } finally {
      gate.open();
    }
    Detacher detacher = new Detacher(options, instrumentation, gate, recorder, this::forget);
    detacher.listen();
    CarrierReports reports = new CarrierReports(options, recorder.classes());
    // At once: the program's first virtual thread may pin its carrier from the start.
    Optional<VirtualThreadHooks> hooks = weaving.flatMap(Weaving::await);
    Noted noted = gate.wasPassed() ? Noted.LATE : Noted.FROM_THE_FIRST;
    hooks.ifPresent(detacher::removes);
    if (watches) {
      watch(options.watch().get(), reports);
    }
    return Optional.of(new Begun(detacher, reports, hooks.isPresent() ? noted : Noted.NEVER));
  }

  /** Starts all that can begin a moment later. */
  private void startServices(Begun begun, boolean watches, boolean samples) {
    if (attached) {
      Log.line("attached; recording to " + recorder.output());
    }
    DiskGuard.start(recorder);
    StreamedPins pins = new StreamedPins(recorder.classes());
    if (options.metrics().isPresent()) {
      metrics = MetricsFeed.open(options, pins, instrumentation);
    }
    LiveWarnings warnings = new LiveWarnings(options, pins, begun.reports());
    Thread warner = AgentThread.daemon("vtdiag live", () -> follow(warnings));
    begun.detacher().ends(warnings, warner);
    warner.start();
    Noted noted = watches ? begun.noted() : Noted.NEVER;
    WaitReports waits =
        WaitReports.start(
            recorder.classes(), instrumentation, noted, () -> ending, begun.reports()::openPins);
    this.waits = Optional.of(waits);
    if (options.onHang().look() && Management.isThere()) {
      HangReports.start(options.onHang(), recorder, instrumentation, noted.isHooked(), waits);
    }
    if (!Management.isThere() && (options.watch().isPresent() || options.onHang().look())) {
      Log.line(
          "this Java has no module java.management, so the carriers are not watched and hangs are"
              + " not found; the recording continues");
    }
    if (samples) {
      MonitorSampling.start(options.samples(), begun.noted().isHooked(), gate, instrumentation);
    }
    // Last, so that nothing is left to begin when it ends.
    publish(begun.detacher());
  }

  /** Publishes that the agent is there, and listens for requests to leave. */
  private void publish(Detacher detacher) {
    if (!attached) {
      AgentProperties.open(instrumentation);
    }
    AgentProperties.set(AgentProperties.VERSION, Recorder.version());
    AgentProperties.set(AgentProperties.RECORDING, recorder.output().toString());
    detacher.ready();
  }

  /** Ends this run; another one may come. */
  private void forget() {
    ending = true;
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
      Premain.left();
    } catch (IllegalStateException e) {
      // The program ends; the hook runs.
    }
  }

  private void watch(Duration threshold, CarrierReports reports) {
    try {
      JdkInternals.openCarriers(instrumentation);
      Sightings told =
          new Sightings(
              recorder.classes(),
              kept -> {
                if (!ending) {
                  reports.accept(kept);
                }
              });
      CarrierWatch started = new CarrierWatch(threshold, told, new OsThreads(instrumentation));
      AgentThread.daemon("vtdiag watch", () -> run(started)).start();
      AgentThread.daemon("vtdiag sightings", () -> run(told)).start();
      Recorder.everyPeriod(
          AgentEvents.Watch.class,
          () -> {
            if (!ending) {
              started.summary(false).ifPresent(AgentEvents::commit);
            }
          });
      Recorder.everyPeriod(AgentEvents.CarrierKept.class, () -> reports.commitOpen(!ending));
      sightings = told;
      carrierReports = reports;
      watch = started;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      Log.failure("cannot watch the carriers, the recording continues", e);
    }
  }

  private static void run(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | LinkageError e) {
      Log.failure("the watch over the carriers ends, the recording continues", e);
    }
  }

  /** Feeds the metrics. No lambda: no class of the metrics is loaded unless they were asked for. */
  private void followWithMetrics(EventStream stream) {
    if (metrics.isPresent()) {
      metrics.get().follow(stream);
    }
  }

  private void follow(LiveWarnings warnings) {
    try {
      warnings.follow(recorder, this::followWithMetrics);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | LinkageError e) {
      Log.failure("no live warnings, the recording continues", e);
    } finally {
      // Figures that are no longer updated must not look as if nothing happened.
      if (metrics.isPresent()) {
        metrics.get().close();
      }
    }
  }

  /** The shutdown hook's task. */
  private void end() {
    try {
      starter.join(TimeUnit.SECONDS.toMillis(SUMMARY_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Recorder ending = recorder;
    if (ending == null) {
      jfr.run();
      Log.line(
          "the program ended before JFR had started; "
              + (gate.isLate()
                  ? "nothing was recorded"
                  : "it had created no virtual thread, so no pin was missed and no file was"
                      + " written"));
      return;
    }
    ending.programEnds();
    waits.ifPresent(WaitReports::lookLast);
    List<String> summary = List.of();
    try {
      List<String> hung = List.of();
      try {
        hung = tellUnended();
      } catch (LinkageError | OutOfMemoryError e) {
        Log.failure("the watch's last look failed", e);
      }
      // Before the summary, which has to know all that the recording has.
      waits.flatMap(WaitReports::awaitExit).ifPresent(Log::line);
      summary = summary(ending, hung);
      if (!ending.isOver() && ending.hasLostBeginning()) {
        summary =
            with(
                summary,
                "what was recorded first is not in it any more: JFR dropped it to keep within"
                    + " maxsize");
      }
      ending.lookAtHeapAtEnd();
    } finally {
      ending.exits();
      // Not on a thread of its own: there may be no memory to start one.
      jfr.run();
    }
    if (options.summary()) {
      summary.forEach(Log::line);
    }
    if (WrittenFile.tellUnlessWhole(ending.written()) && options.summary()) {
      Log.line("recording: " + ending.output() + "  next: vtdiag analyze " + ending.output());
    }
  }

  /**
   * Reports waits that never end, which are reported nowhere else. A part that hangs must not delay
   * the exit.
   */
  private List<String> tellUnended() {
    CarrierWatch watching = watch;
    if (watching == null) {
      ending = true;
      return List.of();
    }
    watching.tellAll();
    try {
      sightings.drain(TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // The last summary of the watch: the program may have ended within the first second.
    ending = true;
    Optional<Events.WatchLook> last =
        Stream.generate(() -> watching.summary(true))
            .limit(SUMMARY_TRIES)
            .flatMap(Optional::stream)
            .findFirst();
    last.ifPresent(AgentEvents::commit);
    return last.map(seen -> ExitSummary.hung(carrierReports.open(), seen)).orElse(List.of());
  }

  /**
   * Returns the summary, read on a thread of its own: a slow disk must not delay the exit for long.
   */
  private List<String> summary(Recorder ending, List<String> hung) {
    if (ending.isOver()) {
      return with(hung, "the recording ended before the program: what came later is not in it");
    }
    AtomicReference<List<String>> result = new AtomicReference<>(List.of());
    Thread reader =
        AgentThread.daemon(
            "vtdiag summary",
            () -> {
              try {
                result.set(new ExitSummary(ending, options, hung).read());
              } catch (IOException | RuntimeException | LinkageError e) {
                result.set(with(hung, "no summary: " + e));
              }
            });
    reader.start();
    try {
      reader.join(TimeUnit.SECONDS.toMillis(SUMMARY_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return reader.isAlive() ? with(hung, "no summary: reading took too long") : result.get();
  }

  private static List<String> with(List<String> lines, String more) {
    return Stream.concat(lines.stream(), Stream.of(more)).toList();
  }
}
