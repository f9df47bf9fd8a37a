package io.github.vtdiag.hang;

import io.github.vtdiag.model.Figures;
import java.util.List;

/**
 * A state in which virtual threads need a carrier and their scheduler runs none of them, although
 * it could: carriers of the JDK's scheduler are free, or another scheduler does something else.
 *
 * @param queued the number of virtual threads that need a carrier
 * @param free the number of carriers that could run them; 0 if it is unknown
 * @param parallelism the number of carriers that the scheduler aims at; 0 if it is unknown
 * @param scheduler the name of the carriers if the scheduler is not the JDK's; otherwise empty
 * @param some some of those virtual threads, after the carriers of another scheduler
 */
public record NotScheduled(
    long queued, int free, int parallelism, String scheduler, List<SeenThread> some)
    implements Diagnosis {
  public NotScheduled {
    some = List.copyOf(some);
  }

  static NotScheduled byJdk(long queued, int free, int parallelism) {
    return new NotScheduled(queued, free, parallelism, "", List.of());
  }

  static NotScheduled by(String scheduler, long queued) {
    return new NotScheduled(queued, 0, 0, scheduler, List.of());
  }

  /** Returns the same with some of the threads. */
  public NotScheduled with(List<SeenThread> threads) {
    return new NotScheduled(queued, free, parallelism, scheduler, threads);
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

  /** Returns the scheduler: there is one such state of each. */
  @Override
  public Object identity() {
    return scheduler;
  }

  @Override
  public String statement() {
    String need =
        Figures.count(queued, "virtual thread") + (queued == 1 ? " needs" : " need") + " a carrier";
    return scheduler.isEmpty()
        ? need
            + " and "
            + free
            + " of "
            + Figures.count(parallelism, "carrier")
            + (free == 1 ? " is" : " are")
            + " free, but the scheduler runs none of them"
        : need
            + " of a scheduler that is not the JDK's ("
            + scheduler
            + "), which runs none of them";
  }

  @Override
  public List<String> ends(CarrierWords carriers) {
    return List.of(
        scheduler.isEmpty()
            ? "ends: when a carrier looks for work again, because another virtual thread starts or"
                + " is woken, or a thread leaves its carrier; it is a fault of the JDK's scheduler,"
                + " not of the program: update Java"
            : "ends: when its carriers run virtual threads again; tasks of another kind must not"
                + " wait, or compute for long, on threads that carry virtual threads");
  }
}
