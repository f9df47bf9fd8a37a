package vtdiag.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import vtdiag.agent.probe.MonitorSampler;
import vtdiag.pin.Events;

/**
 * One run of the agent: starts the recording on a daemon thread beside the application's start, and
 * ends it at exit.
 */
final class Session {
  /** How long an exit waits for the summary; the recording itself is JFR's to finish. */
  private static final long SUMMARY_SECONDS = 5;

  private final AgentOptions options;
  private final Instrumentation instrumentation;
  private final boolean attached;
  private final StartGate gate = new StartGate();
  private final Thread starter = AgentThread.daemon("vtdiag", this::start);
  private final int stackDepth;
  private volatile Recorder recorder;

  private Session(AgentOptions options, Instrumentation instrumentation, boolean attached) {
    this.options = options;
    this.instrumentation = instrumentation;
    this.attached = attached;
    this.stackDepth = raiseStackDepth(options.depth(), instrumentation);
  }

  /** Not on the daemon: -XX:StartFlightRecording starts JFR as soon as premain ends. */
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
   * Called on the main thread before {@code main}, where everything slow is left to the daemon; or
   * on the attach thread of a running program, where it returns once the recording runs.
   */
  static void begin(AgentOptions options, Instrumentation instrumentation, boolean attached) {
    Session session = new Session(options, instrumentation, attached);
    instrumentation.addTransformer(session.gate);
    session.starter.start();
    AgentThread.atExit("vtdiag exit", session::end);
    if (attached || StartGate.isPassed(instrumentation)) {
      session.gate.await();
    }
  }

  private void start() {
    boolean samples =
        options.samples() > 0 && Runtime.version().feature() < Events.UNPINNED_MONITORS;
    try {
      recorder = Recorder.start(options, stackDepth, instrumentation);
    } catch (Throwable e) {
      samples = false;
      if (!isShutdown(e)) {
        Log.failure("cannot record, running without the agent", e);
      }
      return;
    } finally {
      gate.open();
      if (!samples) {
        instrumentation.removeTransformer(gate);
      }
    }
    if (attached) {
      Log.line("attached; recording to " + recorder.output());
    }
    AgentThread.daemon("vtdiag live", this::follow).start();
    if (samples) {
      sampleMonitors();
    }
  }

  /** JFR cannot start once the JVM runs its shutdown hooks; {@link #end} reports that. */
  private static boolean isShutdown(Throwable e) {
    return e instanceof IllegalStateException && "Shutdown in progress".equals(e.getMessage());
  }

  private void follow() {
    try {
      new LiveWarnings(options, recorder.classes(), recorder.waiting()).follow(recorder);
    } catch (IOException | RuntimeException | LinkageError e) {
      Log.failure("no live warnings, the recording continues", e);
    }
  }

  private void sampleMonitors() {
    try {
      JdkInternals.openJavaLang(instrumentation);
      MonitorSampler.install(
          instrumentation,
          options.samples(),
          frames -> {
            AgentEvents.MonitorSample event = new AgentEvents.MonitorSample();
            event.frames = frames;
            event.commit();
          });
      gate.whenPassed(
          () -> AgentThread.daemon("vtdiag proof", this::proveSampling).start(), instrumentation);
    } catch (ReflectiveOperationException
        | IOException
        | UnmodifiableClassException
        | RuntimeException
        | LinkageError e) {
      instrumentation.removeTransformer(gate);
      Log.failure("cannot sample exact monitors, the recording continues", e);
    }
  }

  /** The hook may be missing: another agent undid it, or this JDK parks elsewhere. */
  private void proveSampling() {
    instrumentation.removeTransformer(gate);
    try {
      if (!MonitorSampler.isWoven()) {
        MonitorSampler.stop();
        Log.line(
            "cannot sample exact monitors, the recording continues: this JVM does not call vtdiag's"
                + " hook when a pinned thread parks");
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      MonitorSampler.stop();
      Log.failure("cannot sample exact monitors, the recording continues", e);
    }
  }

  /** The shutdown hook. */
  private void end() {
    try {
      starter.join(TimeUnit.SECONDS.toMillis(SUMMARY_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Recorder ending = recorder;
    if (ending == null) {
      Log.line(
          "the program ended before JFR had started; it had created no virtual thread, so no pin"
              + " was missed and no file was written");
      return;
    }
    List<String> summary = List.of();
    try {
      summary = summary(ending);
      ending.lookAtHeapAtEnd();
    } finally {
      // Not on a thread of its own: there may be no memory to start one.
      ending.jfrHook().ifPresent(Runnable::run);
    }
    if (options.summary()) {
      summary.forEach(Log::line);
      Log.line("recording: " + ending.output() + "  next: vtdiag analyze " + ending.output());
    }
  }

  /** Read on a thread of its own, so that a slow disk does not hold the exit for long. */
  private List<String> summary(Recorder ending) {
    AtomicReference<List<String>> result = new AtomicReference<>(List.of());
    Thread reader =
        AgentThread.daemon(
            "vtdiag summary",
            () -> {
              try {
                result.set(new ExitSummary(ending, options).read());
              } catch (IOException | RuntimeException | LinkageError e) {
                result.set(List.of("no summary: " + e));
              }
            });
    reader.start();
    try {
      reader.join(TimeUnit.SECONDS.toMillis(SUMMARY_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return reader.isAlive()
        ? List.of("no summary: reading the recording took too long")
        : result.get();
  }
}
