package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.MonitorSample.HolderFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The search for held monitors on one stack of a JDK on which they pin: by the class files, and by
 * the monitors that the agent sampled.
 */
final class MonitorSearch {
  private final FrameMonitors monitors;
  private final boolean enters;
  private final List<Frame> frames;
  private final Set<String> unread;
  private final Optional<List<HolderFrame>> sample;

  /**
   * @param enters whether the innermost frame waits to enter a monitor
   * @param unread receives the classes whose bytes are missing
   */
  MonitorSearch(
      FrameMonitors monitors,
      StackTrace stack,
      boolean enters,
      List<MonitorSample> samples,
      Set<String> unread) {
    this.monitors = monitors;
    this.enters = enters;
    this.frames = stack.frames();
    this.sample =
        samples.stream().map(MonitorSample::frames).filter(this::isOfThisStack).findFirst();
    // If the JVM named the monitors, the bytes only give their expressions.
    this.unread = sample.isPresent() ? new HashSet<>() : unread;
  }

  void addTo(List<PinCause> causes) {
    int nextSampled = 0;
    for (int depth = 0; depth < frames.size(); depth++) {
      Frame frame = frames.get(depth);
      List<PinCause.HeldMonitor> held = held(depth, frame);
      if (sample.isEmpty()) {
        causes.addAll(held);
      } else if (nextSampled < sample.get().size()
          && isSameFrame(sample.get().get(nextSampled), frame)) {
        causes.addAll(confirmed(depth, frame, held, sample.get().get(nextSampled)));
        nextSampled++;
      }
      // Otherwise the JVM named the monitors of this stack and this frame held none: the
      // compiler removed it (the object does not escape), and what is removed does not pin.
      VmFrames.at(frames, depth).ifPresent(causes::add);
    }
  }

  /**
   * Returns whether the sampled frames are on this stack, in order; otherwise the sample is
   * useless.
   */
  private boolean isOfThisStack(List<HolderFrame> sampled) {
    int matched = 0;
    for (Frame frame : frames) {
      if (matched < sampled.size() && isSameFrame(sampled.get(matched), frame)) {
        matched++;
      }
    }
    return matched == sampled.size();
  }

  private static boolean isSameFrame(HolderFrame sampled, Frame frame) {
    return sampled.bci() == frame.bci()
        && sampled.method().equals(frame.method())
        && ClassRef.withoutHiddenSuffix(sampled.className()).equals(frame.type().name());
  }

  private List<PinCause.HeldMonitor> confirmed(
      int depth, Frame frame, List<PinCause.HeldMonitor> held, HolderFrame sampled) {
    if (held.isEmpty()) {
      MonitorRegion region =
          new MonitorRegion(
              frame.isSynchronized() ? MonitorRegion.Kind.METHOD : MonitorRegion.Kind.BLOCK,
              LockExpression.UNKNOWN,
              -1,
              frame.line(),
              frame.line(),
              List.of());
      return List.of(monitor(depth, frame, region, Confidence.EXACT_MONITORS, sampled.monitors()));
    }
    List<PinCause.HeldMonitor> result = new ArrayList<>();
    // Objects and regions are both innermost first; where the counts differ (the same object
    // locked twice is one monitor) the objects cannot be told apart and go to every region.
    boolean paired = held.size() == sampled.monitors().size();
    for (int i = 0; i < held.size(); i++) {
      result.add(
          monitor(
              depth,
              frame,
              held.get(i).site().region(),
              Confidence.EXACT_MONITORS,
              paired ? List.of(sampled.monitors().get(i)) : sampled.monitors()));
    }
    return result;
  }

  private List<PinCause.HeldMonitor> held(int depth, Frame frame) {
    boolean entering = depth == 0 && enters;
    if (entering && frame.bci() <= 0) {
      // A synchronized method that still waits for its own monitor. Bci 0 of its body cannot be a
      // monitorenter, because the object must be pushed first. At any monitorenter, it has its own
      // monitor.
      return List.of();
    }
    FrameMonitors.Holds holds = entering ? monitors.ofEntering(frame) : monitors.of(frame);
    if (holds.unread()) {
      unread.add(frame.type().name());
    }
    if (holds.monitors().isEmpty()) {
      return List.of();
    }
    List<PinCause.HeldMonitor> held = new ArrayList<>(holds.monitors().size());
    for (FrameMonitors.Holds.Hold hold : holds.monitors()) {
      held.add(monitor(depth, frame, hold.region(), hold.confidence(), List.of()));
    }
    return held;
  }

  private PinCause.HeldMonitor monitor(
      int depth,
      Frame frame,
      MonitorRegion region,
      Confidence confidence,
      List<MonitorObject> objects) {
    LockSite site = new LockSite(frame.type(), frame.method(), frame.descriptor(), region);
    return new PinCause.HeldMonitor(depth, frame, site, confidence, objects);
  }
}
