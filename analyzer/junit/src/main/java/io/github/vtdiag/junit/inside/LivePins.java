package io.github.vtdiag.junit.inside;

import io.github.vtdiag.junit.Demand;
import io.github.vtdiag.junit.PinWatch;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks tests against their demands, by what JFR recorded while they ran, and by the threads they
 * left behind.
 */
public final class LivePins implements PinWatch {
  private static final String UNKNOWN = "Not known whether it pinned: ";
  private static final String LATE =
      UNKNOWN
          + "JFR did not write the events up to its end within "
          + Figures.duration(Journal.PATIENCE.toNanos())
          + ".";

  private static final String NO_TEST = "of no test that is known";

  private final Journal journal = new Journal();
  private final ClassesHere classes = new ClassesHere();

  /** The pins that failed a test, or were checked by a test that passed. */
  private final Set<PinEpisode> judged = new HashSet<>();

  /** Creates the watch; the extension calls this by name. */
  public LivePins() {}

  private record Asked(Demand demand, long nanos, OptionalLong stallNanos, OwnerNames owners) {}

  private record Running(TestSpan scope, Optional<Asked> asked) {}

  @Override
  public Object begin(Demand demand) {
    Optional<Asked> asked = Optional.ofNullable(demand).map(LivePins::read);
    asked.ifPresent(each -> journal.want(Duration.ofNanos(each.nanos())));
    return new Running(Scopes.current(demand == null ? "" : demand.test), asked);
  }

  private static Asked read(Demand demand) {
    if (demand.count < (demand.pins ? 1 : 0)) {
      throw new IllegalArgumentException(
          "count = "
              + demand.count
              + (demand.pins ? " makes no sense; @ShouldPin needs 1 or more" : " is below 0"));
    }
    return new Asked(
        demand,
        Figures.parseDuration(demand.limit),
        demand.maxStall.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(Figures.parseDuration(demand.maxStall)),
        new OwnerNames(demand.owners));
  }

  @Override
  public String end(Object test, Consumer<String> notes) {
    Running running = (Running) test;
    try {
      return running.asked().map(asked -> judge(running.scope(), asked, notes)).orElse(null);
    } finally {
      running.asked().ifPresent(asked -> journal.release(Duration.ofNanos(asked.nanos())));
      Scopes.end(running.scope());
    }
  }

  @Override
  public StackTraceElement place(Class<?> type, String method) {
    return classes.place(type.getName(), method);
  }

  private String judge(TestSpan scope, Asked asked, Consumer<String> notes) {
    boolean noThread = ThreadNumber.remembered() == scope.firstId + 1;
    boolean tooShort =
        EventClock.nanos() - scope.beginNanos < asked.nanos() && asked.stallNanos().isEmpty();
    if (!asked.demand().pins && (noThread || tooShort) && !Thread.currentThread().isVirtual()) {
      // No thread was created meanwhile, or none can have been pinned for so long.
      return null;
    }
    String pins = judgePins(scope, asked, notes);
    return pins != null || asked.stallNanos().isEmpty()
        ? pins
        : StalledThreads.find(share -> living(scope, share), asked.stallNanos().getAsLong())
            .orElse(null);
  }

  /** Returns the virtual threads that live now, and have this share in a test. */
  private Set<Long> living(TestSpan scope, Share share) {
    if (!journal.read()) {
      throw new IllegalStateException(LATE);
    }
    Set<Long> living = living(scope, Set.of(share));
    if (share == Share.OWN) {
      Map<Long, Long> started = journal.started();
      scope.virtualThreads().filter(id -> !started.containsKey(id)).forEach(living::add);
    }
    return living;
  }

  private String judgePins(TestSpan scope, Asked asked, Consumer<String> notes) {
    if (!journal.read()) {
      return LATE;
    }
    if (journal.lostBytes() > 0) {
      return UNKNOWN
          + "JFR lost "
          + Figures.count(journal.lostBytes())
          + " bytes of events. Record less at a time, or give JFR more memory.";
    }
    List<PinEpisode> all =
        journal.pinsSince(scope.beginNanos - Ownership.TOLERANCE).stream()
            .filter(pin -> isLong(pin, asked))
            .toList();
    Shares shares = shares(all, scope);
    List<PinEpisode> own = shares.own();
    synchronized (judged) {
      judged.addAll(own);
    }
    if (!asked.demand().pins && own.isEmpty() && asked.demand().count == 0) {
      Optional<String> kept = KeptCarriers.find(living(scope, Set.of(Share.OWN)), asked.nanos());
      if (kept.isPresent()) {
        return kept.get();
      }
    }
    List<PinEpisode> nobodys = new ArrayList<>(shares.nobodys());
    nobodys.addAll(shares.unsure());
    if (!nobodys.isEmpty()) {
      notes.accept(
          Figures.count(nobodys.size(), "pin")
              + " while it ran, up to "
              + Figures.duration(longest(nobodys))
              + ", cannot be put down to one test: other tests ran at the same time, or the thread"
              + " is older than the test");
    }
    PinsFound found = PinsFound.of(own, asked.owners(), classes);
    String failure = asked.demand().pins ? tooFew(asked, found) : tooMany(asked, found);
    boolean fails = failure != null;
    // The pins that may be this test's matter only if the verdict would be another with them.
    if (fails != asked.demand().pins || !isDecidedBy(found.count(), shares.unsure(), asked)) {
      return failure;
    }
    synchronized (judged) {
      judged.addAll(shares.unsure());
    }
    return unsure(shares.unsure());
  }

