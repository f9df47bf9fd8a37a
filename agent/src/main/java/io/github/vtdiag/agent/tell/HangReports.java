package io.github.vtdiag.agent.tell;

import io.github.vtdiag.agent.ends.OwnPorts;
import io.github.vtdiag.agent.jvm.AgentProperties;
import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.options.OnHang;
import io.github.vtdiag.agent.recording.AgentEvents;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.agent.recording.WaitReports;
import io.github.vtdiag.agent.threads.HangWatch;
import io.github.vtdiag.agent.threads.HangWatch.Hang;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.hang.HangPlaces;
import io.github.vtdiag.pin.ChunkEnd.Why;
import io.github.vtdiag.pin.PlaceText;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reports hangs: on standard error, in the recording and, if asked, by a dump or by ending the JVM.
 */
public final class HangReports implements HangWatch.Listener {
  /** JFR limits the length of strings. */
  private static final int MOST_TEXT = 8_000;

  /**
   * The time after which the JVM ends although the recording is not written: the disk may hang,
   * too.
   */
  private static final long WRITE_SECONDS = 30;

  private final OnHang onHang;
  private final Recorder recorder;

  /** The number of hangs that last. */
  private final AtomicInteger lasting = new AtomicInteger();

  private HangReports(OnHang onHang, Recorder recorder) {
    this.onHang = onHang;
    this.recorder = recorder;
  }

  /**
   * Starts to watch for hangs, on a daemon thread.
   *
   * @param counted whether mounts are counted
   * @param waits knows the stalled threads at the moment
   */
  public static void start(
      OnHang onHang,
      Recorder recorder,
      Instrumentation instrumentation,
      boolean counted,
      WaitReports waits) {
    LockMapReader maps = recorder.classes();
    HangReports reports = new HangReports(onHang, recorder);
    HangWatch watch =
        new HangWatch(
            instrumentation,
            maps,
            counted,
            waits::stalls,
            new OwnPorts(instrumentation),
            reports,
            e -> Log.failure("cannot look for hangs, the recording continues", e));
    AgentThread.daemon("vtdiag hang", watch).start();
    waits.tellPossible(new PossibleStalls(() -> reports.lasting.get() > 0)::seen);
  }

  @Override
  public void found(Hang hang, HangWatch.Dump dump) {
    lasting.incrementAndGet();
    commit(hang, false);
    AgentProperties.found(hang.number(), hang.diagnosis(), hang.lines());
    hang.lines().forEach(Log::line);
    if (onHang.dump()) {
      dump(hang, dump);
    }
    if (hang.diagnosis().isDeadlock() && onHang.halt().isPresent()) {
      halt(onHang.halt().getAsInt());
    }
  }

  private void dump(Hang hang, HangWatch.Dump dump) {
    String recording = recorder.output().getFileName().toString();
    String name =
        (recording.endsWith(".jfr") ? recording.substring(0, recording.length() - 4) : recording)
            + "-hang"
            + hang.number();
    Path json = recorder.output().resolveSibling(name + ".json");
    Path text = recorder.output().resolveSibling(name + ".txt");
    try {
      dump.write(json, text);
      Log.line("all threads: " + text + " and " + json);
    } catch (IOException | RuntimeException | LinkageError e) {
      Log.failure("cannot write the dump of all threads to " + json, e);
    }
  }

  /** Halts the JVM. Not by an exit: shutdown hooks could wait for the threads that hang. */
  private void halt(int code) {
    Thread writer = AgentThread.daemon("vtdiag halt", () -> recorder.finish(Why.EXIT));
    writer.start();
    try {
      writer.join(TimeUnit.SECONDS.toMillis(WRITE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Log.line("recording: " + recorder.output() + "  next: vtdiag analyze " + recorder.output());
    Log.line("ending the JVM with exit code " + code + " (onhang=halt)");
    Runtime.getRuntime().halt(code);
  }

  @Override
  public void ended(Hang hang) {
    lasting.decrementAndGet();
    if (recorder.isProgramEnding()) {
      return;
    }
    commit(hang, true);
    AgentProperties.ended(hang.number());
    Log.line("ended: " + hang.lines().getFirst());
  }

  private static void commit(Hang hang, boolean ended) {
    AgentEvents.Hang event = new AgentEvents.Hang();
    event.hang = hang.number();
    event.kind = hang.diagnosis().kind().wireName();
    event.deadlock = hang.diagnosis().kind().isDeadlock(hang.diagnosis().isSure(), ended);
    event.ended = ended;
    String text = String.join("\n", hang.lines());
    event.text = text.substring(0, Math.min(text.length(), MOST_TEXT));
    event.places = PlaceText.write(HangPlaces.of(hang.diagnosis()), MOST_TEXT);
    String locks = String.join("\n", HangPlaces.objects(hang.diagnosis()));
    event.locks = locks.substring(0, Math.min(locks.length(), MOST_TEXT));
    event.commit();
  }
}
