package io.github.vtdiag.waits;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Virtual threads that have waited at one place longer than anything healthy does, for something
 * that another thread has to bring about. Whether it will come, nobody can tell.
 *
 * <p>Threads that have nothing to do are no stall: those that sleep, poll or take from a queue to
 * which somebody may put something, accept, read from a connection of their own, or wait with a
 * timeout for an answer or a signal; and those that came back to a condition, a monitor or a plain
 * park after they had gone on from there, as workers do, unless all who ever woke them have ended.
 * Where nothing else of a program goes on, those among them that nobody has ever served may as well
 * stand still: then that is unknown.
 *
 * @param awaited what they wait for
 * @param site where they wait; empty if only the JDK's code is on the stack
 * @param stack that of those that have waited longest
 * @param timed whether all of them have a timeout, which ends the wait if nothing else does
 * @param lock what they are parked for, such as {@code java.util.concurrent.Semaphore@1b2c}; empty
 *     if they do not say, or not all for the same
 * @param threads how many there are
 * @param longestNanos how long the one has waited that has waited longest; if {@code repeated}, how
 *     long nobody has got what they wait for
 * @param repeated whether their waits time out again and again
 * @param wakers who woke those that had waited there
 * @param detail what they wait for, where the stack alone does not say it; else empty
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
    String detail) {
  /** What waits longer stands still, in a long recording. */
  public static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** In a short one a wait of this part of it is long. */
  private static final int PART = 4;

  /** What waits for less time is never said to stand still. */
  private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** So many are named; the rest is counted. */
  private static final int NAMED = 3;

  /** Waits for other threads to end, which wait themselves. */
  private static final Set<String> JOINS =
      Set.of("Thread.join", "ExecutorService", "StructuredTaskScope", "thread flock");

  /** Who notifies in one is never seen. */
  private static final String MONITOR = "Object.wait";

  /** Waits by which idle workers wait for work, too. */
  private static final Set<String> OF_WORKERS =
      Set.of("Condition", MONITOR, "SynchronousQueue", "");

  /** How the methods are called in which a thread takes an object that it will give back. */
  private static final List<String> BORROWING =
      List.of("borrow", "acquire", "checkout", "lease", "getconnection", "getresource");

  private static final String PIPE = "pipe";

  private static final String ALONE =
      "nobody is known to serve them, and no other virtual thread goes on or waits for anything"
          + " from outside";

  /** What is as healthy for an hour as for a second, if it ends. */
  private static final String PROCESS = "Process";

  /** What threads stand still for, and in which method. */
  public record Place(String subject, String method) {}

  /** How long a wait has to have lasted at the end of a recording of that length. */
  public static long limit(long durationNanos) {
    return Math.max(SHORT_NANOS, Math.min(LONG_NANOS, durationNanos / PART));
  }

  /**
   * The stalls among the long waits of one look, the one with the most threads first.
   *
   * @param stacks by the numbers that the waits have
   * @param alive how many virtual threads there were
   * @param limitNanos how long a wait has to have lasted; where threads have gone on before, {@link
   *     #LONG_NANOS} at least
   */
  public static List<Stall> find(
      List<LongWait> waits, Map<Integer, StackTrace> stacks, long alive, long limitNanos) {
    return all(
        waits.stream()
            .filter(
                wait ->
                    wait.longestNanos()
                        // Who has gone on from there before may be about to do so again.
                        >= (wait.returned() > 0 ? Math.max(limitNanos, LONG_NANOS) : limitNanos))
            .toList(),
        stacks,
        alive);
  }

  /** The same, of however short waits. */
  public static List<Stall> all(List<LongWait> waits, Map<Integer, StackTrace> stacks, long alive) {
    Map<Place, Stall> stalled = new LinkedHashMap<>();
    Map<Place, Stall> joins = new LinkedHashMap<>();
    Map<Place, Stall> unserved = new LinkedHashMap<>();
    boolean idle = false;
    long others = alive;
    for (LongWait wait : waits) {
      StackTrace stack = stacks.get(wait.stack());
      if (stack == null) {
        continue;
      }
      Stall found = of(wait, stack);
      boolean waitsForOthers = found.isForOthers(wait);
      if (waitsForOthers) {
        (found.isJoinOfVirtual() ? joins : stalled).merge(found.place(), found, Stall::and);
      } else {
        idle = true;
      }
      if (found.isUnserved(wait)) {
        unserved.merge(found.place(), found.with(ALONE), Stall::and);
      }
      if (waitsForOthers || found.isUnserved(wait) || found.isLeft()) {
        others -= wait.threads();
      }
    }
    if (others <= 0) {
      unserved.forEach(stalled::putIfAbsent);
    }
    // Who joins others waits for those that stand still, or for those that have nothing to do.
    List<Stall> all = new ArrayList<>((stalled.isEmpty() && !idle ? joins : stalled).values());
    all.sort(Comparator.comparingInt(Stall::threads).reversed());
    return all;
  }

  /** Who joins a platform thread calls {@code Object.wait}: such threads are not followed. */
  private boolean isJoinOfVirtual() {
    return JOINS.contains(awaited.subject())
        && wakers != LongWait.Wakers.EACH_OTHER
        && stack.frames().stream()
            .noneMatch(frame -> frame.qualifiedMethod().equals("java.lang.Object.wait"));
  }

  private static Stall of(LongWait wait, StackTrace stack) {
    return new Stall(
        KnownWaits.of(stack, wait.state()),
        stack.frames().stream().filter(frame -> frame.type().isWritten()).findFirst(),
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

  private Stall with(String other) {
    return new Stall(
        awaited, site, stack, timed, lock, threads, longestNanos, repeated, wakers, other);
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

  /** Whether they wait for what another thread has to do, rather than for work. */
  private boolean isForOthers(LongWait wait) {
    boolean likeWorkers = OF_WORKERS.contains(awaited.subject());
    boolean worked = wait.returned() > 0;
    return switch (awaited.kind()) {
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, FUTURE -> true;
      case ANSWER -> !timed;
      case SIGNAL ->
          likeWorkers
              ? (!timed && !worked) || isDeserted() || !detail.isEmpty()
              // Until it is signalled, somebody may do something each time that it times out.
              : !repeated || !detail.isEmpty();
      // The JDK's own threads park like that.
      case UNKNOWN -> !detail.isEmpty() || (!timed && !worked && site.isPresent());
      // Who waits for work comes back to the same queue or connection, and says nothing.
      case IDLE -> (awaited.isQueue() && isDeserted()) || !detail.isEmpty() || isUnusedPipe();
      case DATA -> !timed && !detail.isEmpty();
      case SLEEP -> !detail.isEmpty();
    };
  }

  /**
   * Whether nobody is left who ever brought what they wait for. Who has fed a queue and ended has
   * fed all that there was; what a condition or a monitor stands for is not known.
   */
  private boolean isDeserted() {
    return switch (wakers) {
      case FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> awaited.isQueue() || !timed;
      case ENDED -> !awaited.isQueue() && !timed;
      case MORE_CAME -> awaited.isQueue() && !timed;
      case NOT_KNOWN, NONE, OTHERS, SELDOM -> awaited.isQueue() && !timed && isBorrowing();
    };
  }

  /**
   * Whether they wait for something that idle threads wait for, too, and nobody is known who ever
   * brought it.
   */
  private boolean isUnserved(LongWait wait) {
    boolean nobody =
        switch (wakers) {
          case NONE -> true;
          case NOT_KNOWN -> awaited.subject().equals(MONITOR);
          // Who gives up wakes the next one.
          case EACH_OTHER -> repeated;
          case OTHERS, ENDED, FAILED, FAILED_SOON, ANSWERED, SELDOM, MORE_CAME -> false;
        };
    return nobody
        && switch (awaited.kind()) {
          case SIGNAL -> !awaited.subject().equals(PROCESS);
          case IDLE -> awaited.isQueue();
          case DATA -> !timed && wait.returned() == 0;
          case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, FUTURE, ANSWER, UNKNOWN, SLEEP -> false;
        };
  }

  /** Whether nothing from outside the program, and no living thread, is known to end the wait. */
  private boolean isLeft() {
    return switch (awaited.kind()) {
      // The JDK's own threads park, and end nobody's wait by themselves.
      case UNKNOWN -> !timed && site.isEmpty();
      case SIGNAL, IDLE ->
          isForWork()
              && switch (wakers) {
                case ENDED, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> true;
                case NOT_KNOWN, NONE, OTHERS, SELDOM, MORE_CAME -> false;
              };
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, FUTURE, ANSWER, DATA, SLEEP -> false;
    };
  }

  private boolean isBorrowing() {
    return site.filter(
            frame ->
                BORROWING.stream()
                    .anyMatch(name -> frame.method().toLowerCase(Locale.ROOT).startsWith(name)))
        .isPresent();
  }

  /** Who reads from a pipe looks once a second whether the other side still lives. */
  private boolean isUnusedPipe() {
    return awaited.subject().equals(PIPE) && repeated && wakers == LongWait.Wakers.NONE;
  }

  /** Whether who times out there again and again may stand still. */
  public static boolean mayFail(Awaited awaited) {
    return switch (awaited.kind()) {
      case POOL, SEMAPHORE, LOCK, FULL_QUEUE, FUTURE, SIGNAL -> true;
      case IDLE -> awaited.isQueue() || awaited.subject().equals(PIPE);
      case MONITOR, ANSWER, UNKNOWN, DATA, SLEEP -> false;
    };
  }

  /** What tells it from another stall of the same program. */
  public Place place() {
    return new Place(subject(), method());
  }

  /**
   * Whether threads that have nothing to do never wait like that. Of others it is said when the
   * program has ended: a worker that has never had work waits at a condition too, an answer from
   * elsewhere or another process may take long, and who gave a future a timeout may know how long
   * it takes.
   */
  public boolean isToldAtOnce() {
    return isNeverOfIdle()
        || switch (wakers) {
          case FAILED -> isForWork() && isDeserted();
          // Who closes an executor, which has a timeout of a day, may only have been the first to
          // feed its workers.
          case EACH_OTHER -> !timed && JOINS.contains(awaited.subject());
          // Workers whose only client has its answers, and has ended, look like clients.
          case ANSWERED -> false;
          case NOT_KNOWN, NONE, OTHERS, ENDED, FAILED_SOON, SELDOM, MORE_CAME -> false;
        };
  }

  /** Whether idle threads wait so for work. */
  private boolean isForWork() {
    return awaited.isQueue()
        || (awaited.kind() == Awaited.Kind.SIGNAL && OF_WORKERS.contains(awaited.subject()));
  }

  private boolean isNeverOfIdle() {
    return neverOfIdle(awaited)
        && (!timed || isScarce() || (repeated && awaited.isFullQueue()))
        && !detail.startsWith(LongWait.MAY_END)
        && (!JOINS.contains(awaited.subject()) || isJoinOfVirtual());
  }

  /** Whether it is something that others have and give back. */
  private boolean isScarce() {
    return switch (awaited.kind()) {
      case POOL, SEMAPHORE, LOCK, MONITOR -> true;
      case FULL_QUEUE, FUTURE, SIGNAL, ANSWER, UNKNOWN, DATA, SLEEP, IDLE -> false;
    };
  }

  /** Whether only those wait for it that have something to do. */
  public static boolean neverOfIdle(Awaited awaited) {
    return switch (awaited.kind()) {
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, FUTURE -> true;
      case SIGNAL -> !OF_WORKERS.contains(awaited.subject()) && !awaited.subject().equals(PROCESS);
      case ANSWER, UNKNOWN, DATA, SLEEP, IDLE -> false;
    };
  }

  /** The frames of the stack that somebody wrote, the innermost first. */
  public List<Frame> written() {
    return stack.frames().stream().filter(frame -> frame.type().isWritten()).toList();
  }

  /**
   * What nothing shows: what would end the waits of these.
   *
   * @param all one at least
   */
  public static String unknownEnd(List<Stall> all) {
    long longest = all.stream().mapToLong(Stall::longestNanos).max().getAsLong();
    List<String> named = all.stream().limit(NAMED).map(Stall::text).toList();
    int more = all.size() - named.size();
    return "what would end the waits of "
        + String.join(", ", named)
        + (more == 0 ? "" : " and at " + Figures.count(more, "more place"))
        + ", the longest of which had lasted "
        + Figures.duration(longest)
        + " at the end";
  }

  /** The method in which they wait; empty if nothing tells. */
  public String method() {
    return site.or(awaited::inside).map(Frame::qualifiedMethod).orElse("");
  }

  /** {@code Semaphore}; of threads that do not say what they wait for, {@code park}. */
  public String subject() {
    return awaited.subject().isEmpty() ? "park" : awaited.subject();
  }

  private boolean hasTimeout() {
    return timed && awaited.kind() != Awaited.Kind.SLEEP;
  }

  /** {@code 100 virtual threads (Semaphore, app.Client.send)}. */
  private String text() {
    return Figures.count(threads, "virtual thread")
        + " ("
        + subject()
        + (method().isEmpty() ? "" : ", " + method())
        + (detail.isEmpty() ? "" : ", " + detail)
        + (repeated ? ", again and again until a timeout" : hasTimeout() ? ", with a timeout" : "")
        + wakers.clause()
        + ")";
  }
}
