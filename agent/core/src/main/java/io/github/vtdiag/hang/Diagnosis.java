package io.github.vtdiag.hang;

import io.github.vtdiag.waits.Stall;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What two looks at all threads say. */
public sealed interface Diagnosis {

  /** How long a hang must be seen before it is told. */
  enum Confirmation {
    /** Once. */
    IMMEDIATE,
    /** In a few looks in a row, because it is only probable or may end by itself. */
    REPEATED,
    /** For long, because what ends within seconds is no hang. */
    LASTING
  }

  /**
   * Threads that wait for each other in a circle, which does not end by itself.
   *
   * @param edges each waits for the next one, the last for the first
   */
  record LockCycle(List<WaitEdge> edges) implements Diagnosis {
    public LockCycle {
      edges = List.copyOf(edges);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.LOCK_CYCLE;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Cycle(edges));
    }

    /** Whether every lock is known as an object; if not, the cycle is probable. */
    @Override
    public boolean isSure() {
      return edges.stream().allMatch(WaitEdge::exact);
    }

    @Override
    public boolean isShownByOneLook() {
      return true;
    }

    @Override
    public Confirmation confirmation() {
      return isSure() ? Confirmation.IMMEDIATE : Confirmation.REPEATED;
    }

    @Override
    public Set<Long> identity() {
      return threads();
    }
  }

  /**
   * Every carrier is kept by a virtual thread that waits, in the end, for one that needs a carrier.
   */
  record DeadlockByPinning(List<Kept> kept, long queued) implements Diagnosis {
    public DeadlockByPinning {
      kept = List.copyOf(kept);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.DEADLOCK_BY_PINNING;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Carriers(kept, queued));
    }

    /** Whether it is known for each who must go on; if not, the deadlock is probable. */
    @Override
    public boolean isSure() {
      return kept.stream().flatMap(each -> each.chain().stream()).allMatch(WaitEdge::exact);
    }

    @Override
    public Confirmation confirmation() {
      return isSure() && !hasTimeout() ? Confirmation.IMMEDIATE : Confirmation.REPEATED;
    }

    /** Whom they wait for may be named differently at each look. */
    @Override
    public Set<Long> identity() {
      Set<Long> ids = new TreeSet<>();
      kept.forEach(each -> ids.add(each.thread().id()));
      return ids;
    }

    /** Whether one of the waits has a timeout, which ends the deadlock, if only for the moment. */
    public boolean hasTimeout() {
      return kept.stream()
          .flatMap(each -> each.chain().stream())
          .anyMatch(edge -> edge.waiter().waitsFor().isTimed());
    }
  }

  /**
   * Threads wait for a lock whose owner has ended without releasing it.
   *
   * @param waiters those that were seen to wait for it
   */
  record NeverReleased(LockRef lock, LockHolder.Ended owner, List<SeenThread> waiters)
      implements Diagnosis {
    public NeverReleased {
      waiters = List.copyOf(waiters);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.NEVER_RELEASED;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Abandoned(lock, owner, waiters));
    }

    @Override
    public boolean isSure() {
      return owner.certain();
    }

    /** More may come to wait; the thread that had it stays the same. */
    @Override
    public Set<Long> identity() {
      return Set.of(owner.threadId());
    }
  }

  /**
   * Every carrier is kept by a virtual thread that stands still, or stands still itself, and others
   * need one; that they wait for each other is not proven.
   *
   * @param lost threads that wait though nothing keeps them
   * @param deadlock whether a deadlock besides is what keeps them
   */
  record Starved(List<Kept> kept, long queued, List<SeenThread> lost, Deadlock deadlock)
      implements Diagnosis {
    /** What a deadlock that was seen at the same time has to do with it. */
    public enum Deadlock {
      /** There is none. */
      NONE,
      /** There is one, and some carriers are not kept by it. */
      BESIDE,
      /** All carriers are kept by it, or by threads that wait for it. */
      KEEPS_ALL
    }

    public Starved {
      kept = List.copyOf(kept);
      lost = List.copyOf(lost);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.STARVED;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Carriers(kept, queued));
    }

    @Override
    public List<DiagnosisDetail> circumstances() {
      return List.of(new DiagnosisDetail.LostThreads(lost));
    }

    @Override
    public Confirmation confirmation() {
      return Confirmation.LASTING;
    }
  }

  /**
   * Threads wait though nothing keeps them: they were woken, or what they wait for is free.
   *
   * @param waiters those threads
   */
  record LostWakeUp(List<SeenThread> waiters) implements Diagnosis {
    public LostWakeUp {
      waiters = List.copyOf(waiters);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.LOST_WAKE_UP;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.LostThreads(waiters));
    }

    /** Who is about to wake them may have no processor for a while. */
    @Override
    public boolean isSure() {
      return false;
    }
  }

  /** Threads wait for another one that has not come for long; whether it will, nobody can tell. */
  record Stalled(Stall stall) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.STALLED;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.StandingStill(stall));
    }

    @Override
    public boolean isSure() {
      return false;
    }

    /** More may come, and all of them may be others. */
    @Override
    public Object identity() {
      return stall.place();
    }
  }

  /** Most threads wait for the same few things. */
  record Waiting(List<Crowd> crowds, long virtualThreads) implements Diagnosis {
    public Waiting {
      crowds = List.copyOf(crowds);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.WAITING;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Crowds(crowds));
    }
  }

  /** Threads move. */
  record Busy(long moved, long virtualThreads) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.RUNNING;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Moved(moved));
    }
  }

  /** No virtual thread wants to run. */
  record Idle(long virtualThreads) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.IDLE;
    }
  }

  /** What was seen does not tell. */
  record Unknown(String why) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.NOT_KNOWN;
    }

    /** JSON always had a list here: it is empty since a lost wake-up is a kind. */
    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.LostThreads(List.of()));
    }

    @Override
    public boolean isSure() {
      return false;
    }
  }

  /**
   * A virtual thread that keeps its carrier, or a carrier that waits itself.
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

  DiagnosisKind kind();

  /** What makes it what it is. */
  default List<DiagnosisDetail> details() {
    return List.of();
  }

  /** What was seen besides, and tells more of it. */
  default List<DiagnosisDetail> circumstances() {
    return List.of();
  }

  /** Whether nothing about it is a guess. */
  default boolean isSure() {
    return true;
  }

  /** Whether it is one even if there was no second look, which would show that it lasts. */
  default boolean isShownByOneLook() {
    return false;
  }

  default Confirmation confirmation() {
    return Confirmation.IMMEDIATE;
  }

  /**
   * By what one hang is told from another of its kind: the threads that make it, or the place; the
   * same for all if there can only be one at a time.
   */
  default Object identity() {
    return Set.of();
  }

  default boolean isDeadlock() {
    return kind().isDeadlock();
  }

  /** The ids of the threads that make it what it is. */
  default Set<Long> threads() {
    Set<Long> ids = new TreeSet<>();
    for (DiagnosisDetail detail : details()) {
      switch (detail) {
        case DiagnosisDetail.Cycle cycle ->
            cycle.edges().forEach(edge -> ids.add(edge.waiter().id()));
        case DiagnosisDetail.Carriers carriers -> {
          for (Kept kept : carriers.kept()) {
            ids.add(kept.thread().id());
            kept.chain().forEach(edge -> ids.add(edge.other().id()));
          }
        }
        case DiagnosisDetail.Abandoned abandoned ->
            abandoned.waiters().forEach(thread -> ids.add(thread.id()));
        case DiagnosisDetail.LostThreads lost ->
            lost.threads().forEach(thread -> ids.add(thread.id()));
        case DiagnosisDetail.StandingStill standing -> {}
        case DiagnosisDetail.Crowds crowds -> {}
        case DiagnosisDetail.Moved moved -> {}
      }
    }
    return ids;
  }
}
