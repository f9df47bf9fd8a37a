package io.github.vtdiag.waits;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Virtual threads that have waited at one place longer than healthy threads do, for an action of
 * another thread. Whether that thread will ever act is unknown.
 *
 * <p>Threads that have nothing to do are no stall. They sleep, poll, accept, read from a connection
 * of their own, or take from a queue to which a thread may still add. They wait with a timeout for
 * an answer or a signal. Workers come back to a condition, a monitor or a plain park after they had
 * gone on from there. They are a stall only if all threads that ever woke them have ended. If
 * nothing else of a program goes on, idle threads that were never served may stand still, too; then
 * that is unknown.
 *
 * @param awaited what they wait for
 * @param site where they wait, the caller of known libraries; empty if all code is the JDK's
 * @param stack the stack of the threads that have waited longest
 * @param timed whether all of them have a timeout, which ends the wait if nothing else does
 * @param lock what they are parked for, such as {@code java.util.concurrent.Semaphore@1b2c}; empty
 *     if it is unknown or not the same for all
 * @param threads the number of threads
 * @param longestNanos the longest wait; if {@code repeated}, the time since a thread last got what
 *     they wait for
 * @param repeated whether their waits time out again and again
 * @param wakers the threads that woke those that had waited there
 * @param detail what the stack alone does not show
 */
