package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import java.util.List;

/**
 * Threads that wait for objects that no other thread can reach.
 *
 * @param waiters those threads
 */
public record Stranded(List<SeenThread> waiters) implements Diagnosis {
  public Stranded {
    waiters = List.copyOf(waiters);
  }

  @Override
  public DiagnosisKind kind() {
    return DiagnosisKind.STRANDED;
  }

  @Override
  public List<DiagnosisDetail> details() {
    return List.of(new DiagnosisDetail.Waiters(waiters));
  }

  @Override
  public boolean isShownByOneLook() {
    return true;
  }

  @Override
  public String statement() {
    return Figures.count(waiters.size(), "thread")
        + (waiters.size() == 1 ? " waits" : " wait")
        + " for what no other thread can reach";
  }

  @Override
  public List<String> ends(CarrierWords carriers) {
    return List.of(
        "ends: at most by an interrupt, because nobody else can release, complete or signal it;"
            + " to prevent it, do that in a finally block, also after an exception");
  }
}
