package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import java.util.Optional;
import java.util.Set;

/**
 * The thing that a stack waits for.
 *
 * @param subject its name, for people
 * @param inside the method that waits
 */
public record Awaited(Kind kind, String subject, Optional<Frame> inside) {
  /** Queues, from which threads take what others put there. */
  private static final Set<String> QUEUES =
      Set.of(
          "ArrayBlockingQueue",
          "LinkedBlockingQueue",
          "LinkedBlockingDeque",
          "LinkedTransferQueue",
          "PriorityBlockingQueue",
          "SynchronousQueue");

  private static final Set<String> ROOMS =
      Set.of("ArrayBlockingQueue", "LinkedBlockingQueue", "LinkedBlockingDeque", "Disruptor");

  /** Waits that are as healthy for an hour as for a second, if they end. */
  private static final Set<String> LASTING =
      Set.of("Process", "Reactor stream", "RxJava stream", "ExecutorCompletionService");

  private static final String POOL_WORK = "ThreadPoolExecutor";
  private static final String DATAGRAMS = "datagram socket";
  private static final String PIPE = "pipe";
  private static final String SELECTOR = "Selector";

  /** The method with which a loop waits without parking. */
  private static final String LOOP = "Thread.yield";

  private static final String HELD =
      "when the thread that has it releases it; vtdiag hang names it";
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

  /** Returns what ends the wait, in a clause that begins with "when". */
  public String end() {
    return subject.equals(LOOP)
        ? "when another thread changes what this loop reads; to prevent it, park in place of the"
            + " loop: wait for a latch, a condition or a queue"
        : kind.end;
  }

  /** Returns whether threads take from it what others put there. */
  public boolean isQueue() {
    return QUEUES.contains(subject);
  }

  /**
   * Returns whether it may take any time: the end of a child process or of a stream, whose elements
   * come meanwhile, or the result of a task that nobody has submitted yet.
   */
  public boolean isLasting() {
    return LASTING.contains(subject);
  }

  /** Returns whether it is the next task of a thread pool. */
  public boolean isPoolWork() {
    return kind == Kind.IDLE && subject.equals(POOL_WORK);
  }

  /** Returns whether it is data from a pipe between threads. */
  public boolean isPipe() {
    return subject.equals(PIPE);
  }

  /** Returns whether it is an event of a connection, which a thread awaits in a selector. */
  public boolean isSelector() {
    return subject.equals(SELECTOR);
  }

  /** Returns whether it is room in a queue that others empty, rather than an immediate handover. */
  public boolean isFullQueue() {
    return kind == Kind.FULL_QUEUE && ROOMS.contains(subject);
  }

  /** Returns whether both idle workers and threads that expect an answer wait for it. */
  public boolean mayBeAskedFor(Thread.State state) {
    return switch (kind.endedBy()) {
      case DATA -> state == Thread.State.WAITING;
      // Before JDK 25 the JDK itself gives a wait for datagrams a timeout.
      case WORK -> subject.equals(DATAGRAMS) || (isQueue() && state == Thread.State.WAITING);
      case OTHER_THREAD, SIGNAL, ANSWER, UNKNOWN, TIME -> false;
    };
  }
}
