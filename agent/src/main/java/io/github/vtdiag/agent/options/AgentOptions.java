package io.github.vtdiag.agent.options;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.rewrite.RewriteScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of the agent: {@code key=value,...} after {@code -javaagent:vtdiag.jar=}, which
 * overrides the same in the environment variable {@value #ENVIRONMENT_VARIABLE}.
 *
 * @param output where the recording goes; {@code %p} is the process id, {@code %t} the start time
 * @param threshold pins shorter than this are not recorded
 * @param warn pins of at least this length are reported on standard error as they end; empty for
 *     none
 * @param watch a virtual thread that has waited this long without unmounting is reported while it
 *     waits; empty for no watch over the carriers
 * @param longestWait how long the program's first virtual thread waits until the recording runs
 * @param depth the number of frames of a stack that are recorded
 * @param include package or class prefixes: only pins with a frame among them are reported; empty
 *     for all
 * @param exclude prefixes of classes whose monitors are not reported
 * @param samples the number of pins per second whose exact monitors are recorded (JDK 21 to 23)
 * @param maxSizeMegabytes the recording's size in MB, beyond which JFR drops its oldest part
 * @param onHang what to do when threads hang
 * @param metrics where metrics can be read; empty for nowhere
 * @param summary whether to print a summary at exit
 * @param failOnError whether the program must not start when the agent cannot
 * @param rewrite the what-if: the classes whose monitors become locks; empty for none
 * @param count the methods whose returns are counted
 * @param countOutput where the counts go; set if and only if there are counted methods
 * @param help whether to print the options and exit
 */
public record AgentOptions(
    String output,
    Duration threshold,
    Optional<Duration> warn,
    Optional<Duration> watch,
    Duration longestWait,
    int depth,
    List<String> include,
    List<String> exclude,
    int samples,
    int maxSizeMegabytes,
    OnHang onHang,
    Optional<ReadAt> metrics,
    boolean summary,
    boolean failOnError,
    Optional<RewriteScope> rewrite,
    List<CountedMethod> count,
    Optional<String> countOutput,
    boolean help) {

  public static final String ENVIRONMENT_VARIABLE = "VTDIAG_OPTIONS";

  /** The greatest depth: JFR records no deeper stacks, whatever is configured. */
  private static final int MAX_DEPTH = 2048;

  private static final Duration SHORTEST_WATCH = Duration.ofMillis(100);

  public static final String HELP =
      """
      vtdiag agent: records what pins virtual threads.

        java -javaagent:vtdiag.jar[=key=value,...] ...      or in VTDIAG_OPTIONS

        output=FILE       the recording (default vtdiag-%p.jfr; %p process id, %t start time);
                          FOLDER/ for HOST-%p-%t.jfr in it, which is called
                          HOST-%p-%t.jfr.part until it is complete
        threshold=TIME    record pins of at least this length (default 1ms; 0 for all)
        warn=TIME|off     warn of pins of at least this length as they end (default 100ms)
        watch=TIME|off    warn of virtual threads that have waited that long without leaving
                          their carrier, and still do; record them, and those that block
                          in native code for 100 ms (default 500ms)
        wait=TIME         how long the first virtual thread waits until the recording runs, which
                          takes about a second; what came before it is missing, and reports
                          and the gate say so (default 10s; 0 to wait for nothing)
        depth=N           record N frames of each stack, 1 to 2048 (default 512)
        include=PREFIX:.. warn of and sum up only pins with a frame in these packages
        exclude=PREFIX:.. do not warn of or sum up pins whose monitor is held in these packages
        samples=N         record the exact monitors of N pins per second (default 20; 0 for none)
        maxsize=N         keep at most N MB of recording; the oldest data goes first (default 256)
        onhang=MODE       when threads wait for each other, or for carriers that nobody gives
                          back: warn: say so on standard error (default); dump: also write
                          all threads beside the recording; halt:CODE: also end the JVM
                          with that exit code, without its shutdown hooks; off: do not look
        metrics=WHERE     export what the agent sees, as it runs: 9464: OpenMetrics text at
                          http://localhost:9464/metrics; HOST:9464: at that address, also for
                          other machines; jmx: only the JMX bean vtdiag:type=VirtualThreads,
                          which the other values register, too (default off)
        summary=on|off    print a summary to standard error at exit (default on)
        onerror=MODE      continue: run without the agent if it cannot start (default)
                          fail: do not start the program
        rewrite=CLASSES   an experiment, never for production: replace the monitors of these
                          classes with ReentrantLocks as they load, to see what that gains.
                          auto: every class of the application; com.example.*:org.acme.Db:..
                          (! before a name excludes it); concurrenthashmap, alone or after
                          a :, for the bins of that class; @FILE: a JSON report of vtdiag, or
                          a list with one CLASS or CLASS#METHOD per line. If a monitor cannot
                          be replaced and continuing could corrupt data, the program is
                          stopped with exit code 2
        count=METHODS     count how often methods return normally, overloads together:
                          com.example.Orders#place:com.example.Db#query:.. (<init> for
                          constructors); needs count-output
        count-output=FILE where the counts go, ten times a second: one line with the
                          nanoseconds since the agent started and the counts so far, in
                          the order given
        help              print this and exit

      Example: java -javaagent:vtdiag.jar=output=app.jfr,warn=50ms -jar app.jar
      """;

  /** An option that cannot be used; the message says which, and what is allowed. */
  public static final class OptionException extends Exception {
    private static final long serialVersionUID = 1L;

    public OptionException(String message) {
      super(message);
    }
  }

  /**
   * Reads the options.
   *
   * @param environment the environment variable's value, or null
   * @param arguments what follows the agent's jar, or null; it overrides the environment
   */
  public static AgentOptions parse(String environment, String arguments) throws OptionException {
    Map<String, String> values = new LinkedHashMap<>();
    split(environment, values);
    split(arguments, values);
    AgentOptions options =
        new AgentOptions(
            values.getOrDefault("output", "vtdiag-%p.jfr"),
            duration("threshold", values.getOrDefault("threshold", "1ms")),
            durationOrOff("warn", values.getOrDefault("warn", "100ms")),
            durationOrOff("watch", values.getOrDefault("watch", "500ms")),
            duration("wait", values.getOrDefault("wait", "10s")),
            number("depth", values.getOrDefault("depth", "512"), 1, MAX_DEPTH),
            prefixes(values.getOrDefault("include", "")),
            prefixes(values.getOrDefault("exclude", "")),
            number("samples", values.getOrDefault("samples", "20"), 0, 1_000_000),
            number("maxsize", values.getOrDefault("maxsize", "256"), 1, Integer.MAX_VALUE),
            OnHang.parse(values.getOrDefault("onhang", "warn")),
            target(values.getOrDefault("metrics", "off")),
            choice("summary", values.getOrDefault("summary", "on"), "on", "off"),
            choice("onerror", values.getOrDefault("onerror", "continue"), "fail", "continue"),
            scope(values.get("rewrite")),
            methods(values.get("count")),
            Optional.ofNullable(values.get("count-output")),
            values.containsKey("help"));
    if (options.output.isBlank()) {
      throw new OptionException("output needs a file name, such as output=app.jfr");
    }
    if (options.watch.filter(time -> time.compareTo(SHORTEST_WATCH) < 0).isPresent()) {
      throw new OptionException(
          "watch takes a time of 100ms or more, or off: shorter waits are recorded as they end");
    }
    if (options.countOutput.filter(String::isBlank).isPresent()) {
      throw new OptionException("count-output needs a file name, such as count-output=counts.txt");
    }
    if (!options.count.isEmpty() && options.countOutput.isEmpty()) {
      throw new OptionException("count needs a file for the counts: add count-output=counts.txt");
    }
    if (options.count.isEmpty() && options.countOutput.isPresent()) {
      throw new OptionException("count-output needs methods to count: add count=CLASS#METHOD");
    }
    return options;
  }

  /** Returns all options as {@code key=value,...}, defaults included. */
  public String text() {
    String all =
        String.join(
            ",",
            "output=" + output,
            "threshold=" + threshold.toNanos() + "ns",
            "warn=" + warn.map(time -> time.toNanos() + "ns").orElse("off"),
            "watch=" + watch.map(time -> time.toNanos() + "ns").orElse("off"),
            "wait=" + longestWait.toNanos() + "ns",
            "depth=" + depth,
            "include=" + String.join(":", include),
            "exclude=" + String.join(":", exclude),
            "samples=" + samples,
            "maxsize=" + maxSizeMegabytes,
            "onhang=" + onHang.text(),
            "summary=" + (summary ? "on" : "off"),
            "onerror=" + (failOnError ? "fail" : "continue"));
    String methods = count.stream().map(CountedMethod::toString).collect(Collectors.joining(":"));
    return all
        + (metrics.isPresent() ? ",metrics=" + metrics.get().text() : "")
        + rewrite.map(scope -> ",rewrite=" + scope.text()).orElse("")
        + countOutput.map(file -> ",count=" + methods + ",count-output=" + file).orElse("");
  }

  private static final List<String> KEYS =
      List.of(
          "output",
          "threshold",
          "warn",
          "watch",
          "wait",
          "depth",
          "include",
          "exclude",
          "samples",
          "maxsize",
          "onhang",
          "metrics",
          "summary",
          "onerror",
          "rewrite",
          "count",
          "count-output",
          "help");

  private static void split(String text, Map<String, String> values) throws OptionException {
    if (text == null || text.isBlank()) {
      return;
    }
    for (String option : text.split(",", -1)) {
      int equals = option.indexOf('=');
      String key = (equals < 0 ? option : option.substring(0, equals)).strip();
      if (!KEYS.contains(key)) {
        throw new OptionException(
            "unknown option '" + key + "'; known options: " + String.join(", ", KEYS));
      }
      if (equals < 0 && !key.equals("help")) {
        throw new OptionException("option '" + key + "' needs a value: " + key + "=...");
      }
      values.put(key, option.substring(equals + 1).strip());
    }
  }

  private static Duration duration(String key, String text) throws OptionException {
    OptionalLong nanos = Figures.findDuration(text);
    if (nanos.isEmpty()) {
      throw new OptionException(
          key + " takes a time with its unit, such as 20ms or 1.5s, not '" + text + "'");
    }
    return Duration.ofNanos(nanos.getAsLong());
  }

  private static Optional<Duration> durationOrOff(String key, String text) throws OptionException {
    return text.equals("off") ? Optional.empty() : Optional.of(duration(key, text));
  }

  private static int number(String key, String text, int min, int max) throws OptionException {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the limits.
    }
    throw new OptionException(
        key + " takes a whole number from " + min + " to " + max + ", not '" + text + "'");
  }

  private static Optional<ReadAt> target(String text) throws OptionException {
    if (text.equals("off")) {
      return Optional.empty();
    }
    Optional<ReadAt> target = ReadAt.parse(text);
    if (target.isEmpty()) {
      throw new OptionException(
          "metrics takes a port such as 9464, HOST:PORT, jmx or off, not '" + text + "'");
    }
    return target;
  }

  private static boolean choice(String key, String text, String yes, String no)
      throws OptionException {
    if (text.equals(yes) || text.equals(no)) {
      return text.equals(yes);
    }
    throw new OptionException(key + " takes " + yes + " or " + no + ", not '" + text + "'");
  }

  private static Optional<RewriteScope> scope(String text) throws OptionException {
    try {
      return Optional.ofNullable(text).map(RewriteScope::parse);
    } catch (IllegalArgumentException e) {
      throw new OptionException(e.getMessage());
    }
  }

  private static List<CountedMethod> methods(String text) throws OptionException {
    List<CountedMethod> methods = new ArrayList<>();
    for (String method : text == null ? new String[0] : text.split(":", -1)) {
      try {
        methods.add(CountedMethod.parse(method.strip()));
      } catch (IllegalArgumentException e) {
        throw new OptionException(e.getMessage());
      }
    }
    if (Set.copyOf(methods).size() < methods.size()) {
      throw new OptionException("count names a method twice: '" + text + "'");
    }
    return methods;
  }

  private static List<String> prefixes(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(":"));
  }
}
