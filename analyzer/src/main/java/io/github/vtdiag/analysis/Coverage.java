package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Gap.Kind;
import io.github.vtdiag.analysis.Gap.Threshold;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Finds what one recording cannot show, from its facts. */
final class Coverage {
  private static final String UNTOLD = "unended pins and blocking in native code";

  /** The watch may be blind for one part in this many of the time: it still sees whatever lasts. */
  private static final long MOST_BLIND = 10;

  private static final long LEAST_BLIND = TimeUnit.SECONDS.toNanos(1);

  private Coverage() {}

  /** Returns whether the recording is from a JDK on which monitors pin. */
  static boolean monitorsPin(RecordingFacts facts) {
    return facts.jdk() > 0 && facts.jdk() < JavaRelease.UNPINNED_MONITORS;
  }

  static List<Gap> gaps(RecordingFacts facts) {
    List<Gap> gaps = new ArrayList<>();
    for (String problem : facts.problems()) {
      add(gaps, Kind.DAMAGED, facts, problem);
    }
    if (facts.lostBytes() > 0) {
      String bytes = Figures.count(facts.lostBytes());
      add(gaps, Kind.EVENTS_LOST, facts, "JFR lost " + bytes + " bytes of events");
    }
    ends(gaps, facts);
    pinnedEvent(gaps, facts);
    watch(gaps, facts);
    if (monitorsPin(facts)) {
      monitorEvent(gaps, facts, Events.MONITOR_ENTER, "monitor entry");
      monitorEvent(gaps, facts, Events.MONITOR_WAIT, "Object.wait");
    } else if (facts.jdk() >= JavaRelease.UNPINNED_MONITORS) {
      add(
          gaps,
          Kind.MONITORS_DO_NOT_PIN,
          facts,
          "pins by monitors: they do not pin on Java "
              + facts.jdk()
              + ", so nothing is known for Java 21");
    } else {
      add(gaps, Kind.JDK_UNKNOWN, facts, "which JDK recorded");
    }
    if (facts.parallelism().isEmpty()) {
      add(gaps, Kind.CAPACITY_UNKNOWN, facts, "how many carriers there were");
    }
    if (facts.agent().isEmpty()) {
      add(
          gaps,
          Kind.NO_AGENT,
          facts,
          "the loaded classes and the lock objects (recorded without vtdiag's agent)");
    }
    if (facts.agent().map(RecordingFacts.Agent::isWhatIf).orElse(false)) {
      add(
          gaps,
          Kind.WHAT_IF,
          facts,
          "the unchanged application: it was recorded under a what-if, which replaced monitors");
    }
    return gaps;
  }

  /** Adds the parts of the run at its beginning and end that the recording does not have. */
  private static void ends(List<Gap> gaps, RecordingFacts facts) {
    if (facts.lostNanos() > 0) {
      add(
          gaps,
          Kind.BEGINNING_LOST,
          facts,
          "its first "
              + Figures.duration(facts.lostNanos())
              + ", which JFR dropped because of maxsize or maxage");
    }
    if (facts.agent().map(RecordingFacts.Agent::late).orElse(false)) {
      add(
          gaps,
          Kind.BEGINNING_LOST,
          facts,
          "the beginning of the run: its first virtual threads ran before JFR had started");
    }
    String went = "the rest of the run: ";
    String after = " after " + Figures.duration(facts.durationNanos());
    switch (facts.end()) {
      case DISK_FULL ->
          add(
              gaps,
              Kind.ENDED_EARLY,
              facts,
              went + "the recording ended" + after + ", because its disk was nearly full");
      case STOPPED ->
          add(gaps, Kind.ENDED_EARLY, facts, went + "somebody stopped the recording" + after);
      case WRITTEN, UNFINISHED, LATER -> {}
    }
  }

  private static void pinnedEvent(List<Gap> gaps, RecordingFacts facts) {
    EventSetting pinned = facts.settings().get(Events.PINNED);
    if (pinned == null) {
      add(gaps, Kind.PINNED_EVENT_UNKNOWN, facts, "whether " + Events.PINNED + " was on");
    } else if (!pinned.enabled()) {
      add(gaps, Kind.PINNED_EVENT_OFF, facts, "pins: " + Events.PINNED + " was off");
    } else {
      if (pinned.thresholdNanos() > 0) {
        Threshold threshold = new Threshold("pins", pinned.thresholdNanos());
        gaps.add(new Gap(Kind.SHORT_PINS_HIDDEN, facts.source(), threshold));
      }
      if (!pinned.stackTrace()) {
        add(
            gaps,
            Kind.NO_STACKS,
            facts,
            "stacks: " + Events.PINNED + " was recorded without stackTrace");
      }
    }
  }

  /**
   * Adds what the watch did not see. JFR writes a pin only when it ends, and has no event for
   * native code; the watch sees both.
   */
  private static void watch(List<Gap> gaps, RecordingFacts facts) {
    if (facts.watched().isEmpty()) {
      add(
          gaps,
          Kind.UNWATCHED,
          facts,
          UNTOLD + ": JFR has no event for them, and " + whyUnwatched(facts));
      return;
    }
    Watched watched = facts.watched().get();
    if (watched.blindNanos() > Math.max(LEAST_BLIND, facts.durationNanos() / MOST_BLIND)) {
      add(
          gaps,
          Kind.WATCH_STARVED,
          facts,
          UNTOLD
              + " during "
              + Figures.duration(watched.blindNanos())
              + " of "
              + Figures.duration(facts.durationNanos())
              + ", when the agent's watch could not sample the carriers");
    }
    if (watched.others().count() > 0) {
      add(
          gaps,
          Kind.OTHER_SCHEDULER,
          facts,
          "the time of "
              + Figures.count(watched.others().count(), "carrier")
              + " of other schedulers than the JDK's ("
              + Printable.text(watched.others().names())
              + ") and the threads queued for them; their pins are counted");
    }
    if (watched.thresholdNanos() > 0) {
      add(
          gaps,
          Kind.SHORT_WAITS_UNWATCHED,
          facts,
          "unended pins under "
              + Figures.duration(watched.thresholdNanos())
              + " and blocking in native code under "
              + Figures.duration(watched.nativeNanos()));
    }
  }

  private static String whyUnwatched(RecordingFacts facts) {
    if (facts.agent().isEmpty()) {
      return "no agent sampled the carriers";
    }
    return facts.agent().get().isWatchOff()
        ? "the agent's watch was off (watch=off)"
        : "the agent did not sample the carriers";
  }

  private static void monitorEvent(
      List<Gap> gaps, RecordingFacts facts, String event, String name) {
    EventSetting setting = facts.settings().get(event);
    if (setting == null || !setting.enabled()) {
      add(gaps, Kind.MONITOR_EVENT_OFF, facts, name + " (" + event + " was not recorded)");
    } else if (setting.thresholdNanos() > 0) {
      Threshold threshold = new Threshold(name, setting.thresholdNanos());
      gaps.add(new Gap(Kind.SHORT_MONITOR_EVENTS_HIDDEN, facts.source(), threshold));
    }
  }

  private static void add(List<Gap> gaps, Kind kind, RecordingFacts facts, String text) {
    gaps.add(new Gap(kind, facts.source(), text));
  }
}
