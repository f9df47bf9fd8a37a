package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import java.util.List;

/**
 * A state in which virtual threads need a carrier, carriers are free, and the JDK's scheduler runs
 * none of these threads on any of them.
 *
 * @param queued the number of virtual threads that need a carrier
 * @param free the number of carriers that could run them
 * @param parallelism the number of carriers that the scheduler aims at
 * @param some of those virtual threads
 */
public record NotScheduled(long queued, int free, int parallelism, List<SeenThread> some)
    implements Diagnosis {
  public NotScheduled {
    some = List.copyOf(some);
  }

  /** Returns the same with some of the virtual threads that need a carrier. */
  public NotScheduled with(List<SeenThread> threads) {
    return new NotScheduled(queued, free, parallelism, threads);
  }

  @Override
  public DiagnosisKind kind() {
    return DiagnosisKind.NOT_SCHEDULED;
  }

  @Override
  public List<DiagnosisDetail> details() {
    return List.of(new DiagnosisDetail.Waiters(some));
  }

  /** Returns false: a carrier that was just woken may get no processor for a while. */
  @Override
  public boolean isSure() {
    return false;
  }

  @Override
  public Confirmation confirmation() {
    return Confirmation.LASTING;
  }

  @Override
  public String statement() {
    return Figures.count(queued, "virtual thread")
        + (queued == 1 ? " needs" : " need")
        + " a carrier and "
        + free
        + " of "
        + Figures.count(parallelism, "carrier")
        + (free == 1 ? " is" : " are")
        + " free, but the scheduler runs none of them";
  }

  @Override
  public List<String> ends(CarrierWords carriers) {
    return List.of(
        "ends: when a carrier looks for work again, because another virtual thread starts or is"
            + " woken, or a thread leaves its carrier; it is a fault of the JDK's scheduler, not of"
            + " the program: update Java");
  }
}
