package io.github.vtdiag.hang;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A state in which all carriers are occupied and virtual threads need one. */
public sealed interface CarriersKept extends Diagnosis {
  /** The last line of carriers that a deadlock keeps, which is a hang of its own. */
  String BY_DEADLOCK = "ends: not by itself: a deadlock keeps them";

  List<Kept> kept();

  /** Returns the number of virtual threads that need a carrier. */
  long queued();

  /** Returns the name of the carriers if the scheduler is not the JDK's; otherwise empty. */
  String scheduler();

  @Override
  default List<DiagnosisDetail> details() {
    return List.of(new DiagnosisDetail.Carriers(kept(), queued()));
  }

  /**
   * A deadlock in which each carrier's virtual thread waits, in the end, for one that needs a
   * carrier.
   */
  record DeadlockByPinning(List<Kept> kept, long queued, String scheduler) implements CarriersKept {
    public DeadlockByPinning {
      kept = List.copyOf(kept);
    }

    @Override
    public DiagnosisKind kind() {
      return DiagnosisKind.DEADLOCK_BY_PINNING;
    }

    /** Returns whether every awaited thread is known; if not, the deadlock is probable. */
    @Override
    public boolean isSure() {
      return kept.stream().flatMap(each -> each.chain().stream()).allMatch(WaitEdge::exact);
    }

    @Override
    public Confirmation confirmation() {
      return isSure() && !hasTimeout() ? Confirmation.IMMEDIATE : Confirmation.REPEATED;
    }

    /** The threads that they wait for may be named differently in each snapshot. */
    @Override
    public Set<Long> identity() {
      Set<Long> ids = new TreeSet<>();
      kept.forEach(each -> ids.add(each.thread().id()));
      return ids;
    }

    /**
     * Returns whether nothing but a call in common tells which thread would wake one of them: a
     * timer of a platform thread may do it, too.
     */
    boolean isGuessed() {
      return kept.stream()
          .flatMap(each -> each.chain().stream())
          .anyMatch(edge -> edge.how() == WaitEdge.How.SAME_CALL);
    }

    /** Returns whether one of the waits has a timeout, which ends the deadlock, if only briefly. */
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
   * A state in which nothing on any carrier moves and other virtual threads need a carrier. A
   * mutual wait is not proven.
   *
   * @param lost threads that wait for something that is free
   * @param deadlock whether a deadlock seen at the same time is the cause
   */
  record Starved(
      List<Kept> kept, long queued, List<SeenThread> lost, Deadlock deadlock, String scheduler)
      implements CarriersKept {
    /** Creates the starvation of the JDK's scheduler. */
    public Starved(List<Kept> kept, long queued, List<SeenThread> lost, Deadlock deadlock) {
      this(kept, queued, lost, deadlock, "");
    }

    /** The relation to a deadlock that was seen at the same time. */
    public enum Deadlock {
      /** There is no deadlock. */
      NONE,
      /** There is a deadlock, and some carriers are not occupied by it. */
      BESIDE,
      /** All carriers are occupied by it, or by threads that wait for it. */
      KEEPS_ALL
    }

    public Starved {
      kept = List.copyOf(kept);
      lost = List.copyOf(lost);
    }

    /** Returns the same starvation, with what was found out later of the threads that keep it. */
    public Starved with(UnaryOperator<SeenThread> found) {
      return new Starved(
          kept.stream().map(each -> new Kept(found.apply(each.thread()), each.chain())).toList(),
          queued,
          lost,
          deadlock,
          scheduler);
    }

    /**
     * Returns whether all that keep a carrier wait for answers of this program itself, or for one
     * of them that does.
     */
    boolean asksItself() {
      Set<Long> asking =
          kept.stream()
              .map(Kept::thread)
              .filter(
                  thread ->
                      thread.waitsFor() instanceof ThreadWait.Park park
                          && park.ownPort().isPresent())
              .map(SeenThread::id)
              .collect(Collectors.toSet());
      return kept.stream().allMatch(each -> asking.contains(each.last().id()));
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
   * A virtual thread that occupies its carrier, or a carrier that waits itself.
   *
   * @param chain the thread that it waits for, the thread that one waits for, and so on; empty if
   *     unknown
   */
  record Kept(SeenThread thread, List<WaitEdge> chain) {
    public Kept {
      chain = List.copyOf(chain);
    }

    /** Returns the thread at the end of the chain. */
    public SeenThread last() {
      return chain.isEmpty() ? thread : chain.getLast().other();
    }
  }
}
