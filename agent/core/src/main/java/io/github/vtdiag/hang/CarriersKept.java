package io.github.vtdiag.hang;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Every carrier is kept, and virtual threads need one. */
public sealed interface CarriersKept extends Diagnosis {
  List<Kept> kept();

  /** How many virtual threads need a carrier. */
  long queued();

  /** Of another scheduler than the JDK's what its carriers are called; else empty. */
  String scheduler();

  @Override
  default List<DiagnosisDetail> details() {
    return List.of(new DiagnosisDetail.Carriers(kept(), queued()));
  }

  /**
   * Every carrier is kept by a virtual thread that waits, in the end, for one that needs a carrier.
   */
  record DeadlockByPinning(List<Kept> kept, long queued, String scheduler) implements CarriersKept {
    public DeadlockByPinning {
      kept = List.copyOf(kept);
    }

    /** Of the JDK's scheduler. */
    public DeadlockByPinning(List<Kept> kept, long queued) {
      this(kept, queued, "");
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.DEADLOCK_BY_PINNING;
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

    @Override
    public String statement() {
      return CarrierWords.statement(this);
    }

    @Override
    public List<String> ends(CarrierWords carriers) {
      return carriers.ends(this);
    }
  }

  /**
   * Every carrier is kept by a virtual thread that stands still, or stands still itself, and others
   * need one; that they wait for each other is not proven.
   *
   * @param lost threads that wait though nothing keeps them
   * @param deadlock whether a deadlock besides is what keeps them
   */
  record Starved(
      List<Kept> kept, long queued, List<SeenThread> lost, Deadlock deadlock, String scheduler)
      implements CarriersKept {
    /** Of the JDK's scheduler. */
    public Starved(List<Kept> kept, long queued, List<SeenThread> lost, Deadlock deadlock) {
      this(kept, queued, lost, deadlock, "");
    }

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
    public List<DiagnosisDetail> circumstances() {
      return List.of(new DiagnosisDetail.LostThreads(lost));
    }

    @Override
    public Confirmation confirmation() {
      return Confirmation.LASTING;
    }

    @Override
    public String statement() {
      return CarrierWords.statement(this);
    }

    @Override
    public List<String> ends(CarrierWords carriers) {
      return carriers.ends(this);
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
}
