package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import java.util.Optional;
import java.util.Set;

/**
 * The thing that a stack waits for.
 *
 * @param subject its name, for people; empty if it is unknown
 * @param traits the things about it that its kind does not say
 * @param inside the method that waits
 */
public record Awaited(Kind kind, String subject, Set<Trait> traits, Optional<Frame> inside) {
  /** A plain park of a thread, as idle workers do, too. */
  static final Awaited UNKNOWN =
      new Awaited(Kind.UNKNOWN, "", Set.of(Trait.OF_WORKERS), Optional.empty());

  /** A class that another thread initializes. */
  static final Awaited CLASS =
      new Awaited(Kind.FUTURE, "class initialization", Set.of(), Optional.empty());

  /** The hint in the agent's text to the command that knows more. */
  public static final String ASK = "; vtdiag hang names it";

  /** Waits for children, who are threads themselves, and those that may take any time. */
  private static final Set<Trait> NO_RESULT = Set.of(Trait.JOIN, Trait.FORK_JOIN, Trait.LASTING);

  private static final String RELEASED =
      "when the code that has it releases it; find who took it and did not release it";

  private static final String HELD = "when the thread that has it releases it" + ASK;
  private static final String UNPARKED = "when another thread unparks it";

  /** The kinds of wait. */
  public enum Kind {
    POOL(
        "when an object comes back to the pool; if none does, find who took them and did not give"
            + " them back (a larger pool only hangs later)"),
    SEMAPHORE(
        "when a permit is released; if none is, find who took them and did not release them (more"
            + " permits only hang later)"),
    LOCK(HELD),
    MONITOR(HELD),
    FULL_QUEUE("when another thread takes from the queue; look whether one still does"),
    SIGNAL(
        EndedBy.SIGNAL,
        "when another thread signals or counts down; look whether the one that should is still"
            + " there"),
    FUTURE(
        EndedBy.OTHER_THREAD,
        "when another thread completes it; look whether the one that should is still there, and"
            + " waits for nothing itself"),
    /** An answer from the network to what the thread has asked. */
    ANSWER(EndedBy.ANSWER, "when the other side answers; a timeout would make it an error"),
    /** Data from the network: an answer, or a request that has not been made yet. */
    DATA(EndedBy.DATA, "when the other side, which is in this JVM, sends something or closes"),
    SLEEP(EndedBy.TIME, UNPARKED),
    /** Work. */
    IDLE(
        EndedBy.WORK,
        "when another thread puts something in; find why those that did so have ended"),
    UNKNOWN(EndedBy.UNKNOWN, UNPARKED);

    private final boolean scarce;
    private final EndedBy endedBy;
    private final String end;

    /** A kind that is limited. */
    Kind(String end) {
      this.scarce = true;
      this.endedBy = EndedBy.OTHER_THREAD;
      this.end = end;
    }

    Kind(EndedBy endedBy, String end) {
      this.scarce = false;
      this.endedBy = endedBy;
      this.end = end;
    }

    /** Returns whether it is limited, so that threads have to wait for each other. */
    public boolean isScarce() {
      return scarce;
    }

    public EndedBy endedBy() {
      return endedBy;
    }
  }

  /** The end of a wait, as far as it shows whether the thread is idle. */
  public enum EndedBy {
    /** Another thread that gives something back or completes something: no idle thread waits so. */
    OTHER_THREAD,
    /** Another thread's signal, which may mean that there is work. */
    SIGNAL,
    /** An answer from outside. */
    ANSWER,
    /** An answer or a request from outside. */
    DATA,
    WORK,
    TIME,
    UNKNOWN
  }

  /** The traits of what is awaited, from its row in {@code waits.tsv}. */
  public enum Trait {
    /** Threads take from it what others put there. */
    QUEUE,
    /** Its elements may be due later: until then threads wait with a timeout. */
    DELAYED,
    /** It has room for something that nobody takes yet, up to a limit. */
    ROOM,
    /** It is the end of other threads, which may wait themselves. */
    JOIN,
    /** Idle workers wait like that, too. */
    OF_WORKERS,
    /** The threads that notify are never seen. */
    UNSEEN_NOTIFIER,
    /**
     * It may take any time: the end of a child process or of a stream, whose elements come
     * meanwhile, the result of a task that nobody has submitted yet, or the first one of several
     * that nothing shows to go on.
     */
    LASTING,
    /** It is the end of another process. */
    PROCESS,
    /** It is the next task of a thread pool. */
    POOL_WORK,
    /** It is data from a pipe between threads. */
    PIPE,
    SELECTOR,
    DATAGRAMS,
    /** It is a connection that somebody else makes. */
    CONNECTIONS,
    /** It is a change of files. */
    EVENTS,
    /** It is what the garbage collector finds, such as for a cleaner. */
    REFERENCES,
    /** Others have to come there, too, before any goes on. */
    PARTNERS,
    /** It is a loop that waits without parking. */
    LOOP,
    LATCH,
    PERMITS,
    /** It is the result of a task. */
    TASK,
    COMPLETABLE,
    FORK_JOIN,
    /** Only one thread at a time has it. */
    EXCLUSIVE,
    /** The thread that has it must not ask for it again. */
    NOT_REENTRANT,
    /** The thread that reads under it must not ask to write. */
    READ_WRITE,
    /** The code that uses a library has it from one call of the library to another. */
    OF_CALLER,
    /** A thread gives something directly to one that takes it. */
    HANDOVER,
    /**
     * It is the answer to one call of a service, for which nobody waits to keep a program alive.
     */
    CALL
  }

