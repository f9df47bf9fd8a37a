package vtdiag.analysis;

import java.util.ArrayList;
import java.util.List;
import vtdiag.analysis.Limit.Kind;
import vtdiag.model.Figures;
import vtdiag.pin.Events;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;

/** What one recording cannot tell, from its facts. */
final class Coverage {
  private Coverage() {}

  /** Whether the recording is from a JDK on which monitors hold the carrier. */
  static boolean monitorsPin(RecordingFacts facts) {
    return facts.jdk() > 0 && facts.jdk() < Events.UNPINNED_MONITORS;
  }

  static List<Limit> limits(RecordingFacts facts) {
    List<Limit> limits = new ArrayList<>();
    for (String problem : facts.problems()) {
      add(limits, Kind.DAMAGED, facts, problem);
    }
    if (facts.lostBytes() > 0) {
      String bytes = Figures.count(facts.lostBytes());
      add(limits, Kind.EVENTS_LOST, facts, "JFR lost " + bytes + " bytes of events");
    }
    pinnedEvent(limits, facts);
    if (monitorsPin(facts)) {
      monitorEvent(limits, facts, Events.MONITOR_ENTER, "contended monitor entry");
      monitorEvent(limits, facts, Events.MONITOR_WAIT, "Object.wait");
    } else if (facts.jdk() >= Events.UNPINNED_MONITORS) {
      add(
          limits,
          Kind.MONITORS_DO_NOT_PIN,
          facts,
          "monitors, because they do not pin on Java "
              + facts.jdk()
              + ": how this code does on Java 21 cannot be told");
    } else {
      add(limits, Kind.JDK_UNKNOWN, facts, "which JDK recorded");
    }
    if (facts.parallelism().isEmpty()) {
      add(limits, Kind.CAPACITY_UNKNOWN, facts, "how many carriers there were");
    }
    if (facts.agent().isEmpty()) {
      add(
          limits,
          Kind.NO_AGENT,
          facts,
          "the bytes of the loaded classes and the locked objects (recorded without vtdiag's"
              + " agent)");
    }
    if (facts.agent().map(RecordingFacts.Agent::isWhatIf).orElse(false)) {
      add(
          limits,
          Kind.WHAT_IF,
          facts,
          "how the application does as it is: recorded under a what-if, monitors were rewritten");
    }
    return limits;
  }

  private static void pinnedEvent(List<Limit> limits, RecordingFacts facts) {
    EventSetting pinned = facts.settings().get(Events.PINNED);
    if (pinned == null) {
      add(limits, Kind.PINNED_EVENT_UNKNOWN, facts, "whether " + Events.PINNED + " was on");
    } else if (!pinned.enabled()) {
      add(limits, Kind.PINNED_EVENT_OFF, facts, "pins: " + Events.PINNED + " was off");
    } else {
      if (pinned.thresholdNanos() > 0) {
        String threshold = Figures.duration(pinned.thresholdNanos());
        add(limits, Kind.SHORT_PINS_HIDDEN, facts, "pins shorter than " + threshold);
      }
      if (!pinned.stackTrace()) {
        add(limits, Kind.NO_STACKS, facts, "stacks: " + Events.PINNED + " was recorded without");
      }
    }
  }

  private static void monitorEvent(
      List<Limit> limits, RecordingFacts facts, String event, String name) {
    EventSetting setting = facts.settings().get(event);
    if (setting == null || !setting.enabled()) {
      add(limits, Kind.MONITOR_EVENT_OFF, facts, name + " (" + event + " was not recorded)");
    } else if (setting.thresholdNanos() > 0) {
      String threshold = Figures.duration(setting.thresholdNanos());
      add(limits, Kind.SHORT_MONITOR_EVENTS_HIDDEN, facts, name + " shorter than " + threshold);
    }
  }

  private static void add(List<Limit> limits, Kind kind, RecordingFacts facts, String text) {
    limits.add(new Limit(kind, facts.source(), text));
  }
}
