package io.github.vtdiag.agent.lifecycle;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.probe.MonitorSampler;
import io.github.vtdiag.agent.recording.AgentEvents;
import java.lang.instrument.Instrumentation;

/** Records which monitors a pinned thread holds, and proves that this JVM calls the hook. */
final class MonitorSampling {
  private MonitorSampling() {}

  /**
   * Starts to sample.
   *
   * @param perSecond samples a second
   * @param hooked whether the JDK's class calls the agent
   * @param gate sees the first virtual thread; removed once it is no longer needed
   */
  static void start(
      int perSecond, boolean hooked, StartGate gate, Instrumentation instrumentation) {
    if (!hooked) {
      instrumentation.removeTransformer(gate);
      return;
    }
    try {
      MonitorSampler.start(
          perSecond,
          frames -> {
            AgentEvents.MonitorSample event = new AgentEvents.MonitorSample();
            event.frames = frames;
            event.commit();
          });
      gate.whenPassed(
          () -> AgentThread.daemon("vtdiag proof", () -> prove(gate, instrumentation)).start(),
          instrumentation);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      instrumentation.removeTransformer(gate);
      Log.failure("cannot sample exact monitors, the recording continues", e);
    }
  }

  /**
   * Checks that the hook is called: another agent may have undone it, or this JDK parks elsewhere.
   */
  private static void prove(StartGate gate, Instrumentation instrumentation) {
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
}
