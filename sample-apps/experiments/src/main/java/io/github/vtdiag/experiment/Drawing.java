package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Attempt;
import io.github.vtdiag.compare.JavaCommand;
import io.github.vtdiag.compare.MeasuredProcess;
import io.github.vtdiag.model.DataException;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Draws the plots of an experiment, for which a library is needed that only the samples have. */
public final class Drawing {
  private static final long LONGEST_NANOS = 120_000_000_000L;

  private Drawing() {}

  /**
   * Draws all plots.
   *
   * @param java the home of the Java to draw with
   * @param json the experiment as JSON
   * @param folder where each goes, as {@code NAME-SUFFIX.svg}
   */
  public static void draw(
      Path java, Bench.Equipment equipment, Path json, Path folder, String suffix)
      throws DataException, InterruptedException {
    List<String> line =
        List.of(
            JavaCommand.launcher(Optional.of(java)),
            "-Djava.awt.headless=true",
            "-cp",
            String.join(File.pathSeparator, equipment.classPath(List.of("libraries/plot"))),
            "samples.plot.Plot",
            json.toString(),
            folder.toString(),
            suffix);
    MeasuredProcess process = MeasuredProcess.startWithInput(line, text -> {});
    process.closeInput();
    try (Attempt attempt = new Attempt("the plot program", process, what -> {}, () -> false)) {
      if (!process.waitFor(LONGEST_NANOS)) {
        throw attempt.failed("did not end");
      }
      if (process.exitCode() != 0) {
        throw attempt.ended("");
      }
    }
  }
}
