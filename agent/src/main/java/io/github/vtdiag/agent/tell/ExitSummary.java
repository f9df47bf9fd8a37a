package io.github.vtdiag.agent.tell;

import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.options.Filter;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.GcPause;
import io.github.vtdiag.pin.LongWaitFields;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitStack;
import io.github.vtdiag.pin.WatchedWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.PinnedStalls;
import io.github.vtdiag.waits.ReportedHangs;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.StallLimit;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * The summary that the agent prints at exit, from the recording itself: the live stream misses the
 * end.
 */
public final class ExitSummary {
  /** Larger recordings are left to {@code vtdiag analyze}: exiting must stay quick. */
  private static final long MAX_BYTES = 8_000_000;

  private static final int SITES = 3;

  /** The position of a chunk's begin in its header, in nanoseconds since the epoch. */
  private static final long CHUNK_START = 32;

  /**
   * The shortest time after which monopolized carriers count as hung: after less, they may be free
   * in a moment.
   */
  private static final long HUNG_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Recorder recorder;
  private final AgentOptions options;
  private final List<String> hung;

  /** The pins of one site. */
  private static final class Total {
    long count;
    long nanos;

    void add(PinEpisode pin) {
      count++;
      nanos += pin.durationNanos();
    }
  }

  /**
   * @param hung the watch's own findings about the end
   */
  public ExitSummary(Recorder recorder, AgentOptions options, List<String> hung) {
    this.hung = hung;
    this.recorder = recorder;
    this.options = options;
  }

  /**
   * Reads what was recorded so far. That also reads the lock maps of the last second's classes,
   * which go into the recording when it ends.
   *
   * @return the summary's lines
   */
  public List<String> read() throws IOException {
    if (recorder.recording().getSize() > MAX_BYTES) {
      List<String> lines = new ArrayList<>(hung);
      lines.add("no summary: the recording is large; run vtdiag analyze");
      return lines;
    }
    Path copy = emptyFile();
    try {
      recorder.recording().dump(copy);
      // Reading it may take longer than the program ran.
      Recorded recorded = read(copy, nowNanos());
      long begin = beginNanos(copy);
      List<String> lines = lines(recorded, begin);
      recorded.carriers().text(begin).ifPresent(lines::add);
      recorded.carriers().others().ifPresent(lines::add);
      recorded.waits().text().ifPresent(lines::add);
      recorded.waits().growth().ifPresent(lines::add);
      recorded.carriers().pauses(begin).ifPresent(lines::add);
      return lines;
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /**
   * Creates a temporary file, in the recording's folder if the temporary folder is not writable.
   */
  private Path emptyFile() throws IOException {
    try {
      return emptyFile(Path.of(System.getProperty("java.io.tmpdir")));
    } catch (IOException e) {
      return emptyFile(recorder.output().toAbsolutePath().getParent());
    }
  }

  /**
   * Creates a file that did not exist. {@link Files#createTempFile} would ask the JDK's security
   * providers for the name, which takes longer than to read a short recording.
   */
  private static Path emptyFile(Path folder) throws IOException {
    for (long name = System.nanoTime(); ; name++) {
      try {
        return Files.createFile(
            folder.resolve("vtdiag-" + ProcessHandle.current().pid() + "-" + name + ".jfr"),
            ownersOnly());
      } catch (FileAlreadyExistsException taken) {
        // The next name may be free.
      }
    }
  }

  private static FileAttribute<?>[] ownersOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Returns when a recording begins: what JFR dropped to keep within its size is not in it any
   * more.
   */
  private static long beginNanos(Path file) throws IOException {
    try (DataInputStream header = new DataInputStream(Files.newInputStream(file))) {
      header.skipNBytes(CHUNK_START);
      return header.readLong();
    }
  }

  /** The recorded pins, and what else the carriers did. */
  private record Recorded(
      List<PinEpisode> episodes,
      Collection<SeenHang> hangs,
      List<LongWait> longWaits,
      WaitLine waits,
      CarrierLine carriers) {}

  /** Counts as the command line does: two events for the same pin are one pin. */
  private static Recorded read(Path file, long recordedNanos) throws IOException {
    int jdk = Runtime.version().feature();
    List<PinEpisode> episodes = new ArrayList<>();
    WatchedWaits kept = new WatchedWaits();
    Map<Long, SeenHang> hangs = new TreeMap<>();
    List<LongWait> longWaits = new ArrayList<>();
    WaitLine waits = new WaitLine();
    CarrierLine carriers = new CarrierLine(recordedNanos);
    IdentityHashMap<RecordedStackTrace, StackTrace> stacks = new IdentityHashMap<>();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedValues event = new RecordedValues(recording.readEvent(), stacks);
        switch (event.type()) {
          case Events.CARRIER_KEPT -> kept.add(Events.keptCarrier(event));
          case Events.WATCH -> {
            Events.WatchLook look = Events.watchLook(event);
            kept.add(look);
            carriers.add(look);
          }
          case Events.HANG -> {
            SeenHang hang = SeenHang.of(event);
            hangs.merge(
                hang.number(), hang, (one, two) -> one.startNanos() > two.startNanos() ? one : two);
          }
          case GcPause.EVENT -> carriers.add(GcPause.of(event));
          case Events.WAIT_LOOK -> waits.add(WaitLook.of(event));
          case Events.WAIT_CROWD -> waits.add(WaitCrowd.of(event));
          case Events.WAIT_STACK -> waits.add(WaitStack.of(event));
          case LongWaitFields.EVENT -> longWaits.add(LongWaitFields.of(event));
          default -> {
            Events.episode(event, jdk).ifPresent(episodes::add);
            carriers.add(event);
          }
        }
      }
    }
    for (PinEpisode episode : episodes) {
      kept.told(episode.thread().id(), episode.startNanos(), episode.endNanos());
    }
    kept.untold(jdk).forEach(untold -> episodes.add(untold.pin()));
    // A thread that has not waited for long at the last sample has gone on.
    long last = waits.last();
    longWaits.removeIf(wait -> wait.look() < last);
    return new Recorded(episodes, hangs.values(), longWaits, waits, carriers);
  }

