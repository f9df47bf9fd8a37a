package io.github.vtdiag.hang;

import java.util.List;
import java.util.OptionalLong;

/** What two looks at all threads say. */
public sealed interface Diagnosis {

  /**
   * Threads that wait for each other in a circle, which does not end by itself.
   *
   * @param edges each waits for the next one, the last for the first
   */
  record LockCycle(List<WaitEdge> edges) implements Diagnosis {
    public LockCycle {
      edges = List.copyOf(edges);
    }

    /** Whether every lock is known as an object; if not, the cycle is probable. */
    public boolean isExact() {
      return edges.stream().allMatch(WaitEdge::exact);
    }
  }

  /**
   * Every carrier is kept by a virtual thread that waits, in the end, for one that needs a carrier.
   */
  record DeadlockByPinning(List<Kept> kept, long queued) implements Diagnosis {
    public DeadlockByPinning {
      kept = List.copyOf(kept);
    }

    /** Whether it is known for each who must go on; if not, the deadlock is probable. */
    public boolean isExact() {
      return kept.stream().flatMap(each -> each.chain().stream()).allMatch(WaitEdge::exact);
    }

    /** Whether one of the waits has a timeout, which ends the deadlock, if only for the moment. */
    public boolean hasTimeout() {
      return kept.stream()
          .flatMap(each -> each.chain().stream())
          .anyMatch(edge -> edge.waiter().waitsFor().isTimed());
    }
  }

  /**
   * Every carrier is kept by a virtual thread that stands still, and others need one; no deadlock
   * is proven.
   *
   * @param forgotten threads that wait though nothing keeps them
   */
  record Starved(List<Kept> kept, long queued, List<SeenThread> forgotten) implements Diagnosis {
    public Starved {
      kept = List.copyOf(kept);
      forgotten = List.copyOf(forgotten);
    }
  }

  /** Most threads wait for the same few things. */
  record Waiting(List<Crowd> crowds, long virtualThreads) implements Diagnosis {
    public Waiting {
      crowds = List.copyOf(crowds);
    }
  }

  /** Threads move. */
  record Busy(long moved, long virtualThreads) implements Diagnosis {}

  /** No virtual thread wants to run. */
  record Idle(long virtualThreads) implements Diagnosis {}

  /**
   * It cannot be told.
   *
   * @param forgotten threads that wait though nothing keeps them
   */
  record Unknown(String why, List<SeenThread> forgotten) implements Diagnosis {
    public Unknown {
      forgotten = List.copyOf(forgotten);
    }
  }

  /**
   * A virtual thread that keeps its carrier.
   *
   * @param chain whom it waits for, whom that one waits for, and so on; empty if it does not tell
   */
  record Kept(SeenThread thread, List<WaitEdge> chain) {
    public Kept {
      chain = List.copyOf(chain);
    }

    /** Who stands at the end of the chain. */
    public SeenThread last() {
      return chain.isEmpty() ? thread : chain.getLast().other();
    }
  }

  /**
   * Virtual threads that wait for the same thing.
   *
   * @param example one of them
   * @param holder who has what they wait for
   */
  record Crowd(SeenThread example, long threads, OptionalLong holder) {}

  /** Whether nothing ends it but, at best, a timeout. */
  default boolean isDeadlock() {
    return switch (this) {
      case LockCycle cycle -> true;
      case DeadlockByPinning pinning -> true;
      case Starved starved -> false;
      case Waiting waiting -> false;
      case Busy busy -> false;
      case Idle idle -> false;
      case Unknown unknown -> false;
    };
  }
}
