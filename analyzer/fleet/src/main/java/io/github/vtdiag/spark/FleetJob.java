package io.github.vtdiag.spark;

import io.github.vtdiag.model.Printable;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main class for {@code spark-submit}. Its exit codes are those of the command line. */
@Command(
    name = "FleetJob",
    mixinStandardHelpOptions = true,
    subcommands = {AddJob.class, CompactJob.class, ReportJob.class, GateJob.class, SqlJob.class},
    description =
        "Adds recordings to a lake on the machines of a Spark cluster, and asks it. Paths are those"
            + " of Hadoop, such as hdfs:///lake, s3a://bucket/lake or file:///srv/lake.",
    footer = {
      "",
      "Exit codes: 0 fine or PASS, 1 FAIL, 2 wrong usage, 3 bad input, 4 NO_DATA.",
      "",
      "Example:",
      "  spark-submit --class io.github.vtdiag.spark.FleetJob vtdiag-fleet.jar report hdfs:///lake"
    })
public final class FleetJob implements Callable<Integer> {
  static final int OK = 0;
  static final int FAIL = 1;
  private static final int WRONG_USAGE = 2;
  static final int BAD_INPUT = 3;
  static final int NO_DATA = 4;

  @Spec private CommandSpec spec;

  private FleetJob() {}

  public static void main(String[] arguments) {
    CommandLine line = new CommandLine(new FleetJob());
    line.setParameterExceptionHandler((e, all) -> refuse(e));
    int code = line.execute(arguments);
    System.out.flush();
    if (code != OK) {
      System.exit(code);
    }
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "name what to do: add, compact, report, gate or sql");
  }

  private static int refuse(ParameterException e) {
    say(
        "%s; see %s --help"
            .formatted(
                e.getMessage().replace('\n', ' '),
                e.getCommandLine().getCommandSpec().qualifiedName()));
    return WRONG_USAGE;
  }

  /** Prints a line for the user, whatever names are in it. */
  static void say(String sentence) {
    System.err.println("vtdiag: " + Printable.text(sentence));
  }

  /** Prints a part of the result. */
  static void print(String text) {
    System.out.print(text);
  }
}
