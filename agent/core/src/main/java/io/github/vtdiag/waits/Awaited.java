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

  private static final String DATAGRAMS = "datagram socket";
  private static final String PIPE = "pipe";
  private static final String SELECTOR = "Selector";

  /** The kinds of wait. */
  public enum Kind {
    POOL(true),
    SEMAPHORE(true),
    LOCK(true),
    MONITOR(true),
    FULL_QUEUE(true),
    SIGNAL,
    FUTURE,
    /** An answer from the network to what the thread has asked. */
    ANSWER,
    /** Data from the network: an answer, or a request that has not been made yet. */
    DATA,
    SLEEP,
    /** Work. */
    IDLE,
    UNKNOWN;

    private final boolean scarce;

    Kind() {
      this(false);
    }

    Kind(boolean scarce) {
      this.scarce = scarce;
    }

    /** Returns whether it is limited, so that threads have to wait for each other. */
    public boolean isScarce() {
      return scarce;
    }
  }

  /** Returns whether threads take from it what others put there. */
  public boolean isQueue() {
    return QUEUES.contains(subject);
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
    return switch (kind) {
      case DATA -> state == Thread.State.WAITING;
      // Before JDK 25 the JDK itself gives a wait for datagrams a timeout.
      case IDLE -> subject.equals(DATAGRAMS) || (isQueue() && state == Thread.State.WAITING);
      case POOL, SEMAPHORE, LOCK, MONITOR, FULL_QUEUE, FUTURE -> false;
      case SIGNAL, ANSWER, UNKNOWN, SLEEP -> false;
    };
  }
}
