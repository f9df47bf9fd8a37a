package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.AnalyzedRun;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.TimeRange;
import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The recordings of a command and the classes that ran, and the way from them to findings. */
final class InputOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Recordings (.jfr), also in gzip or zip; folders of them; a JFR disk repository, which is"
              + " one recording; - reads standard input. A chunk that is in several of them counts"
              + " once.")
  List<String> files = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeBound.class,
      description =
          "Only from this time on: 2026-11-21T10:00:00Z, 2026-11-21T10:00 (local time), 10:00 (of"
              + " the day of the recording), +90s (after its start) or -5m (before its end). Of a"
              + " pin that crosses the time, the part inside counts.")
  private TimeRange.Bound from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeBound.class,
      description = "Only up to this time, written like --from.")
  private TimeRange.Bound to;

  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description =
          "The jars, wars, directories and lib/* that ran: to find monitors in their bytecode and"
              + " to name libraries, also those inside Spring Boot jars, in a manifest's"
              + " Class-Path, and beside quarkus-run.jar.")
  List<String> classPath = List.of();

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "The JDK that ran, if it is not the build that runs vtdiag.")
  Path jdk;

  private static final int TIMES_SHOWN = 3;

  private Pipeline pipeline;
  private OwnCode own = OwnCode.UNTOLD;
  private UnaryOperator<String> paths = UnaryOperator.identity();

  /** Sets the user's own code, before anything is read. */
  void own(OwnCode code) {
    own = code;
  }

  /** Sets how paths of recordings are printed, before anything is read. */
  void shownBy(UnaryOperator<String> printed) {
    paths = printed;
  }

  /** Returns the path of a recording as it is printed. */
  String shown(String path) {
    return path.equals(Input.STANDARD_INPUT) ? path : paths.apply(path);
  }

  /** Finds recordings, and names them as they are printed. */
  List<Input> find(List<String> names, Consumer<String> notes) throws DataException {
    return Input.find(names, notes).stream()
        .map(
            input ->
                input.files().isEmpty() ? input : new Input(shown(input.source()), input.files()))
        .toList();
  }

  /** Returns the files that are read, so that none of them is overwritten. */
  List<Path> paths() {
    return paths(files);
  }

  /** Returns the same as {@link #paths}, of inputs that a command takes otherwise. */
  static List<Path> paths(List<String> files) {
    return files.stream().filter(file -> !file.equals(Input.STANDARD_INPUT)).map(Path::of).toList();
  }

  /** Refuses an empty range, before any work is done. */
  TimeRange range() {
    TimeRange range = new TimeRange(Optional.ofNullable(from), Optional.ofNullable(to));
    if (range.isBackwards()) {
      throw new ParameterException(spec.commandLine(), "--from is not before --to");
    }
    return range;
  }

  Findings findings(Console console, OutputOptions output) throws DataException {
    return findings(files, console, output);
  }

  /** Returns the findings, and what they were made of. */
  AnalyzedRun whole(Console console, OutputOptions output) throws DataException {
    TimeRange range = range();
    List<Input> inputs = find(files, sentence -> output.note(console, sentence));
    return inRange(whole(pipeline(), inputs, range, console, output), files);
  }

  /** Returns the findings of some of the files. */
  Findings findings(List<String> some, Console console, OutputOptions output) throws DataException {
    return inRange(whole(pipeline(), some, range(), console, output), some).findings();
  }

  /** Refuses a time that no recording has, and names the times that there are. */
  private AnalyzedRun inRange(AnalyzedRun run, List<String> some) throws DataException {
    if (!run.findings().has(Gap.Kind.OUTSIDE_RANGE)) {
      return run;
    }
    List<String> times = new ArrayList<>();
    if (!some.contains(Input.STANDARD_INPUT)) {
      List<Input> inputs = Input.find(some, note -> {});
      pipeline().findings(inputs, TimeRange.ALL, note -> {}, count -> {}).recordings().stream()
          .map(InputOptions::time)
          .forEach(times::add);
    }
    int more = times.size() - TIMES_SHOWN;
    throw new DataException(
        "nothing was recorded between --from and --to"
            + (times.isEmpty() ? "" : ": ")
            + String.join(", ", times.subList(0, Math.min(times.size(), TIMES_SHOWN)))
            + (more > 0 ? " and " + more + " more" : "")
            + "; choose a time within");
  }

  /** Returns {@code app.jfr goes from 2026-11-25T10:00:00Z to 2026-11-25T10:05:00Z (5 m)}. */
  private static String time(RecordingFacts facts) {
    long end = facts.startNanos() + facts.durationNanos();
    return facts.source()
        + " goes from "
        + at(facts.startNanos())
        + " to "
        + at(end)
        + " ("
        + Figures.duration(facts.durationNanos())
        + ")";
  }

  private static String at(long nanos) {
    return Instant.ofEpochSecond(0, nanos)
        .atZone(ZoneId.systemDefault())
        .truncatedTo(ChronoUnit.MILLIS)
        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
  }

  /** Returns whether the user gives a beginning. */
  boolean hasFrom() {
    return from != null;
  }

  /** Returns the same range with a beginning from elsewhere. */
  TimeRange rangeFrom(TimeRange.Bound bound) {
    return new TimeRange(Optional.of(bound), Optional.ofNullable(to));
  }

  /** Finds what held carriers in recordings, and shows progress. */
  static Findings findings(
      Pipeline pipeline, List<String> files, TimeRange range, Console console, OutputOptions output)
      throws DataException {
    return whole(pipeline, files, range, console, output).findings();
  }

  private static AnalyzedRun whole(
      Pipeline pipeline, List<String> files, TimeRange range, Console console, OutputOptions output)
      throws DataException {
    return whole(
        pipeline,
        Input.find(files, sentence -> output.note(console, sentence)),
        range,
        console,
        output);
  }

  /** Returns the same, of inputs that were found. */
  static AnalyzedRun whole(
      Pipeline pipeline,
      Collection<Input> inputs,
      TimeRange range,
      Console console,
      OutputOptions output)
      throws DataException {
    Consumer<String> notes = sentence -> output.note(console, sentence);
    List<Input> found = List.copyOf(inputs);
    HeapGrowth heap = new HeapGrowth();
    try (ProgressBar progress = ProgressBar.of(console, Input.size(found), output.quiet)) {
      AnalyzedRun run = pipeline.whole(found, range, notes, progress::add);
      if (!output.quiet) {
        run.findings().recordings().stream()
            .map(ProductVersion::otherAgent)
            .flatMap(Optional::stream)
            .forEach(console::warn);
      }
      return run;
    } finally {
      heap.end();
    }
  }

  /** Returns the way to findings, and to the whole program where that has to be known. */
  Pipeline pipeline() {
    if (pipeline == null) {
      pipeline = new Pipeline(classPath, Optional.ofNullable(jdk), own);
    }
    return pipeline;
  }

  /**
   * Returns the jar that was started, if it is where it was typed; else where the application's
   * classes were loaded from. Empty if no such file is on this machine.
   */
  static Optional<String> startedJar(Findings findings) {
    return findings.recordings().stream()
        .map(facts -> facts.launch().jar())
        .filter(jar -> !jar.isEmpty() && new File(jar).isFile())
        .findFirst()
        .or(() -> ownCode(findings));
  }

  /**
   * Returns the jars and folders that the application's classes were loaded from, as a class path;
   * empty if none is known, or on this machine.
   */
  private static Optional<String> ownCode(Findings findings) {
    String path =
        Stream.concat(
                findings.pins().stream()
                    .flatMap(
                        pin ->
                            Stream.concat(
                                Stream.of(pin.owner()),
                                pin.caller().stream().map(Finding.Pin.Caller::owner))),
                findings.behaviors().stream().map(behavior -> behavior.seen().owner()))
            .filter(Owner.Application.class::isInstance)
            .map(owner -> ((Owner.Application) owner).location())
            // The empty name is the current folder since Java 25.
            .filter(location -> !location.isEmpty() && new File(location).exists())
            .distinct()
            .collect(Collectors.joining(File.pathSeparator));
    return Optional.of(path).filter(known -> !known.isEmpty());
  }

  /**
   * Returns what one would write after {@code java} to start the recorded program again; empty if
   * its jar or class path is not known.
   */
  Optional<List<String>> started(Findings findings) {
    Optional<RecordingFacts> first = findings.recordings().stream().findFirst();
    String mainClass = first.map(facts -> facts.launch().mainClass()).orElse("");
    Optional<List<String>> program =
        mainClass.isEmpty()
            ? startedJarOf(findings).map(jar -> List.of("-jar", jar))
            : namedClassPath()
                .or(() -> ownCode(findings))
                .map(path -> List.of("-cp", path, mainClass));
    return program.map(
        named -> {
          List<String> line = new ArrayList<>();
          first.ifPresent(facts -> line.addAll(facts.command().ownOptions(facts.agent())));
          line.addAll(named);
          first.ifPresent(facts -> line.addAll(facts.command().arguments(facts.launch())));
          return line;
        });
  }

  private Optional<String> namedClassPath() {
    return Optional.of(classPath)
        .filter(path -> !path.isEmpty())
        .map(path -> String.join(File.pathSeparator, path));
  }

  /**
   * Returns the started jar, which may be elsewhere by now: on the class path, or where the
   * application was loaded from. Another jar of the application has no main class.
   */
  private Optional<String> startedJarOf(Findings findings) {
    return Stream.concat(
            findings.launches().stream().map(Launch::jar),
            Stream.concat(classPath.stream(), ownCode(findings).stream())
                .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
                .filter(
                    path ->
                        findings.launches().stream()
                            .anyMatch(launch -> launch.jarName().equals(new File(path).getName()))))
        .filter(path -> new File(path).isFile())
        .findFirst();
  }

  /** Returns the options that give the class path to another command; none if it is not known. */
  List<String> classPathAsTyped(Findings findings) {
    return classPath.isEmpty()
        ? startedJar(findings).map(path -> List.of("--classpath", path)).orElse(List.of())
        : classPath.stream().flatMap(path -> Stream.of("--classpath", path)).toList();
  }

  /** Returns another command on the same files and class path. */
  NextCommand next(String command, Findings findings) {
    return NextCommand.of(command, files.stream().map(this::shown).toList())
        .withOptions(classPathAsTyped(findings));
  }
}
