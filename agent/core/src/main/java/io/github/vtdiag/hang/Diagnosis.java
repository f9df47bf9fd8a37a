package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.waits.Stall;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A conclusion from two snapshots of all threads. */
public sealed interface Diagnosis
    permits CarriersKept,
        LockCycle,
        NotScheduled,
        Stranded,
        Diagnosis.NeverReleased,
        Diagnosis.LostWakeUp,
        Diagnosis.Stalled,
        Diagnosis.Waiting,
        Diagnosis.Busy,
        Diagnosis.Idle,
        Diagnosis.Unknown {

  /** The time for which a hang must be seen before it is reported. */
  enum Confirmation {
    /** One snapshot. */
    IMMEDIATE,
    /** A few snapshots in a row: the hang is only probable, or may end by itself. */
    REPEATED,
    /** A long time: a state that ends within seconds is no hang. */
    LASTING
  }

  /**
   * Threads that wait for a lock whose owner has ended without releasing it.
   *
   * @param waiters the threads that were seen to wait for it
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
      return List.of(
          new DiagnosisDetail.Abandoned(lock, owner), new DiagnosisDetail.Waiters(waiters));
    }

    @Override
    public boolean isSure() {
      return owner.certain();
    }

    @Override
    public boolean isShownByOneLook() {
      return owner.certain();
    }

    /** Returns the thread that had the lock: more threads may come to wait. */
    @Override
    public Set<Long> identity() {
      return Set.of(owner.threadId());
    }

    @Override
    public String statement() {
      return Figures.count(waiters.size(), "thread")
          + (waiters.size() == 1 ? " waits for " : " wait for ")
          + WaitWords.lock(lock)
          + ", whose owner, "
          + owner.text()
          + ", has ended";
    }

    @Override
    public List<String> ends(CarrierWords carriers) {
      return List.of(
          "ends: not by itself, only its owner can release a lock; to prevent it, release it"
              + " in a finally block");
    }
  }

  /**
   * A lost wake-up: threads that wait though they were woken, or what they wait for is free.
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

    /** Returns false: a thread that is about to wake them may get no processor for a while. */
    @Override
    public boolean isSure() {
      return false;
    }

    @Override
    public String statement() {
      return LostWakeUpWords.statement(waiters);
    }

    @Override
    public List<String> ends(CarrierWords carriers) {
      return List.of(LostWakeUpWords.ends(waiters));
    }
  }

  /** Threads that have waited long for another one; whether it will ever come is unknown. */
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

    /** Returns the place: the threads that wait there may all be replaced by others. */
    @Override
    public Object identity() {
      return stall.place();
    }

    @Override
    public String statement() {
      return StallWords.statement(stall);
    }

    @Override
    public List<String> ends(CarrierWords carriers) {
      return List.of(StallWords.ends(stall));
    }
  }

  /** A program in which most threads wait for the same few things. */
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

    @Override
    public String statement() {
      return CrowdWords.statement(this);
    }
  }

  /** A program whose threads move. */
  record Busy(long moved, long virtualThreads) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.RUNNING;
    }

    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.Moved(moved));
    }

    @Override
    public String statement() {
      return Figures.count(moved)
          + " of "
          + Figures.count(virtualThreads, "virtual thread")
          + " moved between the two snapshots";
    }
  }

  /** A program in which none wants to run; some may keep their carriers in a selector. */
  record Idle(long virtualThreads, long selecting) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.IDLE;
    }

    @Override
    public String statement() {
      return virtualThreads == 0
          ? "there are no virtual threads"
          : "none of "
              + Figures.count(virtualThreads, "virtual thread")
              + " wants to run"
              + WaitWords.selecting(selecting);
    }
  }

  /** A state that the snapshots do not explain. */
  record Unknown(String why) implements Diagnosis {
    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.NOT_KNOWN;
    }

    /** JSON always had a list here. It is empty since a lost wake-up is a kind. */
    @Override
    public List<DiagnosisDetail> details() {
      return List.of(new DiagnosisDetail.LostThreads(List.of()));
    }

    @Override
    public boolean isSure() {
      return false;
    }

    @Override
    public String statement() {
      return why;
    }
  }

  /**
   * Virtual threads that wait for the same thing.
   *
   * @param example one of them
   * @param edge the thread that has what the example waits for, or that may end its wait
   * @param others the only other threads that can reach it; empty if they are unknown
   */
  record Crowd(SeenThread example, long threads, Optional<WaitEdge> edge, List<SeenThread> others) {
    public Crowd {
      others = List.copyOf(others);
    }
  }

  DiagnosisKind kind();

  /** Returns the facts that make up the diagnosis. */
  default List<DiagnosisDetail> details() {
    return List.of();
  }

  /** Returns further observations that help to understand it. */
  default List<DiagnosisDetail> circumstances() {
    return List.of();
  }

  /** Returns whether nothing about it is a guess. */
  default boolean isSure() {
    return true;
  }

  /** Returns whether a single snapshot shows it; a second one shows that it lasts. */
  default boolean isShownByOneLook() {
    return false;
  }

  /**
   * Returns whether fields of objects show it, without looking up an expression in a class file.
   */
  default boolean isShownByFields() {
    return isShownByOneLook();
  }

  default Confirmation confirmation() {
    return Confirmation.IMMEDIATE;
  }

  /**
   * Returns what distinguishes this hang from others of its kind: its threads or its place. It is
   * the same for all if there can be only one at a time.
   */
  default Object identity() {
    return Set.of();
  }

  default boolean isDeadlock() {
    return kind().isDeadlock();
  }

  /** Returns {@code deadlock: 2 threads wait for each other}. */
  default String verdict() {
    return kind().title(isSure()) + ": " + statement();
  }

  /** Returns the statement without the kind: {@code 2 threads wait for each other}. */
  String statement();

  /**
   * Returns what ends it and what prevents it; empty if it is no hang.
   *
   * @param carriers knows the JDK that ran
   */
  default List<String> ends(CarrierWords carriers) {
    return List.of();
  }

  /** Returns the ids of the threads that make up the diagnosis. */
  default Set<Long> threads() {
    return details().stream()
        .flatMap(DiagnosisDetail::threads)
        .map(SeenThread::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
