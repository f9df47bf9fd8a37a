package io.github.vtdiag.report;

import io.github.vtdiag.experiment.Experiment;
import io.github.vtdiag.experiment.Machine;
import io.github.vtdiag.experiment.Outcome;
import java.util.List;

/**
 * The result of an experiment. It is in vtdiag's package of reports, but outside vtdiag's jar: it
 * is written with the words and formats of the reports, and no report knows it.
 *
 * @param isShort whether that was its short form
 * @param diagnosed its variants, analyzed as by {@code vtdiag analyze}
 * @param next commands that make sense now; may be empty
 */
public record Sampled(
    Experiment experiment,
    boolean isShort,
    Machine machine,
    Outcome outcome,
    List<Diagnosed> diagnosed,
    List<String> next) {
  public Sampled {
    diagnosed = List.copyOf(diagnosed);
    next = List.copyOf(next);
  }
}