  private boolean isDecidedBy(long count, List<PinEpisode> unsure, Asked asked) {
    int least = asked.demand().pins ? asked.demand().count : asked.demand().count + 1;
    return count + unsure.size() >= least
        && count + PinsFound.of(unsure, asked.owners(), classes).count() >= least;
  }

  private static String unsure(List<PinEpisode> pins) {
    return UNKNOWN
        + (pins.size() == 1 ? "the thread" : "threads")
        + " of "
        + Figures.count(pins.size(), "pin")
        + " of up to "
        + Figures.duration(longest(pins))
        + " may be of this test or of one that ran at the same time. Run it on its own, with"
        + " @Isolated.";
  }

  private static boolean isLong(PinEpisode pin, Asked asked) {
    return asked.demand().pins
        ? pin.durationNanos() >= asked.nanos()
        : pin.durationNanos() > asked.nanos();
  }

  private static String tooFew(Asked asked, PinsFound found) {
    Demand demand = asked.demand();
    if (found.count() >= demand.count) {
      return null;
    }
    String what = " for " + Figures.duration(asked.nanos()) + " or longer" + owners(demand);
    return (found.count() == 0
            ? "No virtual thread of this test kept its carrier" + what
            : "Virtual threads of this test kept their carriers " + times(found.count()) + what)
        + "; it should be "
        + (demand.count == 1 ? "once" : times(demand.count))
        + " at least."
        + (Runtime.version().feature() >= JavaRelease.UNPINNED_MONITORS
            ? " On Java "
                + Runtime.version().feature()
                + " monitors do not pin; only native frames and class initialization do."
            : "");
  }

  private static String tooMany(Asked asked, PinsFound found) {
    Demand demand = asked.demand();
    if (found.count() <= demand.count) {
      return null;
    }
    String head =
        found.count() == 1
            ? "A virtual thread of this test kept its carrier for "
                + Figures.durationBeside(found.longest(), asked.nanos())
                + owners(demand)
                + "; no longer than "
                + Figures.durationBeside(asked.nanos(), found.longest())
                + " is allowed."
            : "Virtual threads of this test kept their carriers "
                + times(found.count())
                + " for longer than "
                + Figures.durationBeside(asked.nanos(), found.longest())
                + owners(demand)
                + ", up to "
                + Figures.durationBeside(found.longest(), asked.nanos())
                + "; "
                + (demand.count == 0 ? "never" : times(demand.count))
                + " is allowed.";
    return Stream.concat(Stream.of(head, ""), found.lines().stream().map(line -> "  " + line))
        .collect(Collectors.joining("\n"));
  }

  private static String times(long count) {
    return count == 1 ? "once" : Figures.count(count) + " times";
  }

  private static String owners(Demand demand) {
    return demand.owners.isEmpty()
        ? ""
        : " in code of " + Printable.text(String.join(" or ", demand.owners));
  }

  private static long longest(List<PinEpisode> pins) {
    return pins.stream().mapToLong(PinEpisode::durationNanos).max().orElse(0);
  }

  /**
   * The pins of a test.
   *
   * @param unsure of threads that it may have created as well as another test
   * @param nobodys of threads whose creator is unknown
   */
  private record Shares(List<PinEpisode> own, List<PinEpisode> unsure, List<PinEpisode> nobodys) {}

  private Shares shares(List<PinEpisode> pins, TestSpan scope) {
    List<PinEpisode> own = new ArrayList<>();
    List<PinEpisode> unsure = new ArrayList<>();
    List<PinEpisode> nobodys = new ArrayList<>();
    if (pins.isEmpty()) {
      return new Shares(own, unsure, nobodys);
    }
    Map<Long, Long> started = journal.started();
    // Threads that are older than the test are another's for sure, if that created them.
    long first = pins.stream().mapToLong(pin -> pin.thread().id() - 1).min().orElseThrow();
    Ownership ownership =
        new Ownership(
            Scopes.all(),
            Math.min(first, scope.firstId),
            started::get,
            KeptCarriers.platformThreads());
    for (PinEpisode pin : pins) {
      switch (share(pin.thread().id(), pin.startNanos(), scope, ownership, started)) {
        case OWN -> own.add(pin);
        case UNSURE -> unsure.add(pin);
        case NOBODYS -> nobodys.add(pin);
        case ANOTHERS -> {
          // That test reports it.
        }
      }
    }
    return new Shares(own, unsure, nobodys);
  }

