package vtdiag.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import vtdiag.model.Attribution;
import vtdiag.model.Figures;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;
import vtdiag.pin.Attributor;
import vtdiag.pin.Events;

/** What the agent prints at exit, from the recording itself: the live stream misses the end. */
final class ExitSummary {
  /** Larger recordings are left to {@code vtdiag analyze}: exiting must stay quick. */
  private static final long MAX_BYTES = 8_000_000;

  private static final int SITES = 3;

  private final Recorder recorder;
  private final AgentOptions options;

  /** Pins of one site. */
  private static final class Total {
    long count;
    long nanos;
  }

  ExitSummary(Recorder recorder, AgentOptions options) {
    this.recorder = recorder;
    this.options = options;
  }

  /**
   * Reads what was recorded so far, and with it the lock maps of the last second's classes, which
   * go into the recording when it ends.
   *
   * @return the summary's lines
   */
  List<String> read() throws IOException {
    if (recorder.recording().getSize() > MAX_BYTES) {
      return List.of("no summary: the recording is large; run vtdiag analyze");
    }
    Path copy = Files.createTempFile("vtdiag-", ".jfr");
    try {
      recorder.recording().dump(copy);
      return lines(episodes(copy));
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  private static List<PinEpisode> episodes(Path file) throws IOException {
    List<PinEpisode> episodes = new ArrayList<>();
    IdentityHashMap<RecordedStackTrace, StackTrace> stacks = new IdentityHashMap<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        Events.episode(
                new RecordedValues(recording.readEvent(), stacks), Runtime.version().feature())
            .ifPresent(episodes::add);
      }
    }
    return episodes;
  }

  private List<String> lines(List<PinEpisode> episodes) {
    Set<StackTrace> stacks = Collections.newSetFromMap(new IdentityHashMap<>());
    for (PinEpisode episode : episodes) {
      stacks.add(episode.stack());
      recorder.classes().remember(episode);
    }
    recorder.classes().read(stacks);
    Attributor attributor = new Attributor(Runtime.version().feature(), recorder.classes());
    Filter filter = new Filter(options.include(), options.exclude());
    Map<String, Total> sites = new HashMap<>();
    Total all = new Total();
    long longest = 0;
    // Equal stacks are one object here, so that each is attributed once.
    IdentityHashMap<StackTrace, Map<Optional<String>, Attribution>> known = new IdentityHashMap<>();
    for (PinEpisode episode : episodes) {
      Attribution attribution =
          known
              .computeIfAbsent(episode.stack(), stack -> new HashMap<>())
              .computeIfAbsent(
                  episode.lockClass(), lock -> attributor.attribute(episode, List.of()));
      if (filter.accepts(episode, attribution)) {
        String site = Describe.site(attribution.primary());
        for (Total total : List.of(all, sites.computeIfAbsent(site, key -> new Total()))) {
          total.count++;
          total.nanos += episode.durationNanos();
        }
        longest = Math.max(longest, episode.durationNanos());
      }
    }
    if (all.count == 0) {
      return List.of(
          "no pins of " + Figures.duration(options.threshold().toNanos()) + " or longer");
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s blocked carriers for %s, the longest for %s"
            .formatted(
                Figures.count(all.count, "pin"),
                Figures.duration(all.nanos),
                Figures.duration(longest)));
    sites.entrySet().stream()
        .sorted(Comparator.comparingLong(site -> -site.getValue().nanos))
        .limit(SITES)
        .forEach(
            site ->
                lines.add(
                    "  %4s  %s  %s  %s"
                        .formatted(
                            Figures.percent(
                                (double) site.getValue().nanos / Math.max(1, all.nanos)),
                            Figures.duration(site.getValue().nanos),
                            Figures.count(site.getValue().count, "pin"),
                            site.getKey())));
    if (sites.size() > SITES) {
      lines.add("  and " + Figures.count(sites.size() - SITES, "more site"));
    }
    return lines;
  }
}
