package io.github.vtdiag.cli;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.PairedRuns;
import io.github.vtdiag.compare.Plan;
import io.github.vtdiag.compare.Plan.Source.Http;
import io.github.vtdiag.compare.Plan.Source.Printed;
import io.github.vtdiag.compare.PlanRequest;
import io.github.vtdiag.compare.RequestedChange;
import io.github.vtdiag.compare.RequestedMeasures;
import io.github.vtdiag.compare.WrongPlanException;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Runs an application alternately without and with a change, and says whether the change"
            + " pays off. It measures HTTP requests (--http), calls of a method (--count), or the"
            + " operations that the application prints.",
    footer = {
      "",
      "Exit codes: 0 compared, whatever the verdict, 2 wrong usage, 3 a run failed.",
      "",
      "Example:",
      "  vtdiag compare --http http://localhost:8080/ --what-if auto -- -jar app.jar",
      "  vtdiag compare --http http://localhost:8080/ --rate 200 \\",
      "    --jdk-after /opt/jdk-25 -- -jar app.jar",
      "  vtdiag compare --count com.example.Orders#place --what-if auto -- -jar app.jar",
      "  vtdiag compare --classpath-after 'app.jar:lib-new/*' \\",
      "    -- -cp 'app.jar:lib/*' com.example.Batch"
    })
final class CompareCommand implements Callable<Integer> {
  private static final int PAIRS = 5;
  private static final long SECOND = 1_000_000_000;

  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Option(
      names = "--what-if",
      paramLabel = "auto|CLASSES|FILE",
      description =
          "Change: the agent replaces monitors with locks while classes load: all that it can,"
              + " those of CLASSES (such as com.example.*, separated by :; concurrenthashmap for"
              + " the JDK's map), or those listed in FILE.")
  private String whatIf;

  @Option(names = "--jdk-after", paramLabel = "HOME", description = "Change: another Java home.")
  private Path jdkAfter;

  @Option(
      names = "--classpath-after",
      paramLabel = "PATH",
      description =
          "Change: this class path instead of the command's, for example with a newer library.")
  private String classPathAfter;

  @Option(
      names = "--java-options-after",
      paramLabel = "OPTIONS",
      description = "Change: these additional options of java, separated by spaces.")
  private String javaOptionsAfter;

  @Option(
      names = {"--jdk", "--java"},
      paramLabel = "HOME",
      description = "The Java home (default: JAVA_HOME, else the java on the PATH).")
  private Path jdk;

  @Option(
      names = "--http",
      paramLabel = "[NAME=]URL",
      converter = MeasureConverters.Url.class,
      description =
          "The application is a server: send GET requests to URL. Repeat it to load several URLs at"
              + " the same time; each gets its own verdict.")
  private List<Http.Target> http = List.of();

  @Option(
      names = "--users",
      paramLabel = "N",
      converter = MeasureConverters.Positive.class,
      description = "Closed loop: N users per URL, each waits for its response (default: 50).")
  private Integer users;

  @Option(
      names = "--rate",
      paramLabel = "R",
      converter = MeasureConverters.PerSecond.class,
      description =
          "Open loop: R requests per second and URL, however long responses take. The verdict is on"
              + " the p99 latency, counted from when a request was due.")
  private Double rate;

  @Option(
      names = "--operations",
      paramLabel = "[NAME=]REGEX",
      converter = MeasureConverters.Operation.class,
      description =
          "How the application prints its operations, with one group around the number: a total, or"
              + " a rate if /s follows (default: '1000 operations', '1000 ops' or '99.5/s'). The"
              + " last match counts; a total is divided by the run's wall time. Repeat it for"
              + " several measures; each gets its own verdict.")
  private List<Printed.Told> operations = List.of();

  @Option(
      names = "--count",
      paramLabel = "[NAME=]CLASS#METHOD",
      converter = MeasureConverters.Method.class,
      description =
          "Let the agent count the completed calls of a method; the application need not end."
              + " Repeat it for several methods; each gets its own verdict.")
  private List<Plan.Source.Counted.Method> count = List.of();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      converter = MeasureConverters.Positive.class,
      description = "How many times each side runs, 2 or more (default: 5).")
  private Integer pairs = PAIRS;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "With --http or --count: how long to warm up before measuring (default: 5s).")
  private Long warmUp;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "With --http or --count: how long to measure (default: 10s).")
  private Long duration;

  @Option(
      names = "--cool-down",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "Pause between runs (default: 1s).")
  private Long coolDown = SECOND;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description =
          "How long to wait for the server's first good response, or for the first counted call"
              + " (default: 1m); for any other application, how long it may run (default: 10m).")
  private Long timeout;

  @Option(
      names = "--max-errors",
      paramLabel = "PERCENT",
      converter = GateCommand.Percent.class,
      description = "With --http: the share of requests that may fail (default: 1%%).")
  private Double maxErrors;

  @Option(
      names = "--no-record",
      description = "Run without the agent, and so without figures on pins and carriers.")
  private boolean noRecord;

  @Parameters(
      paramLabel = "ARGUMENT",
      arity = "1..*",
      description = "What you would write after java.")
  private List<String> arguments = List.of();

  CompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    output.check(List.of());
    Plan plan = plan();
    output.checkWritable();
    Comparison comparison;
    try (RunProgress progress = RunProgress.of(console, output)) {
      comparison = PairedRuns.run(plan, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
    output.write(console, new Report.Compared(comparison));
    return Exit.OK;
  }

  private Plan plan() throws DataException {
    RequestedChange change =
        new RequestedChange(
            Optional.ofNullable(whatIf),
            Optional.ofNullable(jdkAfter),
            Optional.ofNullable(classPathAfter),
            Optional.ofNullable(javaOptionsAfter));
    RequestedMeasures measures =
        new RequestedMeasures(
            http,
            Optional.ofNullable(users),
            Optional.ofNullable(rate),
            Optional.ofNullable(maxErrors),
            operations,
            count,
            Optional.ofNullable(warmUp),
            Optional.ofNullable(duration),
            Optional.ofNullable(timeout));
    try {
      return new PlanRequest(
              arguments, Optional.ofNullable(jdk), change, measures, pairs, coolDown, !noRecord)
          .plan(AgentJar::inCache, this::note);
    } catch (WrongPlanException e) {
      throw wrong(e.getMessage());
    }
  }

  private void note(String sentence) {
    if (!output.quiet) {
      console.warn(sentence);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
