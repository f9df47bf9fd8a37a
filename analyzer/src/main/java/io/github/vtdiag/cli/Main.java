package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.WholeFile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code vtdiag} command. */
@Command(
    name = "vtdiag",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Finds the monitor behind every pinned virtual thread, and says what it costs.",
    footer = {
      "",
      "Exit codes: 0 fine or PASS, 1 gate FAIL or a hang, 2 wrong usage, 3 bad input, 4 NO_DATA, 70"
          + " a fault of vtdiag.",
      "",
      "Example:",
      "  vtdiag analyze app.jfr --classpath app.jar"
    })
public final class Main implements Runnable {
  private static final String TUTORIAL =
      """
      vtdiag finds the monitor behind every pinned virtual thread, and says what it costs.

      Record your application (Java 21 or later); the recording is written when it ends:
        vtdiag run -- -jar app.jar

      See what held the carriers:
        vtdiag analyze app.jfr --classpath app.jar

      See what to do about it:
        vtdiag advise app.jfr --classpath app.jar --sources src/main/java

      See all of it on a page, with flame graphs and a timeline:
        vtdiag report app.jfr --classpath app.jar --open

      Get that as a patch of your sources:
        vtdiag patch app.jfr --classpath app.jar --sources src/main/java -o locks.patch

      Fail a build on it:
        vtdiag gate app.jfr --max-pin 50ms

      Say what has changed from one run to another:
        vtdiag diff before.jfr after.jfr

      See why a program stands still, while it does:
        vtdiag hang PID

      See what its carriers do, second by second:
        vtdiag top PID

      Ask the recordings of many services:
        vtdiag fleet add recordings --lake lake, then vtdiag fleet report lake

      Measure what a change brings:
        vtdiag compare --http http://localhost:8080/ --jdk-after /opt/jdk-25 -- -jar app.jar

      See which monitors could pin, before anything runs:
        vtdiag scan app.jar

      Nothing to record yet? A sample with a real library:
        vtdiag demo

      vtdiag help lists all commands; vtdiag help COMMAND explains one.
      """;

