package vtdiag.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import vtdiag.advice.Advice;
import vtdiag.analysis.Findings;
import vtdiag.gate.Gate;
import vtdiag.gate.Measure;
import vtdiag.gate.Measures;
import vtdiag.gate.Policy;
import vtdiag.gate.Unit;
import vtdiag.gate.Verdict;
import vtdiag.model.DataException;
import vtdiag.model.Figures;
import vtdiag.report.Formats;
import vtdiag.report.Report;

/** {@code vtdiag gate}. */
@Command(
    name = "gate",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description =
        "Passes or fails a build on how long carriers were blocked, how many threads waited for one"
            + " and how much of their time was left. Breaking a limit is a FAIL, and so is a"
            + " program that hung. Recordings that could not have shown either are NO_DATA, not"
            + " PASS.",
    footer = {
      "",
      "Exit codes: 0 PASS, 1 FAIL, 2 wrong usage, 3 bad input, 4 NO_DATA.",
      "",
      "Example:",
      "  vtdiag gate app.jfr --max-pin 50ms --max-capacity-lost 5%%"
    })
final class GateCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private InputOptions input;
  @Mixin private OutputOptions output;
  @Mixin private GateOutputs outputs;

  @Option(names = "--allow-no-data", description = "Pass NO_DATA, with a warning.")
  private boolean allowNoData;

  @Option(
      names = "--allow-incomplete",
      description =
          "Accept recordings that are damaged, from which JFR lost events, or which ended before"
              + " the program did.")
  private boolean allowIncomplete;

  @Option(
      names = "--strict",
      description =
          "NO_DATA also where a threshold hides short pins from a total or a count, or monitor"
              + " events were off.")
  private boolean strict;

  @Option(
      names = "--allow-unwatched",
      description =
          "Accept recordings during which no watch looked at the carriers, such as those made"
              + " without vtdiag's agent. A pin that never ended, and blocking in native code, are"
              + " not in them: a program that hung passes.")
  private boolean allowUnwatched;

  @Option(
      names = "--allow-hang",
      description = "Only warn of a program that the agent saw hang, instead of FAIL.")
  private boolean allowHang;

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
    Policy policy = policy();
    input.range();
    output.check(input.paths());
    outputs.check(spec, input.paths(), output);
    Findings findings = input.findings(console, output);
    Verdict verdict = Gate.judge(findings, policy);
    if (!output.quiet || !output.format().equals(Formats.TEXT)) {
      Optional<Advice> advice =
          output.format().isComplete()
              ? Optional.of(new AdviceOptions().advise(findings))
              : Optional.empty();
      output.write(console, new Report.Judgement(findings, verdict, advice));
    }
    outputs.write(spec, console, input, output, findings, verdict);
    return switch (verdict) {
      case Verdict.Pass pass -> Exit.OK;
      case Verdict.Fail fail -> Exit.FAIL;
      case Verdict.NoData noData -> Exit.NO_DATA;
    };
  }

  private Policy policy() {
    List<Policy.Limit> limits = new ArrayList<>();
    for (Measure measure : Measures.ALL) {
      Double value = spec.findOption(measure.option()).getValue();
      if (value != null) {
        limits.add(new Policy.Limit(measure, value));
      }
    }
    if (limits.isEmpty()) {
      List<String> options = Measures.ALL.stream().map(Measure::option).toList();
      throw new ParameterException(
          spec.commandLine(),
          "no limit given; add "
              + String.join(", ", options.subList(0, options.size() - 1))
              + " or "
              + options.getLast());
    }
    return new Policy(
        limits,
        new Policy.Evidence(allowNoData, allowIncomplete, strict, allowUnwatched, allowHang));
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
