package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.ci.ForeignResults;
import io.github.vtdiag.report.ci.RankedResults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vtdiag rank}. */
@Command(
    name = "rank",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Ranks another tool's results about the sources by a recording: lists those whose locks"
            + " pinned carriers, and what that cost. The FILEs that end with .sarif or .json are"
            + " the results; the others are the recordings.",
    footer = {"", "Example:", "  vtdiag rank findings.sarif app.jfr"})
final class RankCommand implements Callable<Integer> {
  private static final int FIRST_MONITORS_FREE = 24;
  private static final Pattern SARIF = Pattern.compile("(?i)\\.(sarif|json)$");

  private final Console console;
  private final OutputOptions output = new OutputOptions();

  @Spec private CommandSpec spec;
  @Mixin private InputOptions input;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "The most results that are listed (default: ${DEFAULT-VALUE}).")
  private int top;

  RankCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    input.range();
    Predicate<String> isSarif = file -> SARIF.matcher(file).find();
    List<String> sarifs = input.files.stream().filter(isSarif).toList();
    List<String> recordings = input.files.stream().filter(isSarif.negate()).toList();
    if (sarifs.isEmpty() || recordings.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          sarifs.isEmpty()
              ? "no SARIF file: name one that ends with .sarif or .json"
              : "no recording: name one beside the SARIF file");
    }
    if (top < 1) {
      throw new ParameterException(spec.commandLine(), "--top is at least 1");
    }
    List<ForeignResults.Result> results = new ArrayList<>();
    int closed = 0;
    for (String sarif : sarifs) {
      ForeignResults.Read read = ForeignResults.read(Path.of(sarif));
      results.addAll(read.open());
      closed += read.closed();
    }
    Findings findings = input.findings(recordings, console, output);
    if (findings.has(Gap.Trait.HIDES_PINS)) {
      console.warn("NO_DATA: the recording cannot show pins; record with vtdiag run or the agent");
      return Exit.NO_DATA;
    }
    RankedResults.of(results, closed, findings).lines(top).forEach(console.out()::println);
    if (findings.oldestJdk() >= FIRST_MONITORS_FREE) {
      console
          .out()
          .println(
              "On Java "
                  + findings.oldestJdk()
                  + " monitors do not pin (JEP 491): record on Java 21 to 23.");
    }
    return Exit.OK;
  }
}
