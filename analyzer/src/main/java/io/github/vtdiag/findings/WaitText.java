package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.model.Article;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.waits.Awaited.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The text of a wait's evidence, for all kinds. */
final class WaitText {
  private static final String PAGE = ": docs/verdicts.md#a-lock.";

  private static final String HOLD_SHORTER =
      "Hold it for less time: do not wait while holding it, or use one lock for each key" + PAGE;

  private static final String HELD_BETWEEN_CALLS =
      "The code that uses the library holds it: hold it for less time, and wait for nothing else"
          + " meanwhile"
          + PAGE;

  private static final String NOT_GIVEN_BACK =
      "No thread got it any more: find the code that has it and does not give it back, for example"
          + " after a failure, or that waits for something else meanwhile.";

  private static final String LOAD_EARLY =
      "Load these classes at start-up (Class.forName), before the first request: threads wait here"
          + " until another one has loaded its class"
          + PAGE;

  private static final String COMPUTE_EARLY =
      Printable.upperFirst(LazyValues.TO_DO)
          + ": threads wait here until another one has computed it"
          + PAGE;

  /** The name of the detail for threads that were stalled when the recording ended. */
  static final String STALLED = "stalled";

  /** The name of the detail for a lock whose owner has ended. */
  static final String OWNER_ENDED = "ownerEnded";

  /** The name of the detail for a lock that is part of a deadlock. */
  static final String DEADLOCK = "inDeadlock";

  /** The name of the detail for the method in which transactions wait that have the objects. */
  static final String TRANSACTION_WAITS_IN = "transactionWaitsIn";

  private WaitText() {}

  /**
   * Returns whether no thread had got through for long when the recording ended: then none returns
   * it.
   */
  static boolean isStalled(Observation seen) {
    return seen.detail(STALLED).isPresent();
  }

  /**
   * Returns the advice for a lock or a monitor that threads get. Users of a library cannot change
   * for how long the library holds its locks.
   */
  static String busyLock(Observation seen) {
    if (seen.inside().filter(WaitText::isLoader).isPresent()) {
      return LOAD_EARLY;
    }
    if (seen.inside().filter(frame -> LazyValues.areOf(frame.type().name())).isPresent()) {
      return COMPUTE_EARLY;
    }
    Optional<Frame> inJdk = seen.inside().filter(frame -> frame.type().isJdk());
    if (inJdk.isPresent()) {
      return inside(inJdk.get());
    }
    if (seen.is(Trait.OF_CALLER)) {
      return HELD_BETWEEN_CALLS;
    }
    return seen.owner() instanceof Owner.Library library
        ? "It is inside "
            + library.coordinates().text()
            + ": use that less often or from fewer threads, pass it no code that waits, or look for"
            + " a version that holds it for less time"
            + PAGE
        : HOLD_SHORTER;
  }

  /** Returns the advice for a lock of the JDK, which its users cannot hold for less time. */
  private static String inside(Frame frame) {
    String type = frame.type().name();
    String rather =
        KnownCollections.isSynchronized(type)
            ? "use a collection of java.util.concurrent, and do no slow work inside it"
            : "call that less often or from fewer threads, and give it nothing that waits, such as"
                + " a slow stream";
    return "It is inside the JDK (" + frame.type().simpleName() + "): " + rather + PAGE;
  }

  private static boolean isLoader(Frame frame) {
    return frame.type().name().startsWith("jdk.internal.loader.");
  }

  /** Returns the advice for a lock of {@code java.util.concurrent}. */
  static String lock(Observation seen) {
    return seen.detail(OWNER_ENDED).isPresent()
        ? "The thread that had it has ended without releasing it: release it in a finally block."
        : monitor(seen);
  }

  /** Returns the advice for a monitor, or for a lock whose owner lives as far as is known. */
  static String monitor(Observation seen) {
    return seen.detail(DEADLOCK)
        .map(detail -> DeadlockRole.valueOf(detail.text()).advice())
        .orElseGet(() -> isStalled(seen) ? lostLock(seen) : busyLock(seen));
  }

  /** Returns the advice for a lock that no thread gets any more. */
  static String lostLock(Observation seen) {
    // The library's own lock has no owner that a dump shows.
    if (seen.is(Trait.OF_CALLER)) {
      return NOT_GIVEN_BACK;
    }
    return "No thread got it any more: find the thread that has it. It may have ended, wait for a"
        + " carrier or another thread, or ask for it again."
        + (seen.is(Trait.NOT_REENTRANT)
            ? " A StampedLock is not reentrant: the thread that has it must not ask again."
            : "")
        + (seen.is(Trait.READ_WRITE)
            ? " The thread that has the read lock must not ask for the write lock."
            : "")
        + " vtdiag hang names its owner, if it has one.";
  }

