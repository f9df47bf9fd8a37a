package vtdiag.cli;

import java.nio.file.Files;
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
import vtdiag.compare.Comparison;
import vtdiag.compare.Experiment;
import vtdiag.compare.Plan;
import vtdiag.compare.Plan.Source.Http;
import vtdiag.compare.Plan.Source.Printed;
import vtdiag.compare.PlanRequest;
import vtdiag.compare.RequestedChange;
import vtdiag.compare.RequestedMeasures;
import vtdiag.compare.WrongPlanException;
import vtdiag.model.DataException;
import vtdiag.report.ComparisonJson;
import vtdiag.report.ComparisonMarkdown;
import vtdiag.report.ComparisonText;
import vtdiag.report.Formats;

/** {@code vtdiag compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description =
        "Runs an application as it is and with a change, in turns, and says whether the change"
            + " pays. It is measured by requests (--http), by calls that are counted (--count), or"
            + " by the operations that it prints.",
    footer = {
      "",
      "Exit codes: 0 compared, whatever the verdict, 2 wrong usage, 3 a run brought no figures.",
      "",
      "Example:",
      "  vtdiag compare --http http://localhost:8080/ --what-if auto -- -jar app.jar",
      "  vtdiag compare --http http://localhost:8080/ --rate 200 --jdk-after /opt/jdk-25"
          + " -- -jar app.jar",
      "  vtdiag compare --count com.example.Orders#place --what-if auto -- -jar app.jar",
      "  vtdiag compare --classpath-after 'app.jar:lib-new/*' -- -cp 'app.jar:lib/*'"
          + " com.example.Batch"
    })
final class CompareCommand implements Callable<Integer> {
  private static final int PAIRS = 5;
  private static final long SECOND = 1_000_000_000;

  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Option(names = "--markdown", description = "Short for --format markdown.")
  private boolean markdown;

  @Option(
      names = "--what-if",
      paramLabel = "auto|CLASSES|FILE",
      description =
          "Change: the agent replaces monitors by locks while classes load: all that it can, those"
              + " of CLASSES (com.example.*, with : between; concurrenthashmap for the JDK's map),"
              + " or those in FILE.")
  private String whatIf;

  @Option(names = "--jdk-after", paramLabel = "HOME", description = "Change: another Java home.")
  private Path jdkAfter;

  @Option(
      names = "--classpath-after",
      paramLabel = "PATH",
      description = "Change: this class path instead of the command's, with an upgraded library.")
  private String classPathAfter;

  @Option(
      names = "--java-options-after",
      paramLabel = "OPTIONS",
      description = "Change: these options of java as well, with spaces between.")
  private String javaOptionsAfter;

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "The Java home; else JAVA_HOME, else the java on the path.")
  private Path jdk;

  @Option(
      names = "--http",
      paramLabel = "[NAME=]URL",
      converter = MeasureConverters.Url.class,
      description =
          "The command is a server: send GET requests to URL. Given again, all are sent to at the"
              + " same time, and each has its own verdict.")
  private List<Http.Target> http = List.of();

  @Option(
      names = "--users",
      paramLabel = "N",
      converter = MeasureConverters.Positive.class,
      description = "Closed loop: N users a URL, each waits for the answer (default: 50).")
  private Integer users;

  @Option(
      names = "--rate",
      paramLabel = "R",
      converter = MeasureConverters.PerSecond.class,
      description =
          "Open loop: R requests a second and URL, however long answers take. The verdict is on the"
              + " p99, from when a request was due.")
  private Double rate;

  @Option(
      names = "--operations",
      paramLabel = "[NAME=]REGEX",
      converter = MeasureConverters.Operation.class,
      description =
          "How the program prints its operations, with one group around the number: in all, or with"
              + " /s behind it a second. Else '1000 operations', '1000 ops' or '99.5/s'. The last"
              + " line wins; a number in all is divided by the whole wall time. Given again, each"
              + " has its own verdict.")
  private List<Printed.Told> operations = List.of();

  @Option(
      names = "--count",
      paramLabel = "[NAME=]CLASS#METHOD",
      converter = MeasureConverters.Method.class,
      description =
          "The agent counts the completed calls of a method; the program need not end. Given again,"
              + " each has its own verdict.")
  private List<Plan.Source.Counted.Method> count = List.of();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      converter = MeasureConverters.Positive.class,
      description = "How often each side runs, 2 or more (default: 5).")
  private Integer pairs = PAIRS;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "With --http or --count: the time that does not count yet (default: 5s).")
  private Long warmUp;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "With --http or --count: the time that counts (default: 10s).")
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
          "How long to wait for the server's first good answer, or the first call that is counted"
              + " (default: 1m); of any other program, for its end (default: 10m).")
  private Long timeout;

  @Option(
      names = "--max-errors",
      paramLabel = "PERCENT",
      converter = GateCommand.Percent.class,
      description = "With --http: the share of requests that may fail (default: 1%%).")
  private Double maxErrors;

  @Option(
      names = "--no-record",
      description = "Without the agent, and so without pins and carrier time.")
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
    if (output.json() && markdown) {
      throw wrong("--json and --markdown exclude each other");
    }
    Plan plan = plan();
    checkOutput();
    Comparison comparison;
    try (RunProgress progress = RunProgress.of(console, output)) {
      comparison = Experiment.run(plan, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
    output.write(
        console,
        output.json()
            ? ComparisonJson.of(comparison)
            : markdown || output.format().equals(Formats.MARKDOWN)
                ? ComparisonMarkdown.of(comparison)
                : ComparisonText.of(comparison, output.style(console)));
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

  /** Before minutes of runs, not after. */
  private void checkOutput() throws DataException {
    if (output.output == null) {
      return;
    }
    Path folder = output.output.toAbsolutePath().getParent();
    if (Files.isDirectory(output.output) || folder == null || !Files.isWritable(folder)) {
      throw new DataException(output.output + " cannot be written; name another file with -o");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
