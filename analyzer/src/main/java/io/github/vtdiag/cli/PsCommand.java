package io.github.vtdiag.cli;

import io.github.vtdiag.attach.RunningJvms;
import io.github.vtdiag.attach.SeenJvm;
import io.github.vtdiag.dump.ThreadCount;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code vtdiag ps}. */
@Command(
    name = "ps",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Lists the JVMs of this user: Java version, virtual threads, vtdiag's agent. Does not"
            + " attach to them unless --count is given.",
    footer = {"", "Example:", "  vtdiag ps", "  vtdiag ps --count --json"})
final class PsCommand implements Callable<Integer> {
  private static final int VIRTUAL_THREADS = 21;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Console console;

  @Option(
      names = "--count",
      description =
          "Ask each JVM of Java 21 or later for its virtual threads, as jcmd would: it prints"
              + " nothing, and starts a thread to answer.")
  boolean count;

  @Parameters(
      paramLabel = "PID",
      arity = "0..*",
      description = "Only these (default: all that this user sees).")
  List<String> pids = List.of();

  @Mixin private OutputOptions output;

  PsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    output.format();
    List<SeenJvm> jvms = new ArrayList<>(RunningJvms.list());
    if (!pids.isEmpty()) {
      jvms.removeIf(jvm -> !pids.contains(Long.toString(jvm.pid())));
    }
    if (count) {
      jvms.replaceAll(this::counted);
    }
    output.write(console, new Report.Jvms(jvms));
    return Exit.OK;
  }

  private SeenJvm counted(SeenJvm jvm) {
    if (!jvm.java().isEmpty() && RunningJvms.feature(jvm.java()) < VIRTUAL_THREADS) {
      return jvm;
    }
    try {
      return jvm.with(ThreadCount.virtualThreads(jvm.pid(), PATIENCE));
    } catch (DataException e) {
      if (!output.quiet) {
        console.warn(e.getMessage());
      }
      return jvm;
    }
  }
}
