package vtdiag.cli;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import vtdiag.advice.Advice;
import vtdiag.analysis.Findings;
import vtdiag.gate.Gate;
import vtdiag.gate.Policy;
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
        "Passes or fails a build on how long carriers were blocked. A violation that is seen is a"
            + " FAIL. Recordings that could not have shown one are NO_DATA, not PASS.",
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

  @Option(
      names = "--max-pin",
      paramLabel = "DURATION",
      converter = Nanos.class,
      description = "The longest a single pin may be: 50ms, 1.5s, 200us, PT0.2S.")
  private Long maxPin;

  @Option(
      names = "--max-total",
      paramLabel = "DURATION",
      converter = Nanos.class,
      description = "The longest all pins may be together.")
  private Long maxTotal;

  @Option(
      names = "--max-count",
      paramLabel = "N",
      converter = Count.class,
      description = "How many pins there may be.")
  private Long maxCount;

  @Option(
      names = "--max-capacity-lost",
      paramLabel = "PERCENT",
      converter = Percent.class,
      description = "The part of all carrier time that may be pinned: 5 or 5%%.")
  private Double maxCapacityLost;

  @Option(names = "--allow-no-data", description = "No proof passes, with a warning.")
  private boolean allowNoData;

  @Option(
      names = "--allow-incomplete",
      description = "Damaged recordings, and those that JFR lost events of, can pass.")
  private boolean allowIncomplete;

  @Option(
      names = "--strict",
      description =
          "NO_DATA also where a threshold hides short pins from a total or a count, or monitor"
              + " events were off.")
  private boolean strict;

  GateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    Policy policy = policy();
    input.range();
    output.check(input.paths());
    Findings findings = input.findings(console, output);
    Verdict verdict = Gate.judge(findings, policy);
    if (!output.quiet || !output.format().equals(Formats.TEXT)) {
      Advice advice = new AdviceOptions().advise(findings);
      output.write(console, new Report.Judgement(findings, verdict, advice));
    }
    return switch (verdict) {
      case Verdict.Pass pass -> Exit.OK;
      case Verdict.Fail fail -> Exit.FAIL;
      case Verdict.NoData noData -> Exit.NO_DATA;
    };
  }

  private Policy policy() {
    if (maxPin == null && maxTotal == null && maxCount == null && maxCapacityLost == null) {
      throw new ParameterException(
          spec.commandLine(),
          "no limit given; add --max-pin, --max-total, --max-count or --max-capacity-lost");
    }
    return new Policy(
        optional(maxPin),
        optional(maxTotal),
        optional(maxCount),
        maxCapacityLost == null ? OptionalDouble.empty() : OptionalDouble.of(maxCapacityLost),
        new Policy.Evidence(allowNoData, allowIncomplete, strict));
  }

  private static OptionalLong optional(Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
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

  /** Reads a number of pins. */
  static final class Count implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      if (!text.matches("\\d{1,18}")) {
        throw new TypeConversionException("'" + text + "' is not a count; write 0 or more");
      }
      return Long.valueOf(text);
    }
  }

  /** Reads a percentage as a share of 1. */
  static final class Percent implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      if (!text.matches("\\d{1,3}(\\.\\d+)?%?")) {
        throw new TypeConversionException("'" + text + "' is not a percentage; write 5 or 0.5%");
      }
      return Double.parseDouble(text.replace("%", "")) / 100;
    }
  }
}
