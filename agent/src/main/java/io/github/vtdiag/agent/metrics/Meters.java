package io.github.vtdiag.agent.metrics;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Accounting;
import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.PinReason;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.OtherCarriers;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitTally;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The sums of what the agent sees, in bounded memory; they can be read at any moment. */
public final class Meters {
  /** The number of places of one kind that have a histogram of their own; later ones share one. */
  static final int MOST_SITES = 100;

  /** The name of all other places. */
  static final String OTHER = "other";

  /** The number of folded places that are counted. */
  private static final int MOST_FOLDED = 10_000;

  private static final int LONGEST_SITE = 300;

  /**
   * All kinds that the agent reports: a client that computes a rate needs the 0 before the first.
   */
  private static final List<String> HANGS =
      Stream.of(DiagnosisKind.values())
          .filter(DiagnosisKind::isHang)
          .map(DiagnosisKind::wireName)
          .toList();

  /** The age after which the watch's last summary is outdated; it sends one every second. */
  private static final long STALE = TimeUnit.SECONDS.toNanos(10);

  /** Not a monitor: a virtual thread that asks the bean must not pin its carrier here. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Histogram pinned = new Histogram();
  private final Map<Key, Histogram> sites = new LinkedHashMap<>();
  private final Map<PinEpisode.Kind, Histogram> others = new EnumMap<>(PinEpisode.Kind.class);
  private final Set<Integer> folded = new HashSet<>();
  private final Map<Use, Long> carrierNanos = new EnumMap<>(Use.class);
  private final Set<Long> openHangs = new HashSet<>();
  private final Map<String, Long> hangs = new TreeMap<>();
  private final boolean looksForHangs;
  private Optional<Events.WatchLook> look = Optional.empty();
  private long lookedAtNanos;
  private Optional<Threads> threads = Optional.empty();
  private long fileNanos;
  private long submitsFailed;
  private long processorNanos;
  private boolean processorUnknown;
  private long queuedNanos;
  private long someQueuedNanos;
  private long exhaustedNanos;

  private record Key(PinEpisode.Kind kind, String site) {}

  /** The pins of one place. */
  record Site(PinEpisode.Kind kind, String site, Histogram.Values values) {}

  /**
   * The figures of the watch over the carriers so far.
   *
   * @param kept the number of monopolized carriers now, if the watch reported just now
   * @param others the carriers of other schedulers now, which all other figures leave out
   * @param processorNanos the processor time of the carriers, if this JVM measures it
   * @param exhaustedNanos the time in which threads were queued and no carrier was idle
   */
  record Watched(
      OptionalInt kept,
      OtherCarriers others,
      Map<Use, Long> carrierNanos,
      OptionalLong processorNanos,
      long queuedNanos,
      long someQueuedNanos,
      long exhaustedNanos) {}

  /**
   * The virtual threads of the last sample.
   *
   * @param waiting the number of them that waited without a carrier; estimated if there are many
   */
  record Threads(long alive, long waiting) {}

  /** The hangs that were reported. */
  record Hangs(Map<String, Long> byKind, int open) {}

  /**
   * All figures at a moment; an unknown one is empty.
   *
   * @param pinned the pins with an event {@code jdk.VirtualThreadPinned}
   * @param submitsFailed the number of threads that the scheduler did not accept
   * @param folded the number of places among the others
   */
  record Reading(
      Histogram.Values pinned,
      long submitsFailed,
      List<Site> sites,
      int folded,
      Optional<Watched> watched,
      Optional<Threads> threads,
      Optional<Hangs> hangs) {}

