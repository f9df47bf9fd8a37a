package vtdiag.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
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
import vtdiag.compare.Comparison;
import vtdiag.compare.Experiment;
import vtdiag.compare.JavaCommand;
import vtdiag.compare.Load;
import vtdiag.compare.Plan;
import vtdiag.compare.Plan.Source.Http;
import vtdiag.compare.Plan.Source.Printed;
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
  private static final int USERS = 50;
  private static final long SECOND = 1_000_000_000;
  private static final double MAX_ERRORS = 0.01;

  /** Keywords and patterns of class names, as the agent reads them. */
  private static final Pattern CLASSES =
      Pattern.compile("!?[\\p{javaJavaIdentifierPart}.*]+(:!?[\\p{javaJavaIdentifierPart}.*]+)*");

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
      converter = Url.class,
      description =
          "The command is a server: send GET requests to URL. Given again, all are sent to at the"
              + " same time, and each has its own verdict.")
  private List<Http.Target> http = List.of();

  @Option(
      names = "--users",
      paramLabel = "N",
      converter = Positive.class,
      description = "Closed loop: N users a URL, each waits for the answer (default: 50).")
  private Integer users;

  @Option(
      names = "--rate",
      paramLabel = "R",
      converter = Rate.class,
      description =
          "Open loop: R requests a second and URL, however long answers take. The verdict is on the"
              + " p99, from when a request was due.")
  private Double rate;

  @Option(
      names = "--operations",
      paramLabel = "[NAME=]REGEX",
      converter = Told.class,
      description =
          "How the program prints its operations, with one group around the number: in all, or with"
              + " /s behind it a second. Else '1000 operations', '1000 ops' or '99.5/s'. The last"
              + " line wins; a number in all is divided by the whole wall time. Given again, each"
              + " has its own verdict.")
  private List<Printed.Told> operations = List.of();

  @Option(
      names = "--count",
      paramLabel = "[NAME=]CLASS#METHOD",
      converter = Counted.class,
      description =
          "The agent counts the completed calls of a method; the program need not end. Given again,"
              + " each has its own verdict.")
  private List<Plan.Source.Counted.Method> count = List.of();

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
        output.json()
            ? ComparisonJson.of(comparison)
            : markdown || output.format().equals(Formats.MARKDOWN)
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
    if (output.json() && markdown) {
      throw wrong("--json and --markdown exclude each other");
    }
    if (pairs < 2) {
      throw wrong("one pair says nothing of chance; take --pairs 2 or more");
    }
    if (noRecord && whatIf != null) {
      throw wrong("--what-if needs the agent on both sides; leave out --no-record");
    }
    if (noRecord && !count.isEmpty()) {
      throw wrong("--count needs the agent on both sides; leave out --no-record");
    }
    Plan.Source source = source();
    JavaCommand before = new JavaCommand(JavaProcess.java(jdk), List.of(), arguments);
    JavaCommand after = after();
    Optional<String> rewrite = rewrite();
    checkOutput();
    Optional<Plan.Agent> agent =
        noRecord ? Optional.empty() : Optional.of(new Plan.Agent(AgentJar.inCache(), rewrite));
    return new Plan(before, after, changes, source, pairs, coolDown, agent);
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

  /** Whether the what-if is in the agent's own words, and not a file. */
  private boolean isForAgent() {
    return CLASSES.matcher(whatIf).matches()
        && !whatIf.matches(".*\\.(json|txt)")
        && !Files.exists(Path.of(whatIf));
  }

  /** The value of the agent's option. */
  private Optional<String> rewrite() throws DataException {
    if (whatIf == null || isForAgent()) {
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

  private Plan.Source source() {
    if (!http.isEmpty() && !operations.isEmpty()) {
      throw wrong("--http and --operations exclude each other");
    }
    if (!count.isEmpty() && (!http.isEmpty() || !operations.isEmpty())) {
      throw wrong("--count excludes --http and --operations");
    }
    if (http.isEmpty()) {
      refuse("--users", users, "--http");
      refuse("--rate", rate, "--http");
      refuse("--max-errors", maxErrors, "--http");
    }
    if (http.isEmpty() && count.isEmpty()) {
      refuse("--warm-up", warmUp, "--http or --count");
      refuse("--duration", duration, "--http or --count");
    }
    if (duration != null && duration == 0) {
      throw wrong("--duration must be longer than 0");
    }
    Plan.Source source = !http.isEmpty() ? http() : !count.isEmpty() ? counted() : printed();
    Set<String> names = new HashSet<>();
    for (String name : source.names()) {
      if (!names.add(name)) {
        throw wrong("two measures are called " + name + "; give each a name of its own");
      }
    }
    return source;
  }

  private void refuse(String option, Object value, String where) {
    if (value != null) {
      throw wrong(option + " goes with " + where);
    }
  }

  private Plan.Source printed() {
    return new Printed(
        operations.isEmpty()
            ? List.of(new Printed.Told("operations", Optional.empty()))
            : operations,
        timeout == null ? 600 * SECOND : timeout);
  }

  private Plan.Source counted() {
    return new Plan.Source.Counted(count, start(), warmUp(), duration());
  }

  private Plan.Source http() {
    if (users != null && rate != null) {
      throw wrong("--users (closed loop) and --rate (open loop) exclude each other");
    }
    return new Http(
        http,
        rate == null ? new Load.Closed(users == null ? USERS : users) : new Load.Open(rate),
        start(),
        warmUp(),
        duration(),
        maxErrors == null ? MAX_ERRORS : maxErrors);
  }

  private long start() {
    return timeout == null ? 60 * SECOND : timeout;
  }

  private long warmUp() {
    return warmUp == null ? 5 * SECOND : warmUp;
  }

  private long duration() {
    return duration == null ? 10 * SECOND : duration;
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

  /** A value with a name for the report; without one the value is its own name. */
  private record Named(String name, String value) {
    private static final Pattern NAME = Pattern.compile("(\\p{L}[\\p{L}\\d_.-]*)=(.+)");

    static Named of(String text) {
      Matcher matcher = NAME.matcher(text);
      return matcher.matches()
          ? new Named(matcher.group(1), matcher.group(2))
          : new Named(text, text);
    }
  }

  /** Reads where a server answers. */
  static final class Url implements ITypeConverter<Http.Target> {
    @Override
    public Http.Target convert(String text) {
      Named named = Named.of(text);
      try {
        URI uri = new URI(named.value());
        if (uri.getHost() != null
            && uri.getScheme() != null
            && uri.getScheme().matches("(?i)https?")) {
          return new Http.Target(named.name(), uri);
        }
      } catch (URISyntaxException e) {
        // Falls to the one message below.
      }
      throw new TypeConversionException(
          "'" + named.value() + "' is no URL of a server; write http://localhost:8080/path");
    }
  }

  /** Reads a pattern with a group. */
  static final class Told implements ITypeConverter<Printed.Told> {
    @Override
    public Printed.Told convert(String text) {
      Named named = Named.of(text);
      try {
        Pattern pattern = Pattern.compile(named.value());
        if (pattern.matcher("").groupCount() == 1) {
          return new Printed.Told(named.name(), Optional.of(pattern));
        }
      } catch (PatternSyntaxException e) {
        throw new TypeConversionException(
            "'" + named.value() + "' is no regular expression: " + e.getDescription());
      }
      throw new TypeConversionException(
          "'" + named.value() + "' must have one group around the number, as in 'done: (\\d+)'");
    }
  }

  /** Reads a method to count. */
  static final class Counted implements ITypeConverter<Plan.Source.Counted.Method> {
    private static final Pattern METHOD = Pattern.compile("[^\\s,:;=#()/]+#[^\\s,:;=#()/]+");

    @Override
    public Plan.Source.Counted.Method convert(String text) {
      Named named = Named.of(text);
      if (!METHOD.matcher(named.value()).matches()) {
        throw new TypeConversionException(
            "'" + named.value() + "' is no method; write com.example.Pool#borrow");
      }
      return new Plan.Source.Counted.Method(named.name(), named.value());
    }
  }
}
