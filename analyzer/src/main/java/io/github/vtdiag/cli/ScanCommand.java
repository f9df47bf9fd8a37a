package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.ScanDocument;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.scan.MonitorScanner;
import io.github.vtdiag.scan.Scan;
import io.github.vtdiag.scan.ScanVsRecording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code vtdiag scan}. */
@Command(
    name = "scan",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Lists the monitors of a program that a thread can hold while it waits, from its class"
            + " files alone: nothing is run.",
    footer = {
      "",
      "Example:",
      "  vtdiag scan target/classes --classpath 'lib/*'",
      "  vtdiag scan driver.jar --json | jq '.monitors[0]'",
      "  vtdiag scan app.jar --recording app.jfr"
    })
final class ScanCommand implements Callable<Integer> {
  private static final String RECORDING = "app.jfr";

  private final Console console;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "1..*",
      description =
          "What to scan: jars, wars, folders of classes, or a pom.xml that was built (its"
              + " target/classes and dependencies).")
  List<String> programs = List.of();

  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description = "The libraries it runs with: jars, folders and lib/*. They are scanned too.")
  List<String> classPath = List.of();

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "The JDK it runs on, if it is not the one that runs vtdiag.")
  Path jdk;

  @Option(
      names = "--recording",
      paramLabel = "FILE",
      description =
          "A recording of the program, as vtdiag analyze reads it; repeatable. Marks what was seen,"
              + " and names what was seen but not found.")
  List<String> recordings = List.of();

  @Option(names = "--all", description = "List all, not only the first 20.")
  boolean all;

  @Mixin private OutputOptions output;

  ScanCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    List<Path> read = new ArrayList<>(InputOptions.paths(recordings));
    for (String each : programs) {
      read.add(existing(each));
    }
    output.check(read);
    List<String> path = new ArrayList<>();
    for (String program : programs) {
      path.addAll(BuiltProject.classPath(program, console::warn));
    }
    path.addAll(classPath);
    Optional<Path> home = Optional.ofNullable(jdk);
    String java = home.isPresent() ? version(home.get()) : System.getProperty("java.version");
    JdkClasses jdkClasses = home.isPresent() ? JdkClasses.at(home.get()) : JdkClasses.running();
    Optional<Findings> recorded =
        recordings.isEmpty()
            ? Optional.empty()
            : Optional.of(
                InputOptions.findings(
                    new Pipeline(path, home), recordings, TimeRange.ALL, console, output));
    OwnCode own = OwnCode.UNTOLD.startedAs(recorded.map(Findings::launches).orElse(List.of()));
    try (Program program =
        Program.readWithCalls(ClassPathBytes.open(path, feature(java), own), jdkClasses)) {
      if (program.classNames().isEmpty()) {
        throw nothing(program);
      }
      output.note(console, "read " + program.classNames().size() + " classes");
      Scan scan = MonitorScanner.scan(program);
      Optional<ScanVsRecording> meeting = Optional.empty();
      if (recorded.isPresent()) {
        meeting =
            Optional.of(
                ScanVsRecording.of(
                    scan,
                    recorded.get(),
                    name -> program.hierarchy().type(name.replace('.', '/')).isPresent()));
      }
      int most = all || output.format().isComplete() ? Integer.MAX_VALUE : ScanDocument.MOST;
      output.write(
          console,
          new Report.Scanned(
              programs,
              "Java " + java,
              scan,
              decisions(program, scan, most),
              meeting,
              most,
              output.quiet ? List.of() : next(meeting)));
    }
    return Exit.OK;
  }

  private DataException nothing(Program program) {
    String named = String.join(" ", programs);
    return new DataException(
        program.unread().isEmpty()
            ? named + " has no classes; name a jar, a folder of class files or a pom.xml"
            : "none of the classes in "
                + named
                + " can be read: "
                + program.unread().getFirst().text());
  }

  /**
   * Returns the decisions on the user's own code, which is what can be rewritten, as far as it is
   * listed.
   */
  private static Map<MonitorId, Decision> decisions(Program program, Scan scan, int most) {
    LockSafety ladder = new LockSafety(program);
    Map<MonitorId, Decision> decisions = new HashMap<>();
    scan.monitors().stream()
        .limit(most)
        .filter(monitor -> monitor.owner() instanceof Owner.Application)
        .forEach(monitor -> decisions.put(monitor.site().id(), ladder.decide(monitor.site())));
    return decisions;
  }

  private List<String> next(Optional<ScanVsRecording> meeting) {
    return meeting.isPresent()
        ? List.of(
            NextCommand.of("advise", recordings)
                .withOptions(
                    programs.stream().flatMap(each -> Stream.of("--classpath", each)).toList())
                .text())
        : startedJar()
            .map(
                jar ->
                    List.of(
                        NextCommand.of("run", List.of())
                            .with("--agent", "output=" + RECORDING, "--", "-jar", jar)
                            .text(),
                        NextCommand.of("scan", programs)
                            .withOptions(
                                classPath.stream()
                                    .flatMap(each -> Stream.of("--classpath", each))
                                    .toList())
                            .with("--recording", RECORDING)
                            .text()))
            .orElse(List.of(NextCommand.run(Optional.empty())));
  }

  /** Returns the jar among the programs that java -jar starts, if there is one. */
  private Optional<String> startedJar() {
    return programs.stream().filter(ScanCommand::isStarted).findFirst();
  }

  private static boolean isStarted(String program) {
    if (!Files.isRegularFile(Path.of(program))) {
      return false;
    }
    try (JarFile jar = new JarFile(program)) {
      return jar.getManifest() != null
          && jar.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS) != null;
    } catch (IOException e) {
      return false; // a POM
    }
  }

  private static Path existing(String program) throws DataException {
    try {
      Path path = Path.of(program);
      if (Files.exists(path)) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw new DataException(
          program + " is not a path; name a jar, a folder of class files or a pom.xml", e);
    }
    throw new DataException(
        program + " does not exist; name a jar, a folder of class files or a pom.xml");
  }

  private static String version(Path home) throws DataException {
    try {
      String version = JdkClasses.version(home);
      return version.isEmpty() ? "unknown" : version;
    } catch (IOException e) {
      throw new DataException(home + " is not the home of a JDK; check --jdk", e);
    }
  }

  private static int feature(String version) {
    String digits = version.split("\\D", 2)[0];
    return digits.isEmpty() || digits.length() > 4 ? 21 : Integer.parseInt(digits);
  }
}
