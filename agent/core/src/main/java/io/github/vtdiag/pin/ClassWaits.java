package io.github.vtdiag.pin;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import java.util.List;
import java.util.Optional;

/**
 * Waits for a class on JDKs before 24. HotSpot locks a class while it links or initializes it by an
 * {@code int[]} ({@code InstanceKlass::init_lock}), and JFR writes who waits for that lock like who
 * waits for a monitor of the program. From JDK 24 on the pinned event has a reason instead.
 */
public final class ClassWaits {
  static final String LOCK = "[I";

  private ClassWaits() {}

  /**
   * The frame whose instruction says which class it waits for; empty if the episode is no such
   * wait, or if the thread waits in native code that says it to nobody.
   */
  public static Optional<Frame> asking(PinEpisode episode) {
    return mayBe(episode) ? asking(episode.stack().frames()) : Optional.empty();
  }

  /** Whether JFR tells of something that such a wait looks like. */
  private static boolean mayBe(PinEpisode episode) {
    boolean monitor =
        switch (episode.kind()) {
          case MONITOR_ENTER, MONITOR_WAIT -> true;
          case PINNED, NATIVE -> false;
        };
    return monitor
        && episode.lockClass().filter(LOCK::equals).isPresent()
        && !episode.stack().isAbsent()
        // Object.wait, and the entry into the monitor again after it.
        && !episode.stack().frames().getFirst().type().name().equals("java.lang.Object");
  }

  private static Optional<Frame> asking(List<Frame> frames) {
    if (!frames.getFirst().isNative()) {
      return Optional.of(frames.getFirst());
    }
    return frames.getFirst().is("java.lang.Class", "forName0")
        ? frames.stream()
            .filter(frame -> !frame.type().name().equals("java.lang.Class"))
            .findFirst()
        : Optional.empty();
  }

  /** Whether a frame stands where its method enters a monitor that may be an {@code int[]}. */
  public static boolean entersArray(MethodMonitors method, Frame frame) {
    return method.regions().stream()
        .anyMatch(
            region ->
                region.kind() == MonitorRegion.Kind.BLOCK
                    && region.enterBci() == frame.monitorEnterBci()
                    // What these name is no int[]: the instruction that follows waits for a class.
                    && region.lock().kind() != LockExpression.Kind.THIS
                    && region.lock().kind() != LockExpression.Kind.CLASS_LITERAL);
  }

  /** What a wait for a class is put down to; empty if the episode is none. */
  static Optional<PinCause> cause(PinEpisode episode, FrameMonitors monitors) {
    if (!mayBe(episode)) {
      return Optional.empty();
    }
    Frame innermost = episode.stack().frames().getFirst();
    // Without Object.wait on its stack nobody waits but the JVM itself, and no monitorenter stands
    // at bci 0, where there is no object yet. A synchronized method has no int[] for its monitor.
    boolean sure =
        episode.kind() == PinEpisode.Kind.MONITOR_WAIT
            || innermost.isNative()
            || innermost.bci() == 0;
    if (!sure) {
      switch (monitors.enteringAt(innermost)) {
        case YES -> {
          return Optional.empty();
        }
        case UNKNOWN -> {
          return Optional.of(
              new PinCause.Unexplained(
                  "waits for an int[], which is a monitor of the program or the JVM's lock for"
                      + " initializing a class; no class bytes tell which"));
        }
        case NO -> {}
      }
    }
    return Optional.of(
        new PinCause.AwaitedInitialization(
            asking(episode.stack().frames()).flatMap(monitors::initializes).orElse("")));
  }
}
