package io.github.vtdiag.agent.tell;

import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.options.Filter;
import io.github.vtdiag.agent.recording.AgentEvents;
import io.github.vtdiag.agent.recording.LoadedClasses;
import io.github.vtdiag.agent.recording.Recorder;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.pin.KeptCarrier;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Reports what the watch sees: every wait to the recording, and the long ones on standard error
 * while they last. There a site is named when it begins, and when it is over. It is named again
 * after a minute, or when a wait has become twice as long as was reported for the site.
 */
public final class CarrierReports {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The tolerance for the end of a wait, which the watch sees a little early or late. */
  private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

  /** The number of monitors and frames that a line names; a recording has all of them. */
  private static final int NAMED = 2;

  /** The number of places and waits whose reports are kept. */
  private static final int REMEMBERED = 1_000;

  private final long thresholdNanos;
  private final Filter filter;
  private final LoadedClasses classes;
  private final Attributor attributor;
  private final Map<String, Site> sites = bounded();

  /** The waits that were reported, by their number. */
  private final Set<Long> said = Collections.newSetFromMap(bounded());

  /** The threads of waits that were reported, so that no second warning follows. */
  private final Map<Long, Long> toldUntil = bounded();

  /** The waits that have not ended, by their number, as last reported. */
  private final Map<Long, Open> open = bounded();

  /** The classes whose lock maps were written; no more than are loaded. */
  private final Set<String> mapped = new HashSet<>();

  /**
   * A wait that has not ended.
   *
   * @param atNanos the time of the report, by the monotonic clock
   */
  private record Open(KeptCarrier kept, long atNanos) {}

  /** The last report about a place. */
  private static final class Site {
    long saidAtNanos;
    long saidNanos;
    long unsaid;
  }