  /** The commands, made on demand: building all of them takes longer than most of them run. */
  private static final Map<String, Function<Console, Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("analyze", AnalyzeCommand::new);
    COMMANDS.put("advise", AdviseCommand::new);
    COMMANDS.put("report", ReportCommand::new);
    COMMANDS.put("patch", PatchCommand::new);
    COMMANDS.put("gate", GateCommand::new);
    COMMANDS.put("baseline", BaselineCommand::new);
    COMMANDS.put("diff", DiffCommand::new);
    COMMANDS.put("scan", ScanCommand::new);
    COMMANDS.put("rank", RankCommand::new);
    COMMANDS.put("hang", HangCommand::new);
    COMMANDS.put("top", TopCommand::new);
    COMMANDS.put("ps", PsCommand::new);
    COMMANDS.put("mcp", McpCommand::new);
    COMMANDS.put("fleet", FleetCommand::new);
    COMMANDS.put("attach", AttachCommand::new);
    COMMANDS.put("detach", DetachCommand::new);
    COMMANDS.put("run", RunCommand::new);
    COMMANDS.put("compare", CompareCommand::new);
    COMMANDS.put("demo", DemoCommand::new);
    COMMANDS.put("agent-jar", AgentJarCommand::new);
    COMMANDS.put("completion", CompletionCommand::new);
    COMMANDS.put("help", HelpCommand::new);
    COMMANDS.put("warm-up", WarmUpCommand::new);
    COMMANDS.put("man-pages", ManPagesCommand::new);
  }

  private final Console console;

  private Main(Console console) {
    this.console = console;
  }

  public static void main(String[] args) {
    Console console = Console.ofProcess();
    int code = run(console, args);
    String lost = lostOutput();
    if (!lost.isEmpty()) {
      console.warn("standard output: " + lost);
      code = code == Exit.OK ? Exit.BAD_INPUT : code;
    }
    System.exit(code);
  }

  /**
   * Returns why standard output did not take everything; empty if it did, or if its reader left, as
   * {@code head} does. A print stream keeps no exception, so one more byte asks for it.
   */
  private static String lostOutput() {
    if (!System.out.checkError()) {
      return "";
    }
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write('\n');
      return "some of it could not be written";
    } catch (IOException e) {
      String reason = WholeFile.reason(e);
      return reason.toLowerCase(Locale.ROOT).contains("pipe") ? "" : reason;
    }
  }

  static int run(Console console, String... args) {
    return run(console, needed(args), args);
  }

  /** Returns the commands to describe, which takes half a second for all of them. */
  private static Map<String, Function<Console, Object>> needed(String... args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      return Map.of();
    }
    return args.length == 0 || !knows(args[0]) ? COMMANDS : Map.of(args[0], COMMANDS.get(args[0]));
  }

  /** Runs the commands that are given, so that a program beside vtdiag behaves like vtdiag. */
  static int run(Console console, Map<String, Function<Console, Object>> commands, String... args) {
    try {
      CommandLine line = commandLine(console, commands);
      if (ShortHelp.asksForAll(line, args)) {
        return line.execute(Arrays.copyOf(args, args.length - 1));
      }
      ShortHelp.shorten(line);
      return line.execute(args);
    } catch (RuntimeException | Error e) {
      return internalError(console, e);
    }
  }

  static boolean knows(String command) {
    return COMMANDS.containsKey(command);
  }

  /** Returns the command line with all commands. */
  static CommandLine commandLine(Console console) {
    return commandLine(console, COMMANDS);
  }

  private static CommandLine commandLine(
      Console console, Map<String, Function<Console, Object>> commands) {
    CommandLine line = new CommandLine(new Main(console));
    commands.forEach(
        (name, command) -> {
          Object object = command.apply(console);
          CommandSpec spec = CommandSpec.forAnnotatedObject(object);
          if (object instanceof FleetCommand fleet) {
            fleet.addCommands(spec);
          }
          if (object instanceof GateCommand) {
            GateCommand.addLimits(spec);
          }
          line.addSubcommand(name, spec);
        });
    line.setOut(new PrintWriter(console.out(), true, console.out().charset()));
    line.setErr(new PrintWriter(console.err(), true, console.err().charset()));
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.style().colour() ? Ansi.ON : Ansi.OFF));
    line.getCommandSpec().usageMessage().commandListHeading("");
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandList::text);
    line.setUsageHelpWidth(Math.clamp(console.style().width(), 80, 100));
    line.setParameterExceptionHandler((e, arguments) -> wrongUsage(console, e));
    line.setExecutionExceptionHandler((e, at, parsed) -> failed(console, e));
    return line;
  }

  @Override
  public void run() {
    console.out().print(TUTORIAL);
  }

  private static int wrongUsage(Console console, ParameterException e) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    String message = e.getMessage();
    if (e instanceof UnmatchedArgumentException unmatched) {
      String argument = unmatched.getUnmatched().getFirst();
      message =
          unmatched.isUnknownOption()
              ? "unknown option " + argument
              : command.equals("vtdiag")
                  ? "unknown command " + argument
                  : "unexpected argument " + argument;
      if (command.equals("vtdiag") && argument.equals("sample")) {
        // Older versions had the command, and articles may name it.
        message += ": the experiments run from a checkout of vtdiag, as ./vtdiag sample";
      } else if (!unmatched.getSuggestions().isEmpty()) {
        message += " (did you mean " + unmatched.getSuggestions().getFirst() + "?)";
      }
    }
    console.warn(message.replace('\n', ' ') + "; see " + command + " --help");
    return Exit.USAGE;
  }

  private static int failed(Console console, Exception e) {
    if (e instanceof DataException data) {
      console.warn(data.getMessage());
      data.quoted().forEach(line -> console.say("  " + line));
      return Exit.BAD_INPUT;
    }
    return internalError(console, e);
  }

  private static int internalError(Console console, Throwable e) {
    console.warn("internal error; please report it with this trace");
    console.trace(e);
    return Exit.INTERNAL;
  }
}
