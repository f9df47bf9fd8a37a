package io.github.vtdiag.cli;

import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.live.Top;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.TopText;
import io.github.vtdiag.report.format.TopView;
import io.github.vtdiag.report.json.TopJson;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag top}. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Shows a running JVM: the virtual thread on each carrier and for how long, the queue of"
            + " virtual threads, and what held carriers in the last seconds. Loads no agent; shows"
            + " more if vtdiag's agent is there.",
    footer = {
      "",
      "Keys: q quit, space pause, s sort, / filter, up and down, h help.",
      "",
      "Exit codes: 0 fine, also if the JVM ends; 2 wrong usage; 3 cannot be asked.",
      "",
      "Example:",
      "  vtdiag top 12345",
      "  vtdiag top 12345 --json | jq .queued"
    })
final class TopCommand implements Callable<Integer> {
  private static final long MILLI = 1_000_000;
  private static final long SHORTEST_INTERVAL = 100 * MILLI;
  private static final long READ_MILLIS = 100;
  private static final int LONGEST_SECONDS = 600;
  private static final int SECONDS = 10;
  private static final int SECONDS_ONCE = 3;

  /** The time to wait for a flush: JFR writes its data once a second. */
  private static final Duration FLUSH = Duration.ofSeconds(3);

  /** The time to wait for an end: a JVM runs its shutdown hooks before it is gone. */
  private static final Duration ENDING = Duration.ofSeconds(3);

  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "PID", description = "The process id of a JVM of Java 21 or later.")
  String pid;

  @Option(names = "--once", description = "Watch for --seconds, print what was seen, and end.")
  boolean once;

  @Option(
      names = "--json",
      description =
          "Print a line of JSON each --interval, or one with --once; docs/json-schema.md describes"
              + " the members.")
  boolean json;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      defaultValue = "1s",
      description = "How long to wait between two samples (default: 1s; at least 100ms).")
  long interval;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How many seconds to cover (default: 10; with --once: 3; at most 600).")
  Integer seconds;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      defaultValue = "15s",
      description = "How long the JVM may take to answer (default: 15s).")
  long timeout;

  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description =
          "The jars, directories and lib/* that run, to find monitors in their bytecode (default:"
              + " what the JVM says, as far as it can be read).")
  List<String> classPath = List.of();

  @Option(names = "--no-color", description = "No colours; NO_COLOR does the same.")
  boolean noColor;

  TopCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    Duration window = window();
    if (interval < SHORTEST_INTERVAL) {
      throw new ParameterException(spec.commandLine(), "--interval must be 100ms or more");
    }
    long process = pid();
    if (!once && !json && !TopScreen.isPossible(console)) {
      RunningJvm.check(process);
      throw new ParameterException(
          spec.commandLine(),
          "there is no terminal to draw on; add --once for one look, or --json for a line each"
              + " second");
    }
    try (Top top = Top.at(process, Duration.ofNanos(timeout), window, classPath)) {
      // At a signal the recording has to end before the process does.
      Thread atExit = new Thread(top::close, "vtdiag-close");
      Runtime.getRuntime().addShutdownHook(atExit);
      if (once) {
        once(top, window);
        return Exit.OK;
      }
      return json ? lines(top) : screen(top);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    } catch (IllegalStateException e) {
      if (isKilled()) {
        return Exit.OK;
      }
      throw e;
    }
  }

  /**
   * Returns whether this JVM is ending by a signal. Its shutdown hooks then close the recording,
   * and JLine's the terminal, both of which may be in use.
   */
  static boolean isKilled() {
    try {
      Runtime.getRuntime().removeShutdownHook(new Thread());
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private Duration window() {
    int given = seconds == null ? once ? SECONDS_ONCE : SECONDS : seconds;
    if (given < 1 || given > LONGEST_SECONDS) {
      throw new ParameterException(spec.commandLine(), "--seconds must be 1 to 600");
    }
    return Duration.ofSeconds(given);
  }

  private long pid() throws DataException {
    if (!ProcessId.isNumber(pid)) {
      throw new ParameterException(
          spec.commandLine(), "'" + pid + "' is not a process id; vtdiag ps lists the JVMs");
    }
    return ProcessId.parse(pid);
  }

  private void once(Top top, Duration window) throws DataException, InterruptedException {
    long begin = System.nanoTime();
    top.look();
    while (System.nanoTime() - begin < window.toNanos()) {
      Thread.sleep(
          Math.clamp(
              (window.toNanos() - (System.nanoTime() - begin)) / MILLI, 1L, interval / MILLI));
      top.look();
    }
    // The data recorded until then comes with the next flush.
    long flushed = System.nanoTime();
    while (!top.read() && System.nanoTime() - flushed < FLUSH.toNanos()) {
      Thread.sleep(50);
    }
    TopSample moment = top.moment();
    if (json) {
      print(TopJson.line(moment));
      return;
    }
    Style style = style();
    int width = style.width() == 0 ? 100 : style.width();
    print(
        TopText.text(
            moment, new TopView(width, 0, TopView.Sort.NUMBER, 0, "", canDraw(console)), style));
  }

  /** Prints lines until the JVM ends, or nobody reads them any more. */
  private int lines(Top top) throws DataException, InterruptedException {
    long next = System.nanoTime();
    try {
      top.look();
      while (!console.out().checkError()) {
        next += interval;
        long wait = next - System.nanoTime();
        // New data is read at once: that takes a while, and the next line has it.
        for (; wait > 0; wait = next - System.nanoTime()) {
          top.read();
          Thread.sleep(Math.clamp((next - System.nanoTime()) / MILLI, 0, READ_MILLIS));
        }
        top.read();
        print(TopJson.line(top.look()));
      }
      return Exit.OK;
    } catch (DataException e) {
      return ended(top, e);
    }
  }

  private int screen(Top top) throws DataException {
    DataException ending;
    try (TopScreen screen =
        new TopScreen(console.style().colour() && !noColor, console.out().charset())) {
      if (screen.show(top, interval)) {
        return Exit.OK;
      }
      ending = screen.ending();
    } catch (IOException e) {
      if (isKilled()) {
        return Exit.OK;
      }
      throw new DataException(
          "the terminal cannot be drawn on; add --once for one look, or --json for a line each"
              + " second",
          e);
    }
    // The terminal is restored by now.
    return ended(top, ending);
  }

  /** Returns the result of a JVM that was watched to its end. */
  private int ended(Top top, DataException e) throws DataException {
    long process = top.target().pid();
    long begin = System.nanoTime();
    // A JVM that is about to end does not answer any more.
    while (!RunningJvm.hasEnded(process)) {
      if (System.nanoTime() - begin > ENDING.toNanos()) {
        throw e;
      }
      LockSupport.parkNanos(50 * MILLI);
    }
    console.warn("process " + process + " has ended");
    return Exit.OK;
  }

  private Style style() {
    return new Style(console.style().colour() && !noColor, console.style().width());
  }

  static boolean canDraw(Console console) {
    return console.out().charset().newEncoder().canEncode('█');
  }

  private void print(String text) {
    console.out().print(text);
    console.out().flush();
  }
}
