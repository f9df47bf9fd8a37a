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
 * {@code int[]} ({@code InstanceKlass::init_lock}). JFR records a wait for that lock like a wait
 * for a monitor of the program. From JDK 24 on the pinned event has a reason instead.
 */
public final class ClassWaits {
  static final String LOCK = "[I";

  private ClassWaits() {}

  /**
   * Returns the frame whose instruction names the awaited class. Empty if the episode is no such
   * wait, or if native code waits, which does not name the class.
   */
  public static Optional<Frame> asking(PinEpisode episode) {
    return mayBe(episode) ? asking(episode.stack().frames()) : Optional.empty();
  }

  /** Returns whether the JFR event can be such a wait. */
  private static boolean mayBe(PinEpisode episode) {
    boolean monitor =
        switch (episode.kind()) {
          case MONITOR_ENTER, MONITOR_WAIT -> true;
          case PINNED, NATIVE -> false;
        };
    return monitor
        && episode.lockClass().filter(LOCK::equals).isPresent()
        && !episode.stack().isAbsent()
        // Object.wait, and the re-entry into the monitor after it.
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

  /** Returns whether a frame enters a monitor that may be an {@code int[]}. */
  public static boolean entersArray(MethodMonitors method, Frame frame) {
    return method.regions().stream()
        .anyMatch(
            region ->
                region.kind() == MonitorRegion.Kind.BLOCK
                    && region.enterBci() == frame.monitorEnterBci()
                    // These are never an int[]: the next instruction waits for a class.
                    && region.lock().kind() != LockExpression.Kind.THIS
                    && region.lock().kind() != LockExpression.Kind.CLASS_LITERAL);
  }

  /** Returns the cause of a wait for a class; empty if the episode is none. */
  static Optional<PinCause> cause(PinEpisode episode, FrameMonitors monitors) {
    if (!mayBe(episode)) {
      return Optional.empty();
    }
    Frame innermost = episode.stack().frames().getFirst();
    // Without Object.wait on the stack only the JVM itself waits. A monitorenter is never at bci 0,
    // where there is no object yet. A synchronized method never has an int[] as its monitor.
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