  /**
   * Returns a line about the threads that were stalled at the end and not named before, as the
   * command line does.
   */
  private static Optional<String> stalled(Recorded recorded, long beginNanos) {
    long end = recorded.carriers().endNanos();
    ReportedHangs told = new ReportedHangs();
    List<SeenHang> hangs = recorded.hangs().stream().filter(SeenHang::isOngoing).toList();
    hangs.forEach(hang -> told.add(hang.deadlock(), hang.places(), hang.locks()));
    // Where something hangs, most others wait for that.
    PinnedStalls pinned = PinnedStalls.of(hangs.isEmpty() ? recorded.episodes() : List.of(), end);
    List<Stall> all =
        Stall.find(
                pinned.and(recorded.longWaits()),
                pinned.and(recorded.waits().stacks()),
                recorded.waits().goingOn(),
                StallLimit.atEnd(end - beginNanos, recorded.waits().times()))
            .stream()
            .filter(stall -> !told.explain(stall))
            .toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(Stall.POSSIBLE + Stall.unknownEnd(all));
  }

  /**
   * Returns a line if all carriers were monopolized when the program ended, as the command line
   * does.
   *
   * @param kept how long each wait had lasted that had not ended
   * @param look the last summary of the watch
   */
  public static List<String> hung(List<Long> kept, Events.WatchLook look) {
    int carriers = look.carriers();
    long queued = look.queued();
    if (carriers == 0 || kept.size() < carriers + look.others().kept() || queued == 0) {
      return List.of();
    }
    long shortest = Collections.min(kept);
    return List.of(
        (shortest >= HUNG_NANOS ? "hung when it ended: " : "when it ended, ")
            + Figures.allCarriers(carriers)
            + " had been kept by threads that waited for "
            + Figures.duration(shortest)
            + ", while "
            + Figures.count(queued, "other")
            + (queued == 1 ? " waited for a carrier" : " waited for one"));
  }

  /** Returns the lines about hangs that lasted. What a deadlock keeps is no line of its own. */
  static List<String> hung(Collection<SeenHang> all) {
    List<SeenHang> lasting = all.stream().filter(SeenHang::isOngoing).toList();
    boolean deadlock = lasting.stream().anyMatch(SeenHang::deadlock);
    return lasting.stream()
        .filter(hang -> !deadlock || !hang.lines().contains(CarriersKept.BY_DEADLOCK))
        .map(
            hang ->
                "hung when it ended: "
                    + (hang.lines().isEmpty() ? hang.kind() : hang.lines().getFirst()))
        .toList();
  }

  /** Returns the lines about hangs that lasted; if there are none, those about the carriers. */
  private static List<String> hung(Recorded recorded, List<PinEpisode> unended) {
    List<String> named = hung(recorded.hangs());
    return named.isEmpty()
        ? recorded
            .carriers()
            .lastLook()
            .map(look -> hung(unended.stream().map(PinEpisode::durationNanos).toList(), look))
            .orElse(List.of())
        : named;
  }

  private static long nowNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  private List<String> lines(Recorded recorded, long beginNanos) {
    List<PinEpisode> episodes = recorded.episodes();
    List<PinEpisode> unended = episodes.stream().filter(episode -> !episode.ended()).toList();
    List<String> lines = new ArrayList<>(hung(recorded, unended));
    stalled(recorded, beginNanos).ifPresent(lines::add);
    Set<StackTrace> stacks = Collections.newSetFromMap(new IdentityHashMap<>());
    for (PinEpisode episode : episodes) {
      stacks.add(episode.stack());
      recorder.classes().remember(episode);
    }
    recorder.classes().read(stacks);
    Attributor attributor = new Attributor(Runtime.version().feature(), recorder.classes());
    Filter filter = new Filter(options.include(), options.exclude());
    Map<String, Total> sites = new HashMap<>();
    IdentityHashMap<Attribution, Total> siteOf = new IdentityHashMap<>();
    Total all = new Total();
    long longest = 0;
    long open = 0;
    // Equal stacks are one object here, so that each is attributed once.
    IdentityHashMap<StackTrace, Map<Optional<String>, Attribution>> known = new IdentityHashMap<>();
    for (PinEpisode episode : episodes) {
      Attribution attribution =
          known
              .computeIfAbsent(episode.stack(), stack -> new HashMap<>())
              .computeIfAbsent(
                  episode.lockClass(), lock -> attributor.attribute(episode, List.of()));
      recorded.carriers().add(episode, attribution);
      if (filter.accepts(episode, attribution)) {
        siteOf
            .computeIfAbsent(
                attribution,
                pin ->
                    sites.computeIfAbsent(
                        SiteNames.of(pin.primary(), episode.stack()), site -> new Total()))
            .add(episode);
        all.add(episode);
        longest = Math.max(longest, episode.durationNanos());
        open += episode.ended() ? 0 : 1;
      }
    }
    if (all.count == 0) {
      lines.add("no pins of " + Figures.duration(options.threshold().toNanos()) + " or longer");
      return lines;
    }
    lines.add(
        "%s blocked carriers for %s, the longest for %s%s"
            .formatted(
                Figures.count(all.count, "pin"),
                Figures.duration(all.nanos),
                Figures.duration(longest),
                open == 0 ? "" : "; " + Figures.count(open) + " had not ended"));
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
