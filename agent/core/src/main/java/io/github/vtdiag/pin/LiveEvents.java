package io.github.vtdiag.pin;

import io.github.vtdiag.model.JavaRelease;
import java.util.ArrayList;
import java.util.List;

/** The events that a JVM records during a live view, in the syntax of {@code JFR.start}. */
public final class LiveEvents {
  private LiveEvents() {}

  /**
   * Returns the settings of each recording, which start from no other settings. A JVM of Java 21
   * does not understand a command of more than 1024 characters.
   *
   * @param jdk the feature number of the JDK that records
   */
  public static List<List<String>> recordings(int jdk) {
    List<String> pins = new ArrayList<>();
    add(pins, Events.PINNED, "threshold=1ms", "stackTrace=true");
    if (jdk < JavaRelease.UNPINNED_MONITORS) {
      for (String monitor : List.of(Events.MONITOR_ENTER, Events.MONITOR_WAIT)) {
        add(pins, monitor, "threshold=1ms", "stackTrace=true");
      }
    }
    for (String information : Events.ENVIRONMENT) {
      add(pins, information, "period=beginChunk");
    }
    add(pins, Events.SETTING);
    add(pins, Events.DATA_LOSS);
    List<String> uses = new ArrayList<>();
    for (ThreadEvent sample : List.of(ThreadEvent.EXECUTION_SAMPLE, ThreadEvent.NATIVE_SAMPLE)) {
      add(uses, sample.eventName(), "period=20ms");
    }
    for (ThreadEvent file : ThreadEvent.FILES) {
      add(uses, file.eventName(), "threshold=1ms", "stackTrace=true");
    }
    return List.of(List.copyOf(pins), List.copyOf(uses));
  }

  private static void add(List<String> settings, String event, String... values) {
    settings.add("+" + event + "#enabled=true");
    for (String value : values) {
      settings.add("+" + event + "#" + value);
    }
  }
}
