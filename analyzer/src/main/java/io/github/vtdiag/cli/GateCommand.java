package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.gate.Unit;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code vtdiag gate}. */
@Command(
    name = "gate",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Passes or fails a build by limits on pins, the queue, idle carriers and waits. A broken"
            + " limit is a FAIL, and so is a program that hung. Recordings that could not have"
            + " shown either are NO_DATA, not PASS.",
    footer = {
      "",
      "Exit codes: 0 PASS, 1 FAIL, 2 wrong usage, 3 bad input, 4 NO_DATA.",
      "",
      "Example:",
      "  vtdiag gate app.jfr --max-pin 50ms --max-capacity-lost 5%%",
      "  vtdiag gate target/recordings --baseline vtdiag-baseline.json --explain"
    })
final class GateCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private InputOptions input;
  @Mixin private OutputOptions output;
  @Mixin private GateOutputs outputs;
  @Mixin private PolicyOptions policies;
  @Mixin private BuildToolOptions buildTool;

  @Option(
      names = "--explain",
      description =
          "Show each limit: where it is written, what was measured, and how much of the limit that"
              + " is. Also show the allowances, and what was ignored.")
  private boolean explain;

  GateCommand(Console console) {
    this.console = console;
  }

  /** Adds an option for each measure, and for each format that build servers read. */
  static void addLimits(CommandSpec spec) {
    GateOutputs.addOptions(spec);
    for (Measure measure : Measures.ALL) {
      spec.addOption(
          OptionSpec.builder(measure.option())
              .type(Double.class)
              .paramLabel(measure.unit().label())
              .converters(text -> parse(measure.unit(), text))
              .description(measure.description().replace("%", "%%"))
              .build());
    }
  }

  private static Double parse(Unit unit, String text) {
    try {
      return unit.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  @Override
  public Integer call() throws DataException {
    input.shownBy(buildTool.paths());
    Policy policy = policies.read(input);
    TimeRange range = policies.range(input);
    output.check(input.paths());
    outputs.check(spec, input.paths(), output);
    input.own(outputs.own(policies.own()));
    ReadableFiles files = ReadableFiles.of(input, output, console);
    Findings findings =
        InputOptions.whole(input.pipeline(), files.inputs(), range, console, output)
            .findings()
            .withGaps(files.missing());
    Verdict verdict = Gate.judge(findings, policy);
    if (!output.quiet || !output.format().equals(Formats.TEXT)) {
      Optional<Advice> advice =
          output.format().isComplete() ? Optional.of(outputs.advise(findings)) : Optional.empty();
      output.write(
          console,
          new Report.Judgement(findings, verdict, advice, explain ? Detail.FULL : Detail.BRIEF));
    }
    if (verdict instanceof Verdict.Fail && !output.quiet && output.format().equals(Formats.TEXT)) {
      buildTool
          .next(input.files)
          .ifPresent(next -> console.out().writeBytes(console.encoded("Next: " + next + "\n")));
      console.out().flush();
    }
    outputs.write(spec, console, input, output, findings, verdict);
    return switch (verdict) {
      case Verdict.Pass pass -> Exit.OK;
      case Verdict.Fail fail -> Exit.FAIL;
      case Verdict.NoData noData -> Exit.NO_DATA;
    };
  }

  /** Reads a duration. */
  static final class Nanos implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Figures.parseDuration(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Reads a percentage as a share of 1. */
  static final class Percent implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return parse(Unit.PERCENT, text);
    }
  }
}