  /** The relation of a thread to a test. */
  enum Share {
    OWN,
    ANOTHERS,
    UNSURE,
    NOBODYS
  }

  private static Share share(
      long id, long nanos, TestSpan scope, Ownership ownership, Map<Long, Long> started) {
    if (id == scope.threadId) {
      return scope.covers(nanos, 0) ? Share.OWN : Share.NOBODYS;
    }
    Optional<TestSpan> owner = ownership.owner(id);
    if (owner.isPresent()) {
      return owner.get().isWithin(scope) ? Share.OWN : Share.ANOTHERS;
    }
    Long start = started.get(id);
    Set<TestSpan> candidates = ownership.candidates(id);
    boolean others = candidates.stream().anyMatch(candidate -> !candidate.isWithin(scope));
    boolean begunHere = start != null && id > scope.firstId && start >= scope.beginNanos;
    if (begunHere && !others && Scopes.isAlone(scope, start, Ownership.TOLERANCE)) {
      return Share.OWN;
    }
    return candidates.stream().anyMatch(candidate -> candidate.isWithin(scope))
        ? Share.UNSURE
        : Share.NOBODYS;
  }

  private Set<Long> living(TestSpan scope, Set<Share> shares) {
    // First: another test may read more threads at any time, and each that lives has started.
    Set<Long> living = new HashSet<>(journal.living());
    Map<Long, Long> started = journal.started();
    living.removeIf(id -> id <= scope.firstId);
    if (living.isEmpty()) {
      return living;
    }
    Ownership ownership =
        new Ownership(Scopes.all(), scope.firstId, started::get, KeptCarriers.platformThreads());
    living.removeIf(id -> !shares.contains(share(id, started.get(id), scope, ownership, started)));
    return living;
  }

  @Override
  public String close(boolean unknownFails, Consumer<String> notes) {
    try {
      if (!journal.read()) {
        notes.accept("JFR did not write the last events: pins may be missing here.");
      }
      List<PinEpisode> left = new ArrayList<>(journal.pinsSince(0));
      left.removeIf(pin -> pin.durationNanos() <= Journal.THRESHOLD.toNanos());
      synchronized (judged) {
        left.removeAll(judged);
      }
      if (left.isEmpty()) {
        return null;
      }
      Map<String, List<PinEpisode>> from = byTest(left);
      notes.accept(leftOver(from));
      List<PinEpisode> unknown = from.getOrDefault(NO_TEST, List.of());
      return unknownFails && !unknown.isEmpty()
          ? Figures.count(unknown.size(), "pin")
              + " of virtual threads "
              + NO_TEST
              + ", up to "
              + Figures.duration(longest(unknown))
              + ", at "
              + place(unknown)
              + "; "
              + PinWatch.UNKNOWN
              + "=fail allows none."
          : null;
    } finally {
      journal.close();
    }
  }

  private Map<String, List<PinEpisode>> byTest(List<PinEpisode> pins) {
    Map<Long, Long> started = journal.started();
    long first = pins.stream().mapToLong(pin -> pin.thread().id()).min().orElse(0);
    Ownership ownership =
        new Ownership(Scopes.all(), first - 1, started::get, KeptCarriers.platformThreads());
    Map<String, List<PinEpisode>> from = new LinkedHashMap<>();
    for (PinEpisode pin : pins) {
      String test =
          ownership
              .owner(pin.thread().id())
              .map(scope -> "started by " + Printable.text(scope.test))
              .orElse(NO_TEST);
      from.computeIfAbsent(test, t -> new ArrayList<>()).add(pin);
    }
    return from;
  }

  private String place(List<PinEpisode> pins) {
    return PinsFound.of(pins, new OwnerNames(List.of()), classes).first();
  }

  /** Describes pins that failed no test, by the test that they came from, if it is known. */
  private String leftOver(Map<String, List<PinEpisode>> from) {
    StringBuilder text = new StringBuilder("Pins that failed no test:");
    from.forEach(
        (test, some) ->
            text.append("\n  ")
                .append(Figures.count(some.size(), "pin"))
                .append(" of virtual threads ")
                .append(test)
                .append(", up to ")
                .append(Figures.duration(longest(some)))
                .append(", at ")
                .append(place(some)));
    return text.toString();
  }
}
