package vtdiag.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import vtdiag.model.Frame;
import vtdiag.model.MonitorSample;
import vtdiag.model.MonitorSample.HolderFrame;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;
import vtdiag.recording.RecordingData;

/** Finds the monitor samples that belong to a pin. */
final class SampleIndex {
  /**
   * The agent samples as the thread parks, a moment before the event's clock starts. How long that
   * moment is depends on the machine; the frames have to fit besides.
   */
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Map<Long, List<MonitorSample>> byThread = new HashMap<>();

  SampleIndex(RecordingData data) {
    for (MonitorSample sample : data.samples()) {
      byThread.computeIfAbsent(sample.threadId(), id -> new ArrayList<>()).add(sample);
    }
  }

  /** Takes the samples of the next pin; the pins have to come in the order of their start. */
  List<MonitorSample> take(PinEpisode episode) {
    List<MonitorSample> ofThread = byThread.isEmpty() ? null : byThread.get(episode.thread().id());
    if (ofThread == null) {
      return List.of();
    }
    List<MonitorSample> taken =
        ofThread.stream()
            .filter(
                sample ->
                    sample.atNanos() >= episode.startNanos() - LEAD_NANOS
                        && sample.atNanos() <= episode.endNanos()
                        && fits(sample, episode.stack()))
            .toList();
    ofThread.removeAll(taken);
    return taken;
  }

  /** Whether every frame of the sample is on the stack: else it is from the pin before. */
  private static boolean fits(MonitorSample sample, StackTrace stack) {
    return !sample.frames().isEmpty()
        && sample.frames().stream()
            .allMatch(
                holder ->
                    stack.truncated() || stack.frames().stream().anyMatch(f -> fits(holder, f)));
  }

  private static boolean fits(HolderFrame holder, Frame frame) {
    return holder.bci() == frame.bci() && frame.is(holder.className(), holder.method());
  }
}
