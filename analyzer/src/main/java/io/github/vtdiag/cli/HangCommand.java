package io.github.vtdiag.cli;

import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.dump.HeapDump;
import io.github.vtdiag.dump.Jvm;
import io.github.vtdiag.dump.LiveSnapshots;
import io.github.vtdiag.dump.SavedSnapshots;
import io.github.vtdiag.dump.SnapshotReader;
import io.github.vtdiag.dump.SnapshotReader.SnapshotInput;
import io.github.vtdiag.dump.TargetClasses;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
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

/** {@code vtdiag hang}. */
@Command(
    name = "hang",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Says why a JVM stands still: a deadlock, pinned or busy carriers, many threads at one"
            + " pool or lock, or nothing. Takes two snapshots of all threads; loads no agent"
            + " unless you ask for it.",
    footer = {
      "",
      "Exit codes: 0 no hang, 1 hang, 2 wrong usage, 3 the JVM cannot be asked, 4 unknown.",
      "",
      "Example:",
      "  vtdiag hang 12345",
      "  jcmd 12345 Thread.dump_to_file -format=json a.json; vtdiag hang a.json"
    })
final class HangCommand implements Callable<Integer> {
  private static final int MOST_LOOKS = 5;

  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "TARGET",
      arity = "1..2",
      description =
          "The process id of a JVM; or one or two dumps of it, the earlier first, made with jcmd"
              + " PID Thread.dump_to_file -format=json FILE (also in gzip; - reads standard input);"
              + " or a folder made with --dump; or a heap dump (HPROF), which is one snapshot.")
  List<String> targets = List.of();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      defaultValue = "1s",
      description = "How long to wait between the two snapshots (default: 1s).")
  long interval;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      defaultValue = "15s",
      description = "How long the JVM may take to answer (default: 15s).")
  long timeout;

  @Option(
      names = "--dump",
      paramLabel = "FOLDER",
      description = "Save the thread dumps in FOLDER, which is created.")
  Path dump;

  @Option(
      names = "--inside",
      description =
          "Take the snapshots inside the JVM, which also shows the owners of ReentrantLocks. Loads"
              + " vtdiag's agent and removes it at once; the JVM prints a warning of four lines on"
              + " its standard error.")
  boolean inside;

  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description =
          "The jars, directories and lib/* that run, to name the monitors that are held, which"
              + " dumps of Java 21 to 24 do not (default: what the JVM says, as far as it can be"
              + " read).")
  List<String> classPath = List.of();

  @Mixin private OutputOptions output;

  HangCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    output.format();
    boolean live = isProcess(targets.getFirst());
    if (inside && !live) {
      throw new ParameterException(spec.commandLine(), "--inside looks into a process");
    }
    HangAnswer answer = live ? running() : dumped();
    boolean mayTellMore =
        live && !inside && answer.outcome() == HangAnswer.Outcome.NOT_KNOWN && answer.isOpen();
    output.write(
        console,
        new Report.Hung(
            live ? "process " + targets.getFirst() : String.join(" ", targets),
            answer,
            output.detail(),
            mayTellMore && !output.quiet
                ? List.of("vtdiag hang --inside " + targets.getFirst())
                : List.of()));
    return switch (answer.outcome()) {
      case FINE -> Exit.OK;
      case HANGS -> Exit.FAIL;
      case NOT_KNOWN -> Exit.NO_DATA;
    };
  }

  private static boolean isProcess(String target) {
    return target.matches("\\d+");
  }

  private HangAnswer running() throws DataException {
    if (targets.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          isProcess(targets.getLast()) ? "name one process" : "name a process or dumps, not both");
    }
    Path folder = folder();
    try (LiveSnapshots live =
        LiveSnapshots.at(ProcessId.parse(targets.getFirst()), Duration.ofNanos(timeout), folder)) {
      return (inside ? fromInside(live) : fromOutside(live)).with(live.agentSays());
    } finally {
      if (dump == null) {
        LiveSnapshots.delete(folder);
      }
    }
  }

  private HangAnswer fromInside(LiveSnapshots live) throws DataException {
    List<SnapshotInput> looks = live.fromInside(AgentJar.inCache(), Duration.ofNanos(interval));
    if (looks.size() < 2) {
      try {
        return fromOutside(live);
      } catch (DataException e) {
        // A dump is refused if the first virtual threads were started meanwhile.
        looks = live.fromInside(AgentJar.inCache(), Duration.ofNanos(interval));
        if (looks.size() < 2) {
          throw e;
        }
      }
    }
    return answered(looks, live);
  }

  private HangAnswer answered(List<SnapshotInput> looks, LiveSnapshots live) throws DataException {
    output.note(console, "looked from inside");
    try (TargetClasses classes = classes(live)) {
      return answer(
          classes,
          looks.getFirst(),
          looks.get(1),
          number -> number <= looks.size() ? Optional.of(looks.get(number - 1)) : Optional.empty());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // It has all of them.
    }
  }

  private TargetClasses classes(LiveSnapshots live) throws DataException {
    return classPath.isEmpty() ? live.classes() : TargetClasses.named(classPath);
  }

  private HangAnswer fromOutside(LiveSnapshots live) throws DataException {
    try {
      SnapshotInput first = live.look(1);
      output.note(console, "looked once");
      Thread.sleep(Duration.ofNanos(interval));
      SnapshotInput second = live.look(2);
      output.note(console, "looked twice");
      try (TargetClasses classes = classes(live)) {
        return answer(
            classes,
            first,
            second,
            number -> {
              Thread.sleep(Duration.ofNanos(interval / 4));
              return Optional.of(live.look(number));
            });
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
  }

  /** The source of one more snapshot, if there is one. */
  private interface More {
    Optional<SnapshotInput> look(int number) throws DataException, InterruptedException;
  }

  /**
   * Returns the answer, once it is settled. A dump reads threads one after the other, so threads
   * that alternate can seem to wait in a circle. Now and then the JVM also gives a virtual thread
   * the stack of its carrier. One more snapshot settles it.
   */
  private static HangAnswer answer(
      TargetClasses classes, SnapshotInput first, SnapshotInput second, More more)
      throws DataException, InterruptedException {
    HangAnswer answer = HangAnswer.of(new SnapshotReader(classes::find).read(first, second));
    SnapshotInput last = second;
    for (int number = 3; number <= MOST_LOOKS; number++) {
      if (answer.outcome() == HangAnswer.Outcome.FINE) {
        return answer;
      }
      Optional<SnapshotInput> next = more.look(number);
      if (next.isEmpty()) {
        return answer;
      }
      HangAnswer again = HangAnswer.of(new SnapshotReader(classes::find).read(last, next.get()));
      if (answer.outcome() == HangAnswer.Outcome.HANGS && again.outcome() == answer.outcome()) {
        return answer;
      }
      answer = again;
      last = next.get();
    }
    return answer;
  }

  private Path folder() throws DataException {
    try {
      return dump == null
          ? Files.createTempDirectory("vtdiag-hang")
          : Files.createDirectories(dump);
    } catch (IOException e) {
      throw new DataException(
          (dump == null ? "the folder for temporary files" : dump)
              + " cannot be written; name another folder with --dump",
          e);
    }
  }

  private HangAnswer dumped() throws DataException {
    if (targets.size() == 2 && isProcess(targets.get(1))) {
      throw new ParameterException(spec.commandLine(), "name a process or dumps, not both");
    }
    if (dump != null) {
      throw new ParameterException(spec.commandLine(), "--dump keeps what is read of a process");
    }
    Path only = path(targets.getFirst());
    if (targets.size() == 1 && Files.isDirectory(only)) {
      SavedSnapshots kept = new SavedSnapshots(only);
      SnapshotInput first = kept.read(1);
      SnapshotInput second = kept.read(2);
      try (TargetClasses classes =
          classPath.isEmpty()
              ? TargetClasses.of(second.jvm(), path -> path)
              : TargetClasses.named(classPath)) {
        return answer(
            classes,
            first,
            second,
            number -> kept.has(number) ? Optional.of(kept.read(number)) : Optional.empty());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e); // Saved snapshots need no wait.
      }
    }
    if (targets.stream().anyMatch(HangCommand::isHeapDump)) {
      return heap();
    }
    try (TargetClasses classes = TargetClasses.named(classPath)) {
      SnapshotReader reader = new SnapshotReader(classes::find);
      return HangAnswer.of(
          targets.size() == 1
              ? reader.read(look(targets.getFirst()))
              : reader.read(look(targets.getFirst()), look(targets.getLast())));
    }
  }

  private static boolean isHeapDump(String target) {
    return !target.equals(Input.STANDARD_INPUT) && HeapDump.is(Path.of(target));
  }

  private HangAnswer heap() throws DataException {
    if (targets.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "a heap dump is read alone: objects have other numbers in another one");
    }
    try (TargetClasses classes = TargetClasses.named(classPath);
        HeapDump heap = HeapDump.open(path(targets.getFirst()), targets.getFirst())) {
      return HangAnswer.of(new SnapshotReader(classes::find).read(heap));
    }
  }

  private static SnapshotInput look(String target) throws DataException {
    if (target.equals(Input.STANDARD_INPUT)) {
      return new SnapshotInput("standard input", () -> System.in, "", Jvm.NOT_KNOWN);
    }
    Path file = path(target);
    if (!Files.exists(file)) {
      throw new DataException(target + " does not exist; name a process id or a thread dump");
    }
    if (Files.isDirectory(file)) {
      throw new DataException(target + " is a folder; name a thread dump");
    }
    return new SnapshotInput(target, () -> Files.newInputStream(file), "", Jvm.NOT_KNOWN);
  }

  private static Path path(String target) throws DataException {
    try {
      return Path.of(target);
    } catch (InvalidPathException e) {
      throw new DataException(target + " is neither a process id nor a path", e);
    }
  }
}
