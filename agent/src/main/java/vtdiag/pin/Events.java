package vtdiag.pin;

import java.util.List;
import java.util.Optional;
import vtdiag.model.PinEpisode;

/** The JFR events and fields that vtdiag reads and writes. */
public final class Events {
  public static final String PINNED = "jdk.VirtualThreadPinned";
  public static final String MONITOR_ENTER = "jdk.JavaMonitorEnter";
  public static final String MONITOR_WAIT = "jdk.JavaMonitorWait";
  public static final String PARK = "jdk.ThreadPark";
  public static final String JVM = "jdk.JVMInformation";
  public static final String CPU = "jdk.CPUInformation";
  public static final String CONTAINER = "jdk.ContainerConfiguration";
  public static final String SETTING = "jdk.ActiveSetting";
  public static final String DATA_LOSS = "jdk.DataLoss";

  /** The agent's own: what it is and where it runs, once a chunk. */
  public static final String AGENT = "vtdiag.Agent";

  /** The agent's own: the lock map of one class seen in a pin. */
  public static final String LOCK_MAP = "vtdiag.LockMap";

  /** The agent's own: the monitors a sampled pinned thread really held. */
  public static final String MONITOR_SAMPLE = "vtdiag.MonitorSample";

  /** The events that can be a pin. */
  public static final List<String> EPISODES = List.of(PINNED, MONITOR_ENTER, MONITOR_WAIT);

  /** The first JDK on which a monitor no longer holds the carrier (JEP 491). */
  public static final int UNPINNED_MONITORS = 24;

  private Events() {}

  /**
   * Reads an episode.
   *
   * @param jdk the feature number of the JDK that ran; on 24+ monitor events are no pins
   * @return empty where the event is not about a virtual thread that keeps its carrier
   */
  public static Optional<PinEpisode> episode(EventValues event, int jdk) {
    PinEpisode.Kind kind;
    String lockClass;
    switch (event.type()) {
      case PINNED -> {
        kind = PinEpisode.Kind.PINNED;
        lockClass = "";
      }
      case MONITOR_ENTER -> {
        kind = PinEpisode.Kind.MONITOR_ENTER;
        lockClass = event.text("monitorClass");
      }
      case MONITOR_WAIT -> {
        kind = PinEpisode.Kind.MONITOR_WAIT;
        lockClass = event.text("monitorClass");
      }
      default -> {
        return Optional.empty();
      }
    }
    if (kind != PinEpisode.Kind.PINNED && (jdk >= UNPINNED_MONITORS || !event.thread().virtual())) {
      return Optional.empty();
    }
    return Optional.of(
        new PinEpisode(
            kind,
            event.startNanos(),
            event.durationNanos(),
            event.thread(),
            event.stack(),
            present(event.text("pinnedReason")),
            present(event.text("blockingOperation")),
            present(lockClass)));
  }

  private static Optional<String> present(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }
}