  public CarrierReports(AgentOptions options, LoadedClasses classes) {
    this.thresholdNanos = options.watch().map(time -> time.toNanos()).orElse(Long.MAX_VALUE);
    this.filter = new Filter(options.include(), options.exclude());
    this.classes = classes;
    this.attributor = new Attributor(Runtime.version().feature(), classes);
  }

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > REMEMBERED;
      }
    };
  }

  /** Called on the thread of the watch's sightings. */
  public void accept(KeptCarrier kept) {
    if (kept.isOfCarrierItself()) {
      acceptCarrier(kept);
      return;
    }
    PinEpisode episode = kept.episode(Runtime.version().feature());
    classes.remember(episode);
    classes.read(List.of(kept.stack()));
    if (kept.number() == 0) {
      attributor.attribute(episode, List.of());
      return;
    }
    commitLockMaps(kept);
    AgentEvents.commit(kept);
    remember(kept);
    if (kept.nanos() >= thresholdNanos) {
      Attribution attribution = attributor.attribute(episode, List.of());
      if (filter.accepts(episode, attribution)) {
        say(kept, attribution);
      }
    }
  }

  /** It is no pin: its time is in the account, and a hang is reported with all carriers. */
  private void acceptCarrier(KeptCarrier kept) {
    if (kept.number() != 0) {
      remember(kept);
      if (kept.nanos() >= thresholdNanos) {
        Optional<Frame> site = WrittenFrames.innermost(kept.stack().frames());
        String at =
            site.or(() -> kept.stack().frames().stream().findFirst())
                .map(Frame::toString)
                .orElse("");
        say(
            kept,
            "carrier " + at,
            "carrier "
                + Printable.quoted(kept.carrier().name())
                + " waits itself, with no virtual thread on it, in "
                + at
                + (kept.lockClass().isEmpty() ? "" : " for " + kept.lockClass())
                + owner(kept));
      }
    }
  }

  /**
   * Writes the lock maps at once. They are all written when a chunk ends, which never happens in a
   * process that is killed while it hangs.
   */
  private void commitLockMaps(KeptCarrier kept) {
    for (Frame frame : kept.stack().frames()) {
      if (mapped.add(frame.type().name())) {
        classes.named(frame.type().name()).forEach(Recorder::commitLockMap);
      }
    }
  }

  private synchronized void remember(KeptCarrier kept) {
    if (kept.ended()) {
      open.remove(kept.number());
    } else {
      open.put(kept.number(), new Open(kept, System.nanoTime()));
    }
  }

  /** Returns how long each wait that has not ended had lasted, as last reported. */
  public synchronized List<Long> open() {
    return open.values().stream().map(each -> each.kept().nanos()).toList();
  }

  /**
   * Records the waits that go on, for whoever reads only from now on: a wait is reported when it
   * has become twice as long, which may be long ago.
   *
   * @param watching whether the ends of waits are still reported; else it is not known which go on
   */
  public synchronized void commitOpen(boolean watching) {
    long now = System.nanoTime();
    if (watching) {
      open.values().forEach(each -> AgentEvents.commit(each.kept().after(now - each.atNanos())));
    }
  }

  /** Returns the pins that have not ended, as last reported. */
  public synchronized List<PinEpisode> openPins() {
    return open.values().stream()
        .map(Open::kept)
        .filter(kept -> !kept.isOfCarrierItself())
        .map(kept -> kept.episode(Runtime.version().feature()))
        .toList();
  }

  private void say(KeptCarrier kept, Attribution attribution) {
    say(
        kept,
        kept.kind() + " " + attribution.primary().summary(),
        LiveWarnings.thread(kept.thread())
            + doing(kept, attribution)
            + causes(attribution.current().stream().map(PinCause::clause).distinct().toList())
            + caller(kept));
  }

  /**
   * Reports a wait, or that it is over.
   *
   * @param place the key for which reports are limited
   */
  private synchronized void say(KeptCarrier kept, String place, String what) {
    long now = System.nanoTime();
    Site site = sites.computeIfAbsent(place, key -> new Site());
    if (kept.ended()) {
      if (said.remove(kept.number())) {
        toldUntil.put(kept.thread().id(), kept.startNanos() + kept.nanos());
        Log.line(
            "carrier free again after "
                + Figures.duration(kept.nanos())
                + ": "
                + (kept.isOfCarrierItself() ? "it" : LiveWarnings.thread(kept.thread()))
                + " goes on");
      }
      return;
    }
    boolean quiet = site.saidNanos > 0 && now - site.saidAtNanos < QUIET_NANOS;
    // Nearly twice: samples are not exactly on time.
    if (quiet && kept.nanos() < site.saidNanos * 9 / 5) {
      site.unsaid += said.contains(kept.number()) || kept.nanos() >= 2 * thresholdNanos ? 0 : 1;
      return;
    }
    said.add(kept.number());
    Log.line(
        "carrier blocked for "
            + Figures.duration(kept.nanos())
            + " so far: "
            + what
            + (site.unsaid > 0 ? "; " + site.unsaid + " more like this" : ""));
    site.saidAtNanos = now;
    site.saidNanos = kept.nanos();
    site.unsaid = 0;
  }

  /** Returns the first causes; a line with all of them may have 500 characters. */
  static String causes(List<String> clauses) {
    int more = clauses.size() - NAMED;
    return clauses.stream().limit(NAMED).collect(Collectors.joining("; "))
        + (more > 0 ? "; and " + more + " more" : "");
  }

  private static String doing(KeptCarrier kept, Attribution attribution) {
    return switch (kept.kind()) {
      case NATIVE -> " stands ";
      case PARK, MONITOR_ENTRY, OBJECT_WAIT, CLASS_INITIALIZATION ->
          " waits in " + attribution.operation().text() + owner(kept) + ", ";
    };
  }

  /** Returns the caller into the JDK, if nothing else shows where in the application this is. */
  private static String caller(KeptCarrier kept) {
    if (kept.kind() != KeptCarrier.Kind.NATIVE) {
      return "";
    }
    return WrittenFrames.innermost(kept.stack().frames())
        .filter(frame -> kept.stack().frames().indexOf(frame) > 1)
        .map(
            frame ->
                ", from "
                    + frame.type().simpleName()
                    + "."
                    + frame.method()
                    + " ("
                    + Figures.position(frame.type(), frame.line())
                    + ")")
        .orElse("");
  }

  private static String owner(KeptCarrier kept) {
    ThreadRef owner = kept.owner();
    if (owner.id() < 0) {
      return "";
    }
    return " held by "
        + (owner.virtual()
            ? LiveWarnings.thread(owner)
            : "thread " + Printable.quoted(owner.name()));
  }

  /** Returns whether a pin that has ended was reported while it lasted. */
  public synchronized boolean hasToldOf(PinEpisode episode) {
    Long until = toldUntil.get(episode.thread().id());
    return until != null && episode.startNanos() < until && until - SLACK < episode.endNanos();
  }
}
