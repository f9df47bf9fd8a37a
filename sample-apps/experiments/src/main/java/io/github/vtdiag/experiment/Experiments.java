package io.github.vtdiag.experiment;

import java.util.List;
import java.util.Optional;

/** All experiments. */
public final class Experiments {
  public static final List<Experiment> ALL =
      List.of(new Sleepers(), new Echo(), new Web(), new Crawler());

  private Experiments() {}

  /** Returns the experiment of that name. */
  public static Optional<Experiment> named(String name) {
    return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
  }
}
