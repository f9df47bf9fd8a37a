package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.baseline.BaselineFile;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.format.Formats;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vtdiag baseline}. */
@Command(
    name = "baseline",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Saves the pins, waits and misuse of a run with their figures, as JSON. vtdiag gate"
            + " --baseline then fails only on what is new or worse. Recordings of several JVMs,"
            + " such as those of a build's test forks, are one run.",
    footer = {
      "",
      "Exit codes: 0 written, 2 wrong usage, 3 bad input.",
      "",
      "Example:",
      "  vtdiag baseline target/recordings -o vtdiag-baseline.json"
    })
final class BaselineCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private InputOptions input;
  @Mixin private OutputOptions output;

  BaselineCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    if (!output.format().equals(Formats.TEXT) && !output.format().equals(Formats.JSON)) {
      throw new ParameterException(
          spec.commandLine(), "a baseline is JSON; leave out --format " + output.format().name());
    }
    input.range();
    output.check(input.paths());
    Findings findings = input.findings(console, output);
    for (Gap gap : findings.gaps()) {
      if (gap.kind().is(Gap.Trait.FORBIDS_BASELINE)) {
        throw new DataException(
            gap.sentence()
                + "; record with vtdiag run, or with the settings of the gate's recordings");
      }
      // The gate reports the other gaps of a recording each time.
      if (gap.kind().is(Gap.Trait.THINS_BASELINE)) {
        console.warn(
            "the baseline may lack some: "
                + (gap.recording().isEmpty() ? "" : gap.recording() + ": ")
                + gap.text());
      }
    }
    RunSummary run = RunSummary.of(runName(findings, input), findings);
    output.write(console, BaselineFile.text(run));
    if (output.output != null && !output.quiet) {
      int accepted = run.findings().size() + run.others().size();
      console.warn(
          "accepted "
              + Figures.count(accepted, "finding")
              + (accepted == 1 ? " as it is" : " as they are"));
    }
    return Exit.OK;
  }

  private static String runName(Findings findings, InputOptions input) {
    return findings.recordings().size() == 1
        ? findings.recordings().getFirst().source()
        : String.join(" ", input.files);
  }
}
