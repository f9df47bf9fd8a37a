package io.github.vtdiag.hang;

import java.util.List;
import java.util.Set;

/**
 * Threads that wait for each other in a cycle, which does not end by itself.
 *
 * @param edges each waits for the next one, the last for the first
 */
public record LockCycle(List<WaitEdge> edges) implements Diagnosis {
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

  /** Returns whether every lock is known as an object; if not, the cycle is probable. */
  @Override
  public boolean isSure() {
    return edges.stream().allMatch(WaitEdge::exact);
  }

  @Override
  public boolean isShownByOneLook() {
    return true;
  }

  @Override
  public boolean isShownByFields() {
    return edges.stream().allMatch(edge -> edge.how() == WaitEdge.How.LOCK || isOfTask(edge));
  }

  @Override
  public Confirmation confirmation() {
    // A task may end between the reading of the thread that waits for it and that of its own.
    return isSure() && edges.stream().noneMatch(LockCycle::isOfTask)
        ? Confirmation.IMMEDIATE
        : Confirmation.REPEATED;
  }

  @Override
  public Set<Long> identity() {
    return threads();
  }

  private static boolean isOfTask(WaitEdge edge) {
    return edge.how() == WaitEdge.How.TASK || edge.how() == WaitEdge.How.JOIN;
  }

  private boolean isOfOne() {
    return edges.size() == 1;
  }

  @Override
  public String statement() {
    return isOfOne()
        ? "a thread waits for a lock that it has itself"
        : edges.size() + " threads wait for each other";
  }

  @Override
  public List<String> ends(CarrierWords carriers) {
    return List.of("ends: not by itself; to prevent it, " + prevention());
  }

  private String prevention() {
    if (isOfOne()) {
      return "release the read lock before the write lock is asked for, or take the write lock at"
          + " once";
    }
    if (edges.stream().allMatch(LockCycle::isOfTask)) {
      return "let none of these threads wait for one that waits for it";
    }
    if (edges.stream().anyMatch(LockCycle::isOfTask)) {
      return "release the lock before the wait for that task or thread, or let it do without the"
          + " lock";
    }
    return edges.stream().anyMatch(edge -> edge.how() == WaitEdge.How.CLASS_INITIALIZATION)
        ? "break the circle of initializers: load one of these classes before any thread needs"
            + " another"
        : "take these locks in the same order everywhere";
  }
}