  /** Creates one without traits. */
  public Awaited(Kind kind, String subject, Optional<Frame> inside) {
    this(kind, subject, Set.of(), inside);
  }

  /** Returns the same thing as one of another kind. */
  public Awaited as(Kind other, Optional<Frame> waits) {
    return new Awaited(other, subject, traits, waits);
  }

  /** Returns what ends the wait, in a clause that begins with "when". */
  public String end() {
    if (is(Trait.LOOP)) {
      return "when another thread changes what this loop reads; to prevent it, park in place of the"
          + " loop: wait for a latch, a condition or a queue";
    }
    // A lock of a library may be held for a thread, an object or another process.
    return kind == Kind.LOCK && is(Trait.OF_CALLER) ? RELEASED : kind.end;
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Returns whether it is a result, and not the end of children or of what may last. */
  public boolean isResult() {
    return kind == Kind.FUTURE && isOfResult(traits);
  }

  /** Returns whether what has these traits is a result, if it is a future. */
  public static boolean isOfResult(Set<Trait> traits) {
    return traits.stream().noneMatch(NO_RESULT::contains);
  }

  /** Returns whether threads take from it what others put there. */
  public boolean isQueue() {
    return is(Trait.QUEUE);
  }

  /** Returns whether it is room in a queue that others empty, rather than an immediate handover. */
  public boolean isFullQueue() {
    return is(Trait.ROOM);
  }

  /** Returns whether both idle workers and threads that expect an answer wait for it. */
  public boolean mayBeAskedFor(Thread.State state) {
    return switch (kind.endedBy()) {
      case DATA -> state == Thread.State.WAITING;
      // Before JDK 25 the JDK itself gives a wait for datagrams a timeout.
      case WORK ->
          is(Trait.DATAGRAMS)
              || (((isQueue() && !is(Trait.DELAYED))
                      || is(Trait.REFERENCES)
                      || is(Trait.CONNECTIONS)
                      || is(Trait.SELECTOR)
                      || is(Trait.EVENTS))
                  && state == Thread.State.WAITING);
      case OTHER_THREAD, SIGNAL, ANSWER, UNKNOWN, TIME -> false;
    };
  }

  /** Returns whether a thread that times out there again and again may stand still. */
  public boolean mayFail() {
    return switch (kind.endedBy()) {
      case OTHER_THREAD -> kind != Kind.MONITOR; // entering has no timeout
      case SIGNAL -> true;
      case WORK -> isQueue() || is(Trait.PIPE);
      case ANSWER, UNKNOWN, DATA, TIME -> false;
    };
  }

  /** Returns whether only threads that have something to do wait for it. */
  public boolean isNeverOfIdle() {
    return switch (kind.endedBy()) {
      case OTHER_THREAD -> !is(Trait.LASTING);
      case SIGNAL -> !is(Trait.OF_WORKERS) && !is(Trait.LASTING);
      case ANSWER, UNKNOWN, DATA, TIME, WORK -> false;
    };
  }

  /** Returns whether idle threads wait like that for work. */
  boolean isForWork() {
    return isQueue() || isSignalOfWorkers();
  }

  /** Returns whether it is a notification or signal, for which idle workers wait, too. */
  public boolean isSignalOfWorkers() {
    return kind == Kind.SIGNAL && is(Trait.OF_WORKERS);
  }

  /** Returns whether it is a plain park, in which idle workers wait, too. */
  public boolean isPark() {
    return kind == Kind.UNKNOWN && is(Trait.OF_WORKERS);
  }

  /** Returns {@code Semaphore}; {@code park} if it is unknown what they wait for. */
  public String name() {
    return subject.isEmpty() ? "park" : subject;
  }
}
