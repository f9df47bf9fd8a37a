package vtdiag.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import vtdiag.measure.Comparison;
import vtdiag.measure.Experiment;
import vtdiag.measure.JavaCommand;
import vtdiag.measure.Load;
import vtdiag.measure.Plan;
import vtdiag.recording.DataException;
import vtdiag.report.ComparisonJson;
import vtdiag.report.ComparisonMarkdown;
import vtdiag.report.ComparisonText;

/** {@code vtdiag compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description =
        "Runs an application as it is and with a change, in turns, and says whether the change"
            + " pays. It is measured by requests (--http), or by the operations that it prints.",
    footer = {
      "",
      "Exit codes: 0 compared, whatever the verdict, 2 wrong usage, 3 a run brought no figures.",
      "",
      "Example:",
      "  vtdiag compare --http http://localhost:8080/ --what-if auto -- -jar app.jar",
      "  vtdiag compare --http http://localhost:8080/ --rate 200 --jdk-after /opt/jdk-25"
          + " -- -jar app.jar",
      "  vtdiag compare --classpath-after 'app.jar:lib-new/*' -- -cp 'app.jar:lib/*'"
          + " com.example.Batch"
    })
final class CompareCommand implements Callable<Integer> {
  private static final int PAIRS = 5;
  private static final int USERS = 50;
  private static final long SECOND = 1_000_000_000;
  private static final double MAX_ERRORS = 0.01;

  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Option(names = "--markdown", description = "Write Markdown.")
  private boolean markdown;

  @Option(
      names = "--what-if",
      paramLabel = "auto|FILE",
      description =
          "Change: the agent replaces monitors by locks while classes load, those in FILE or all"
              + " that it can.")
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
      paramLabel = "URL",
      converter = Url.class,
      description = "The command is a server: send GET requests to URL.")
  private URI http;

  @Option(
      names = "--users",
      paramLabel = "N",
      converter = Positive.class,
      description = "Closed loop: N users, each waits for the answer (default: 50).")
  private Integer users;

  @Option(
      names = "--rate",
      paramLabel = "R",
      converter = Rate.class,
      description =
          "Open loop: R requests a second, however long answers take. The verdict is on the p99,"
              + " from when a request was due.")
  private Double rate;

  @Option(
      names = "--operations",
      paramLabel = "REGEX",
      converter = Regex.class,
      description =
          "How the program prints its operations, with one group around the number: in all, or with"
              + " /s behind it a second. Else '1000 operations', '1000 ops' or '99.5/s'. The last"
              + " line wins; a number in all is divided by the whole wall time.")
  private Pattern operations;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      converter = Positive.class,
      description = "How often each side runs, 2 or more (default: 5).")
  private Integer pairs = PAIRS;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "With --http: requests that are not counted yet (default: 5s).")
  private Long warmUp;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      description = "With --http: requests that are counted (default: 10s).")
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
          "How long to wait for the server's first good answer (default: 1m), or for the end of a"
              + " program that is none (default: 10m).")
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
    Plan plan = plan();
    Comparison comparison;
    try (RunProgress progress = RunProgress.of(console, output)) {
      comparison = Experiment.run(plan, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
    output.write(
        console,
        output.json
            ? ComparisonJson.of(comparison)
            : markdown
                ? ComparisonMarkdown.of(comparison)
                : ComparisonText.of(comparison, output.style(console)));
    return Exit.OK;
  }

  private Plan plan() throws DataException {
    List<String> changes = changes();
    if (changes.isEmpty()) {
      throw wrong(
          "no change given; add --what-if, --jdk-after, --classpath-after or --java-options-after");
    }
    if (output.json && markdown) {
      throw wrong("--json and --markdown exclude each other");
    }
    if (pairs < 2) {
      throw wrong("one pair says nothing of chance; take --pairs 2 or more");
    }
    if (noRecord && whatIf != null) {
      throw wrong("--what-if needs the agent on both sides; leave out --no-record");
    }
    Plan.Measure measure = http == null ? printed() : http();
    JavaCommand before = new JavaCommand(JavaProcess.java(jdk), List.of(), arguments);
    JavaCommand after = after();
    Optional<String> rewrite = rewrite();
    checkOutput();
    Optional<Plan.Agent> agent =
        noRecord ? Optional.empty() : Optional.of(new Plan.Agent(AgentJar.inCache(), rewrite));
    return new Plan(before, after, changes, measure, pairs, coolDown, agent);
  }

  private List<String> changes() {
    List<String> changes = new ArrayList<>();
    add(changes, "--what-if", whatIf);
    add(changes, "--jdk-after", jdkAfter);
    add(changes, "--classpath-after", classPathAfter);
    add(changes, "--java-options-after", javaOptionsAfter);
    return changes;
  }

  private static void add(List<String> changes, String option, Object value) {
    if (value != null) {
      changes.add(option + " " + value);
    }
  }

  private JavaCommand after() {
    JavaCommand command =
        new JavaCommand(
            JavaProcess.java(jdkAfter == null ? jdk : jdkAfter),
            javaOptionsAfter == null || javaOptionsAfter.isBlank()
                ? List.of()
                : List.of(javaOptionsAfter.strip().split("\\s+")),
            arguments);
    return classPathAfter == null
        ? command
        : command
            .withClassPath(classPathAfter)
            .orElseThrow(
                () ->
                    wrong(
                        "-jar has its class path in the jar, so --classpath-after would change"
                            + " nothing; run it as -cp app.jar and its main class"));
  }

  /** The value of the agent's option. */
  private Optional<String> rewrite() throws DataException {
    if (whatIf == null || whatIf.equals("auto")) {
      return Optional.ofNullable(whatIf);
    }
    Path list = WhatIfFile.check(whatIf, after(), this::note);
    if (list.toString().contains(",")) {
      throw wrong(
          "the agent's options have commas between, and so has the folder for temporary files; set"
              + " -Djava.io.tmpdir");
    }
    return Optional.of("@" + list);
  }

  private void note(String sentence) {
    if (!output.quiet) {
      console.warn(sentence);
    }
  }

  private Plan.Measure printed() {
    refuseWithoutHttp("--users", users);
    refuseWithoutHttp("--rate", rate);
    refuseWithoutHttp("--warm-up", warmUp);
    refuseWithoutHttp("--duration", duration);
    refuseWithoutHttp("--max-errors", maxErrors);
    return new Plan.Measure.Printed(
        Optional.ofNullable(operations), timeout == null ? 600 * SECOND : timeout);
  }

  private void refuseWithoutHttp(String option, Object value) {
    if (value != null) {
      throw wrong(option + " goes with --http");
    }
  }

  private Plan.Measure http() {
    if (operations != null) {
      throw wrong("--http and --operations exclude each other");
    }
    if (users != null && rate != null) {
      throw wrong("--users (closed loop) and --rate (open loop) exclude each other");
    }
    if (duration != null && duration == 0) {
      throw wrong("--duration must be longer than 0");
    }
    return new Plan.Measure.Http(
        http,
        rate == null ? new Load.Closed(users == null ? USERS : users) : new Load.Open(rate),
        timeout == null ? 60 * SECOND : timeout,
        warmUp == null ? 5 * SECOND : warmUp,
        duration == null ? 10 * SECOND : duration,
        maxErrors == null ? MAX_ERRORS : maxErrors);
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

  /** Reads a number of users or pairs. */
  static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[1-9]\\d{0,4}")) {
        throw new TypeConversionException(
            "'" + text + "' is not a number of them; write 1 to 99999");
      }
      return Integer.valueOf(text);
    }
  }

  /** Reads requests a second. */
  static final class Rate implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      if (!text.matches("\\d{1,6}(\\.\\d+)?(/s)?")
          || Double.parseDouble(text.replace("/s", "")) == 0) {
        throw new TypeConversionException(
            "'" + text + "' is not a rate; write requests a second, such as 200 or 0.5");
      }
      return Double.valueOf(text.replace("/s", ""));
    }
  }

  /** Reads where a server answers. */
  static final class Url implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        URI uri = new URI(text);
        if (uri.getHost() != null
            && uri.getScheme() != null
            && uri.getScheme().matches("(?i)https?")) {
          return uri;
        }
      } catch (URISyntaxException e) {
        // Falls to the one message below.
      }
      throw new TypeConversionException(
          "'" + text + "' is no URL of a server; write http://localhost:8080/path");
    }
  }

  /** Reads a pattern with a group. */
  static final class Regex implements ITypeConverter<Pattern> {
    @Override
    public Pattern convert(String text) {
      try {
        Pattern pattern = Pattern.compile(text);
        if (pattern.matcher("").groupCount() == 1) {
          return pattern;
        }
      } catch (PatternSyntaxException e) {
        throw new TypeConversionException(
            "'" + text + "' is no regular expression: " + e.getDescription());
      }
      throw new TypeConversionException(
          "'" + text + "' must have one group around the number, as in 'done: (\\d+)'");
    }
  }
}
