package io.github.vtdiag.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program took of the processors, user and system time together. Unlike its duration, that
 * hardly depends on what else the machine does.
 *
 * @param cut whether it was ended because it took as much as it was allowed to
 */
public record ProcessorTime(double seconds, boolean cut, Forked run) {
  /** What a shell says of a program that the limit on its processor time ended: 128 + SIGKILL. */
  private static final int KILLED = 137;

  /**
   * A shell knows what its child took once that has ended, and every system has one. Nobody else
   * can ask in time: a process that has ended tells nothing.
   */
  private static final String SCRIPT =
      "times=$1; ulimit -t $2; shift 2; \"$@\"; status=$?; times >\"$times\"; exit $status";

  /** The second line of {@code times}: user and system time of the children. */
  private static final Pattern CHILDREN =
      Pattern.compile("\\R(\\d+)m([\\d.]+)s +(\\d+)m([\\d.]+)s");

  /**
   * Runs a command.
   *
   * @param maxSeconds the processor time beyond which it is ended
   */
  public static ProcessorTime of(
      Path folder, Map<String, String> environment, int maxSeconds, List<String> command)
      throws IOException, InterruptedException {
    Path times = Files.createTempFile(folder, "times", ".txt");
    List<String> shell = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", times.toString()));
    shell.add(Integer.toString(maxSeconds));
    shell.addAll(command);
    Map<String, String> all = new HashMap<>(environment);
    all.put("LC_ALL", "C"); // The decimal point.
    Forked run = Forked.run(folder, all, shell);
    String text = Files.readString(times);
    Files.delete(times);
    Matcher children = CHILDREN.matcher(text);
    if (!children.find()) {
      throw new IllegalStateException("no times in '" + text + "': " + run);
    }
    double seconds =
        60.0 * (Integer.parseInt(children.group(1)) + Integer.parseInt(children.group(3)))
            + Double.parseDouble(children.group(2))
            + Double.parseDouble(children.group(4));
    return new ProcessorTime(seconds, run.exitCode() == KILLED, run);
  }
}