  /**
   * @param looksForHangs whether there is a watch for hangs
   */
  public Meters(boolean looksForHangs) {
    this.looksForHangs = looksForHangs;
    HANGS.forEach(kind -> hangs.put(kind, 0L));
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  /** Adds a park of a pinned thread, as the JDK's own event reports it. */
  public void pinned(long nanos) {
    locked(() -> pinned.add(nanos));
  }

  /**
   * Adds a pin that has ended.
   *
   * @param site the place to which it is attributed
   */
  public void pin(PinEpisode.Kind kind, String site, long nanos) {
    String name = label(site);
    locked(() -> histogram(kind, name).add(nanos));
  }

  /** Adds a pin whose place was not looked up. */
  public void pinElsewhere(PinEpisode.Kind kind, long nanos) {
    locked(() -> others.computeIfAbsent(kind, key -> new Histogram()).add(nanos));
  }

  private static String label(String site) {
    String printable = Printable.text(site);
    return printable.length() <= LONGEST_SITE
        ? printable
        : printable.substring(
                0, printable.offsetByCodePoints(0, printable.codePointCount(0, LONGEST_SITE) - 1))
            + "...";
  }

  private Histogram histogram(PinEpisode.Kind kind, String site) {
    Key key = new Key(kind, site);
    Histogram known = sites.get(key);
    if (known == null && sites.size() < MOST_SITES) {
      known = new Histogram();
      sites.put(key, known);
    }
    if (known == null) {
      if (folded.size() < MOST_FOLDED) {
        folded.add(key.hashCode());
      }
      return others.computeIfAbsent(kind, each -> new Histogram());
    }
    return known;
  }

  /** Adds what the watch saw since its last summary. */
  public void look(Events.WatchLook seen, long nowNanos) {
    locked(
        () -> {
          look = Optional.of(seen);
          lookedAtNanos = nowNanos;
          CarrierSample looked = seen.looked();
          Account account = account(looked.seen());
          carrierNanos.merge(Use.UNKNOWN, looked.unseen(), Long::sum);
          for (Use use : Use.values()) {
            carrierNanos.merge(use, account.share(use).nanos(), Long::sum);
          }
          processorUnknown |= looked.processor() < 0;
          processorNanos += Math.max(0, looked.processor());
          queuedNanos += looked.queued();
          someQueuedNanos += looked.someQueued();
          exhaustedNanos += looked.rush().nanos();
        });
  }

  /** Adds a sample of the virtual threads that wait. */
  public void look(WaitLook seen) {
    locked(
        () ->
            threads =
                Optional.of(
                    new Threads(seen.alive(), Math.round(seen.waiting() * WaitTally.scale(seen)))));
  }

  /** Returns the account of what the watch saw, with the file I/O that has ended meanwhile. */
  private Account account(CarrierSample looked) {
    Accounting accounting =
        new Accounting(
            looked.endNanos() - looked.spanNanos(), looked.endNanos(), OptionalInt.empty());
    accounting.look(looked);
    // The samples have the detail that is needed here.
    accounting.pin(PinReason.SHORT, looked.waiting());
    // I/O that began before can be longer than the time since.
    accounting.file(Math.min(fileNanos, looked.java() + looked.inNative()));
    fileNanos = 0;
    return accounting.account();
  }

  /** Adds file I/O of a virtual thread that has ended. */
  public void file(long nanos) {
    locked(() -> fileNanos += nanos);
  }

  /** Adds a virtual thread that the scheduler did not accept. */
  public void submitFailed() {
    locked(() -> submitsFailed++);
  }

  /** Adds the report of a hang. */
  public void hang(SeenHang seen) {
    locked(
        () -> {
          if (seen.ended()) {
            openHangs.remove(seen.number());
          } else if (openHangs.add(seen.number())) {
            hangs.merge(seen.kind().wireName(), 1L, Long::sum);
          }
        });
  }

  Reading read(long nowNanos) {
    lock.lock();
    try {
      List<Site> all = new ArrayList<>();
      sites.forEach((key, each) -> all.add(new Site(key.kind(), key.site(), each.values())));
      others.forEach((kind, each) -> all.add(new Site(kind, OTHER, each.values())));
      return new Reading(
          pinned.values(),
          submitsFailed,
          List.copyOf(all),
          folded.size(),
          look.map(last -> watched(last, nowNanos)),
          threads,
          looksForHangs
              ? Optional.of(new Hangs(Map.copyOf(hangs), openHangs.size()))
              : Optional.empty());
    } finally {
      lock.unlock();
    }
  }

  private Watched watched(Events.WatchLook last, long nowNanos) {
    boolean fresh = last.looks() > 0 && nowNanos - lookedAtNanos < STALE;
    return new Watched(
        fresh ? OptionalInt.of(last.kept()) : OptionalInt.empty(),
        fresh ? last.others() : OtherCarriers.NONE,
        Map.copyOf(carrierNanos),
        processorUnknown ? OptionalLong.empty() : OptionalLong.of(processorNanos),
        queuedNanos,
        someQueuedNanos,
        exhaustedNanos);
  }
}
