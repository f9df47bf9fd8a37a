package io.github.vtdiag.agent;

import io.github.vtdiag.agent.threads.WaitSampler;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.LongWait;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.FlightRecorder;

/** Records what virtual threads wait for that have left their carriers. */
final class WaitReports implements WaitSampler.Sink {
  private final LoadedClasses classes;
  private final List<WaitStack> stacks = new CopyOnWriteArrayList<>();

  private WaitReports(LoadedClasses classes) {
    this.classes = classes;
  }

  /**
   * Starts to look, on a daemon thread.
   *
   * @param hooked whether mounts are noted
   */
  static void start(LoadedClasses classes, Instrumentation instrumentation, boolean hooked) {
    FlightRecorder.register(WaitEvents.WaitLooked.class);
    FlightRecorder.register(WaitEvents.WaitCrowded.class);
    FlightRecorder.register(WaitEvents.LongWaited.class);
    FlightRecorder.register(WaitEvents.WaitPooled.class);
    WaitReports reports = new WaitReports(classes);
    // The oldest chunks may be dropped, and with them what was said once.
    Recorder.everyPeriod(
        WaitEvents.WaitStacked.class, () -> reports.stacks.forEach(WaitEvents::commit));
    WaitSampler sampler =
        new WaitSampler(
            instrumentation,
            reports,
            hooked,
            e -> Log.failure("cannot look what threads wait for, the recording continues", e));
    AgentThread.daemon("vtdiag waits", sampler).start();
  }

  @Override
  public void stack(int number, StackTrace stack) {
    WaitStack numbered = new WaitStack(number, stack);
    stacks.add(numbered);
    WaitEvents.commit(numbered);
    // Whose code that is, the recording tells by where the classes came from.
    classes.read(List.of(stack));
  }

  @Override
  public void look(
      WaitLook look, List<WaitCrowd> crowds, List<LongWait> longWaits, List<SeenPool> pools) {
    WaitEvents.commit(look, crowds, longWaits, pools);
  }
}