  /** Returns a phrase such as {@code 490 of 500 virtual threads}. */
  static String crowd(Observation seen) {
    String all =
        seen.number("virtualThreads").map(number -> " of " + Figures.count(number)).orElse("");
    long mean = Math.max(1, Math.round(seen.atOnce().map(AtOnce::mean).orElse(0.0)));
    return Figures.count(mean)
        + all
        + (mean == 1 && all.isEmpty() ? " virtual thread" : " virtual threads");
  }

  /**
   * Returns {@code one Semaphore} if all wait for the same object, otherwise {@code a Semaphore}.
   */
  static String one(Observation seen) {
    return article(seen) + " " + seen.subject();
  }

  static String article(Observation seen) {
    if (seen.detail("objects").isPresent()) {
      return "one";
    }
    return Article.of(seen.subject());
  }

  static List<String> evidence(WaitKind kind, Observation seen) {
    List<String> lines = new ArrayList<>();
    seen.atOnce()
        .ifPresent(
            atOnce ->
                lines.add(
                    "mean "
                        + (atOnce.mean() < 0.5
                            ? "below 1"
                            : Figures.count(Math.round(atOnce.mean())))
                        + seen.figure("threadsError")
                            .filter(error -> error >= 1)
                            .map(error -> " ± " + Figures.count(Math.round(error)))
                            .orElse("")
                        + ", peak "
                        + Figures.count(atOnce.most())
                        + " ("
                        + Figures.count(seen.evidence().count(), "sample")
                        + estimate(seen)
                        + ")"));
    kind.use(seen).ifPresent(lines::add);
    seen.detail(Observation.LOCK_OF_USERS)
        .map(lock -> users(seen, lock.text()))
        .ifPresent(lines::add);
    seen.detail(TRANSACTION_WAITS_IN)
        .map(place -> transactions(seen, place.text()))
        .ifPresent(lines::add);
    seen.figure("withTwice")
        .map(times -> kind.prediction(Figures.decimal(times, 1)))
        .ifPresent(lines::add);
    seen.inside()
        .filter(frame -> !(seen.owner() instanceof Owner.Application))
        .ifPresent(
            frame -> lines.add("inside " + frame.qualifiedMethod() + ": " + seen.owner().text()));
    seen.detail("holder").flatMap(Detail::frame).ifPresent(at -> lines.add(holder(seen, at)));
    return lines;
  }

  /** Returns whether it is known that threads waited although some were free. */
  static boolean isNotUsedUp(Observation seen) {
    return seen.figure("inUse").isPresent()
        && seen.figure("inUse").get() < seen.figure("bound").orElse(0.0);
  }

  static String pool(Observation seen) {
    if (seen.number("bound").isEmpty()) {
      return "size unknown: it was not recorded";
    }
    String all = Figures.count(seen.number("bound").get());
    String most = Figures.count(seen.number("inUse").orElse(0L));
    return isNotUsedUp(seen)
        ? most + " of " + all + " were in use at peak: the size of the pool was not the bottleneck"
        : "all "
            + all
            + " were in use"
            + seen.figure("waitsPerUse").map(times -> "; " + waits(times)).orElse("");
  }

  private static String users(Observation seen, String lock) {
    return ofBound(seen, "usersAtLock")
        + " were in use by threads that waited for a lock in "
        + lock;
  }

  private static String transactions(Observation seen, String place) {
    return ofBound(seen, "inTransaction")
        + " were not used meanwhile: their transactions waited in "
        + place
        + seen.detail("transactionWaitsFor").map(what -> " (" + what.text() + ")").orElse("");
  }

  private static String ofBound(Observation seen, String users) {
    return "mean "
        + Figures.count(seen.number(users).orElse(0L))
        + " of "
        + Figures.count(seen.number("bound").orElse(0L));
  }

  static String free(double most) {
    long permits = Math.round(most);
    return most < 1
        ? "no permit was free in any sample"
        : "up to "
            + Figures.count(permits, "permit")
            + (permits == 1 ? " was free" : " were free")
            + ": the waiting threads need several, or had just got theirs";
  }

  /**
   * Returns a text with the length of a wait. It is estimated by Little's law: no single wait was
   * seen.
   */
  static String waits(double times) {
    return "a wait took "
        + Figures.mean(times)
        + " times as long as the following use (mean, estimated: single waits are not recorded)";
  }

  private static String estimate(Observation seen) {
    return seen.number("lookedAt")
        .map(looked -> " of " + Figures.count(looked, "thread"))
        .orElse("");
  }

  private static String holder(Observation seen, Frame at) {
    String does = seen.detail("holderWaitsFor").map(Detail::text).orElse("");
    return "the owner was in " + at + (does.isEmpty() ? "" : " and waited itself (" + does + ")");
  }
}
