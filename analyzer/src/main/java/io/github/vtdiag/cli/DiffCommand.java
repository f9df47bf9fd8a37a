package io.github.vtdiag.cli;

import io.github.vtdiag.baseline.BaselineFile;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vtdiag diff}. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    customSynopsis = "vtdiag diff [OPTIONS] BEFORE AFTER",
    description =
        "Compares two runs: which pins, waits, misuse and hangs are gone, new, better or worse,"
            + " beyond chance. If the runs cannot be compared, says why. Each is a recording, a"
            + " folder of recordings of one run, or a baseline (.json).",
    footer = {
      "",
      "Exit codes: 0 compared, 2 wrong usage, 3 bad input.",
      "",
      "Example:",
      "  vtdiag diff before.jfr after.jfr"
    })
final class DiffCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private InputOptions input;
  @Mixin private OutputOptions output;

  DiffCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    if (input.files.size() != 2) {
      throw new ParameterException(
          spec.commandLine(),
          "name two runs, the one before and the one after, not " + input.files.size());
    }
    input.range();
    output.check(input.paths());
    Difference difference =
        Difference.of(run(input.files.get(0)), run(input.files.get(1)), Tolerance.NORMAL);
    output.write(console, new Report.Changed(difference, output.detail()));
    return Exit.OK;
  }

  private RunSummary run(String name) throws DataException {
    return name.toLowerCase(Locale.ROOT).endsWith(".json")
        ? BaselineFile.read(Path.of(name))
        : RunSummary.of(name, input.findings(List.of(name), console, output));
  }
}