public record Stall(
    Awaited awaited,
    Optional<Frame> site,
    StackTrace stack,
    boolean timed,
    String lock,
    int threads,
    long longestNanos,
    boolean repeated,
    LongWait.Wakers wakers,
    WaitDetail detail) {
  /** The number of places that are named; others are only counted. */
  private static final int NAMED = 3;

  /**
   * The beginning of every sentence on threads that may stand still, which is no hang: healthy
   * threads wait like that, too.
   */
  public static final String POSSIBLE = "possible stall: nothing shows ";

  private static final String TOO_SHORT =
      "; the recording is too short to tell whether they stand still, record 30 s or more";

  /** The beginnings of the names of methods that take an object which the thread will give back. */
  private static final List<String> BORROWING =
      List.of("borrow", "acquire", "checkout", "lease", "getconnection", "getresource");

  /** The awaited thing and the method in which threads stand still. */
  public record Place(String subject, String method) {}

  /**
   * Finds the stalls among the long waits of one snapshot, the one with the most threads first.
   *
   * @param stacks by the numbers that the waits have
   * @param alive the number of virtual threads
   */
  public static List<Stall> find(
      List<LongWait> waits, Map<Integer, StackTrace> stacks, long alive, StallLimit limit) {
    return all(
        waits.stream().filter(wait -> counts(wait, stacks.get(wait.stack()), limit)).toList(),
        stacks,
        alive);
  }

  /** Returns whether a wait has lasted for long, as far as it is known what ends it. */
  public static boolean counts(LongWait wait, StackTrace stack, StallLimit limit) {
    return stack != null && wait.longestNanos() >= wait.countsFrom(limit, of(wait, stack).awaited);
  }

  /** Finds the stalls among waits of any length. */
  public static List<Stall> all(List<LongWait> waits, Map<Integer, StackTrace> stacks, long alive) {
    Map<Place, Stall> stalled = new LinkedHashMap<>();
    Map<Place, Stall> joins = new LinkedHashMap<>();
    Map<Place, Stall> unserved = new LinkedHashMap<>();
    Map<Place, Stall> ofPlatform = new LinkedHashMap<>();
    boolean idle = false;
    long others = alive;
    for (LongWait wait : waits) {
      StackTrace stack = stacks.get(wait.stack());
      if (stack == null || wait.detail().kind() == WaitDetail.Kind.EXIT_HOOK) {
        continue;
      }
      Stall found = of(wait, stack);
      if (found.isOfPlatform()) {
        ofPlatform.merge(found.place(), found, Stall::and);
        continue;
      }
      boolean waitsForOthers = found.isForOthers(wait);
      if (waitsForOthers) {
        (found.isJoinOfVirtual() ? joins : stalled).merge(found.place(), found, Stall::and);
      } else {
        idle = true;
      }
      if (found.isUnserved(wait)) {
        unserved.merge(found.place(), found.unserved(), Stall::and);
      }
      if (waitsForOthers || found.isUnserved(wait) || found.isLeft()) {
        others -= wait.threads();
      }
    }
    if (others <= 0) {
      unserved.forEach(stalled::putIfAbsent);
    }
    // A thread that joins others waits for threads that stand still, or for threads that are idle.
    List<Stall> all = new ArrayList<>((stalled.isEmpty() && !idle ? joins : stalled).values());
    all.addAll(ofPlatform.values());
    all.sort(Comparator.comparingInt(Stall::threads).reversed());
    return all;
  }

  /**
   * Returns whether it joins virtual threads. A thread that joins a platform thread calls {@code
   * Object.wait}; platform threads are not followed.
   */
  private boolean isJoinOfVirtual() {
    return awaited.is(Awaited.Trait.JOIN)
        && !detail.isKnown()
        && wakers != LongWait.Wakers.EACH_OTHER
        && stack.frames().stream()
            .noneMatch(frame -> frame.qualifiedMethod().equals("java.lang.Object.wait"));
  }

  /** Returns these threads as if they stood still. */
  public static Stall of(LongWait wait, StackTrace stack) {
    boolean forClass = wait.detail().isForClass();
    return new Stall(
        forClass ? Awaited.CLASS : KnownWaits.of(stack, wait.state()),
        KnownLibraries.caller(stack.frames()),
        stack,
        wait.state() == Thread.State.TIMED_WAITING,
        wait.lockIdentity() == 0
            ? ""
            : wait.lockClass() + "@" + Integer.toHexString(wait.lockIdentity()),
        wait.threads(),
        wait.longestNanos(),
        wait.repeated(),
        wait.wakers(),
        wait.detail());
  }

  private Stall unserved() {
    WaitDetail.Kind by =
        wakers == LongWait.Wakers.SELDOM
            ? WaitDetail.Kind.SERVED_BY_EACH_OTHER
            : WaitDetail.Kind.UNSERVED;
    return new Stall(
        awaited,
        site,
        stack,
        timed,
        lock,
        threads,
        longestNanos,
        repeated,
        wakers,
        WaitDetail.of(by));
  }

  private Stall and(Stall other) {
    Stall longest = other.longestNanos > longestNanos ? other : this;
    return new Stall(
        longest.awaited,
        longest.site,
        longest.stack,
        timed && other.timed,
        lock.equals(other.lock) ? lock : "",
        threads + other.threads,
        longest.longestNanos,
        longest.repeated,
        longest.wakers,
        longest.detail);
  }

  /** Returns whether they wait for another thread to do something, rather than for work. */
  private boolean isForOthers(LongWait wait) {
    boolean likeWorkers = awaited.is(Awaited.Trait.OF_WORKERS);
    boolean worked = wait.returned() > 0;
    return switch (awaited.kind().endedBy()) {
      case OTHER_THREAD -> true;
      case ANSWER -> !timed;
      case SIGNAL ->
          likeWorkers
              ? (!timed && !worked) || isDeserted() || detail.isKnown()
              // A thread that is not signalled may do something each time that it times out.
              : !repeated || awaited.is(Awaited.Trait.PARTNERS) || detail.isKnown();
      // The JDK's own threads park like that, and so do workers, which come back.
      case UNKNOWN ->
          detail.isKnown()
              || (!timed && site.isPresent() && (!likeWorkers || !worked || isDeserted()));
      // A thread that waits for work comes back to the same queue or connection, and says nothing.
      case WORK -> (awaited.isQueue() && isDeserted()) || detail.isKnown() || isUnusedPipe();
      case DATA -> !timed && detail.isKnown();
      case TIME -> detail.isKnown();
    };
  }

  /**
   * Returns whether all threads that ever brought what they wait for are gone. A feeder that has
   * ended has filled its queue completely, so its takers are idle. The meaning of a condition or a
   * monitor is unknown, so these count.
   */
  private boolean isDeserted() {
    return switch (wakers) {
      case FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> awaited.isQueue() || !timed;
      case ENDED -> !awaited.isQueue() && !timed;
      case MORE_CAME -> awaited.isQueue() && !timed;
      case NOT_KNOWN, NONE, OTHERS, SELDOM -> awaited.isQueue() && !timed && isBorrowing();
    };
  }

  /** Returns whether idle threads wait for what no thread is known to have ever brought. */
  private boolean isUnserved(LongWait wait) {
    boolean nobody =
        switch (wakers) {
          case NONE -> true;
          case NOT_KNOWN -> awaited.is(Awaited.Trait.UNSEEN_NOTIFIER);
          // A thread that gives up wakes the next one.
          case EACH_OTHER -> repeated;
          // Whoever gave something back served the next, and now nobody has any to give back.
          case SELDOM -> true;
          case OTHERS, ENDED, FAILED, FAILED_SOON, ANSWERED, MORE_CAME -> false;
        };
    return nobody
        && switch (awaited.kind().endedBy()) {
          case SIGNAL -> !awaited.is(Awaited.Trait.LASTING);
          case WORK -> awaited.isQueue() && !awaited.is(Awaited.Trait.DELAYED);
          case DATA -> !timed && wait.returned() == 0;
          case OTHER_THREAD, ANSWER, UNKNOWN, TIME -> false;
        };
  }

  /** Returns whether neither an outside event nor a living thread is known to end the wait. */
  private boolean isLeft() {
    return switch (awaited.kind().endedBy()) {
      // The JDK's own threads park, and end no thread's wait by themselves.
      case UNKNOWN -> !timed && site.isEmpty();
      case SIGNAL, WORK ->
          awaited.isForWork()
              && switch (wakers) {
                case ENDED, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> true;
                case NOT_KNOWN, NONE, OTHERS, SELDOM, MORE_CAME -> false;
              };
      case OTHER_THREAD, ANSWER, DATA, TIME -> false;
    };
  }

  private boolean isBorrowing() {
    return written().stream()
        .limit(1)
        .map(frame -> frame.method().toLowerCase(Locale.ROOT))
        .anyMatch(method -> BORROWING.stream().anyMatch(method::startsWith));
  }

  /** Returns whether no thread ever woke a reader of the pipe, which looks once a second itself. */
  private boolean isUnusedPipe() {
    return awaited.is(Awaited.Trait.PIPE) && repeated && wakers == LongWait.Wakers.NONE;
  }

  /** Returns the identity of the stall within the program. */
  public Place place() {
    return new Place(subject(), method());
  }

  /**
   * Returns whether idle threads never wait like that, so that the stall is reported immediately.
   * Other stalls are reported when the program has ended. A worker that has never had work waits at
   * a condition too. An answer from elsewhere or another process may take long. The timeout of a
   * future may be the time that it takes.
   */
  public boolean isToldAtOnce() {
    return isNeverOfIdle()
        || detail.kind() == WaitDetail.Kind.POOLED
        || switch (wakers) {
          case FAILED -> awaited.isForWork() && isDeserted();
          // A thread that closes an executor has a timeout of a day. It may only have been the
          // first to feed the executor's workers.
          case EACH_OTHER -> !timed && !mayEnd() && awaited.is(Awaited.Trait.JOIN);
          // Workers whose only client has its answers, and has ended, look like clients.
          case ANSWERED -> false;
          case NOT_KNOWN, NONE, OTHERS, ENDED, FAILED_SOON, SELDOM, MORE_CAME -> false;
        };
  }

  private boolean isNeverOfIdle() {
    return awaited.isNeverOfIdle()
        && (!timed
            // Something that others have and give back.
            || (awaited.kind().isScarce() && awaited.kind() != Awaited.Kind.FULL_QUEUE)
            || (repeated && awaited.isFullQueue()))
        && !mayEnd()
        && !isOfPlatform()
        && (!awaited.is(Awaited.Trait.JOIN) || isJoinOfVirtual());
  }

  /** Returns whether something goes on, or comes later, that may end their waits. */
  public boolean mayEnd() {
    return detail.mayEnd();
  }

  /** Returns whether these are platform threads. */
  private boolean isOfPlatform() {
    return detail.isOfPlatform();
  }

  /** Returns the frames of the stack that are not the JDK's, the innermost first. */
  public List<Frame> written() {
    return stack.frames().stream().filter(frame -> frame.type().isWritten()).toList();
  }

  /** Returns those of these frames that called the site, the innermost first. */
  public List<Frame> callers() {
    return written().stream().dropWhile(frame -> !site.equals(Optional.of(frame))).skip(1).toList();
  }

  /**
   * Returns what is unknown: what would end these waits, which lasted when the program ended.
   *
   * @param all at least one
   */
  public static String unknownEnd(List<Stall> all) {
    return unknown(all, ", the longest of which had lasted ")
        + " at the end"
        + (all.stream().allMatch(stall -> stall.longestNanos < StallLimit.SHORT_NANOS)
            ? TOO_SHORT
            : "");
  }

  /** Returns the same sentence on waits that still last. */
  public static String unknownYet(List<Stall> all) {
    return unknown(all, ", the longest of which has lasted ") + " so far";
  }

  private static String unknown(List<Stall> all, String lasted) {
    long longest = all.stream().mapToLong(Stall::longestNanos).max().getAsLong();
    List<String> named = all.stream().limit(NAMED).map(Stall::text).toList();
    int more = all.size() - named.size();
    return "what would end the waits of "
        + String.join(", ", named)
        + (more == 0 ? "" : " and at " + Figures.count(more, "more place"))
        + lasted
        + Figures.duration(longest);
  }

  /** Returns what keeps a program from its end, if it is a shutdown hook that waits. */
  public String unendedExit() {
    return Figures.duration(longestNanos)
        + " after the exit began, a shutdown hook waited in "
        + (method().isEmpty() ? "the JDK (" : method() + " (")
        + subject()
        + "), and nothing shows what would end that";
  }

  /** Returns the method in which they wait; empty if it is unknown. */
  public String method() {
    return site.or(awaited::inside).map(Frame::qualifiedMethod).orElse("");
  }

  /** Returns {@code Semaphore}; {@code park} if it is unknown what they wait for. */
  public String subject() {
    return awaited.name();
  }

  /** Returns {@code 100 virtual threads (Semaphore, app.Client.send)}. */
  private String text() {
    return Figures.count(threads, isOfPlatform() ? "platform thread" : "virtual thread")
        + " ("
        + subject()
        + (method().isEmpty() ? "" : ", " + method())
        + (detail.isKnown() && detail.kind() != WaitDetail.Kind.PLATFORM
            ? ", " + detail.clause()
            : "")
        + (repeated
            ? ", again and again until a timeout"
            : timed && awaited.kind() != Awaited.Kind.SLEEP ? ", with a timeout" : "")
        + (detail.kind() == WaitDetail.Kind.ITSELF ? "" : wakers.clause())
        + ")";
  }
}
