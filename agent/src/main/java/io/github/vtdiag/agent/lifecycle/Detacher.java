package io.github.vtdiag.agent.lifecycle;

import io.github.vtdiag.agent.jvm.AgentProperties;
import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.probe.MonitorSampler;
import io.github.vtdiag.agent.probe.VirtualThreadHooks;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.agent.tell.LiveWarnings;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * Ends the agent in a JVM that goes on. A user can stop the recording from outside, with {@code
 * vtdiag detach} or {@code jcmd PID JFR.stop name=vtdiag}. The file is complete by then, and the
 * agent has to leave. That needs no second agent, whose loading would make the JVM print a warning.
 * If the application stops the recording, the agent stays.
 *
 * <p>JFR notifies its listeners with its own monitor held when the JVM exits, and without it
 * otherwise; what a recording is asked takes that monitor. So nothing is locked here: two threads
 * would wait for each other, and the JVM would not end.
 */
final class Detacher implements FlightRecorderListener {
  /** The JVM's thread that runs commands from outside. */
  private static final String ATTACH_LISTENER = "Attach Listener";

  private static final long PATIENCE_SECONDS = 10;

  private final AgentOptions options;
  private final Instrumentation instrumentation;
  private final StartGate gate;
  private final Recorder recorder;
  private final Runnable forget;
  private final AtomicBoolean left = new AtomicBoolean();
  private volatile boolean ready;
  private volatile boolean asked;
  private volatile LiveWarnings warnings;
  private volatile Thread warner;
  private volatile VirtualThreadHooks hooks;

  /**
   * @param forget ends what this class does not know
   */
  Detacher(
      AgentOptions options,
      Instrumentation instrumentation,
      StartGate gate,
      Recorder recorder,
      Runnable forget) {
    this.options = options;
    this.instrumentation = instrumentation;
    this.gate = gate;
    this.recorder = recorder;
    this.forget = forget;
  }

  /** Sets the warnings that have to end, and their thread. */
  void ends(LiveWarnings live, Thread thread) {
    warnings = live;
    warner = thread;
  }

  /** Sets the hooks that have to be removed. */
  void removes(VirtualThreadHooks installed) {
    hooks = installed;
  }

  /** Listens from now on. */
  void listen() {
    FlightRecorder.addListener(this);
  }

  /**
   * Called once everything has begun that has to end. If the user has stopped the recording by
   * then, the agent leaves now.
   */
  void ready() {
    ready = true;
    leaveIfAsked();
  }

  @Override
  public void recordingStateChanged(Recording changed) {
    if (changed.getId() == recorder.recording().getId()
        && changed.getState() == RecordingState.STOPPED
        && Thread.currentThread().getName().equals(ATTACH_LISTENER)) {
      asked = true;
      leaveIfAsked();
    }
  }

  private void leaveIfAsked() {
    if (ready && asked && left.compareAndSet(false, true)) {
      AgentThread.daemon("vtdiag detach", this::leave).start();
    }
  }

  /** Undoes all that can be undone. */
  private void leave() {
    if (options.rewrite().isPresent() || !options.count().isEmpty()) {
      String change = options.rewrite().isPresent() ? "rewrite" : "count";
      AgentProperties.set(
          AgentProperties.REFUSED,
          "the recording has ended, but what " + change + " changed stays until the program ends");
      return;
    }
    try {
      if (warnings != null) {
        warnings.end();
        warner.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      }
      List<String> stay = AgentThread.endAll();
      if (!stay.isEmpty()) {
        Log.line("these threads did not end: " + String.join(", ", stay));
      }
      MonitorSampler.stop();
      instrumentation.removeTransformer(gate);
      if (hooks != null) {
        hooks.remove(instrumentation);
      }
      FlightRecorder.removeListener(this);
      recorder.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ReflectiveOperationException
        | UnmodifiableClassException
        | RuntimeException
        | LinkageError e) {
      Log.failure("a part of the agent stays", e);
    }
    Log.line(
        "detached; recording: "
            + recorder.output()
            + "  next: vtdiag analyze "
            + recorder.output());
    forget.run();
    AgentProperties.clear();
  }
}
