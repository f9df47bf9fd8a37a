package vtdiag.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Gap;
import vtdiag.analysis.Grouping;
import vtdiag.analysis.Recorded;
import vtdiag.model.DataException;
import vtdiag.pin.Attributor;
import vtdiag.program.ClassPathBytes;
import vtdiag.program.JdkClasses;
import vtdiag.program.KnownClasses;
import vtdiag.program.Program;
import vtdiag.recording.Input;
import vtdiag.recording.RecordingData;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.Recordings;
import vtdiag.recording.TimeRange;

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
          "The jars, wars, directories and lib/* that ran, to find monitors in their bytecode and"
              + " to tell libraries apart; Spring Boot jars are looked into.")
  List<String> classPath = List.of();

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "The JDK that ran, if it is not the build that runs vtdiag.")
  Path jdk;

  /** The files that are read, so that none of them is overwritten. */
  List<Path> paths() {
    return files.stream().filter(file -> !file.equals(Input.STANDARD_INPUT)).map(Path::of).toList();
  }

  /** Refuses a range in which nothing can be, before any work is done. */
  TimeRange range() {
    TimeRange range = new TimeRange(Optional.ofNullable(from), Optional.ofNullable(to));
    if (range.isBackwards()) {
      throw new ParameterException(spec.commandLine(), "--from is not before --to");
    }
    return range;
  }

  Findings findings(Console console, OutputOptions output) throws DataException {
    List<RecordingData> read = read(console, output);
    List<RecordingData> inside = read.stream().filter(InputOptions::hasTime).toList();
    boolean outside = inside.isEmpty() && !range().isAll();
    List<Recorded> recordings = new ArrayList<>();
    List<KnownClasses> classes = new ArrayList<>();
    List<ClassPathBytes> open = new ArrayList<>();
    try {
      for (RecordingData data : outside || range().isAll() ? read : inside) {
        RecordingFacts facts = data.facts();
        ClassPathBytes bytes = ClassPathBytes.open(classPath, facts.jdk());
        open.add(bytes);
        KnownClasses known =
            new KnownClasses(
                data.lockMaps(),
                bytes,
                jdk == null ? JdkClasses.ifRunning(facts.jdkVersion()) : JdkClasses.at(jdk));
        classes.add(known);
        Attributor attributor = Attributor.ofRecording(facts.jdk(), known);
        recordings.add(new Recorded(data, attributor::attribute, known::owner));
      }
      List<Gap> gaps = new ArrayList<>();
      if (outside) {
        gaps.add(
            new Gap(
                Gap.Kind.OUTSIDE_RANGE,
                "",
                "anything from --from to --to: no recording was running then"));
      }
      classes.stream()
          .flatMap(known -> known.problems().stream())
          .distinct()
          .map(problem -> new Gap(Gap.Kind.CLASS_PATH_PROBLEM, "", problem))
          .forEach(gaps::add);
      return Grouping.of(recordings).withGaps(gaps);
    } finally {
      open.forEach(ClassPathBytes::close);
    }
  }

  /**
   * All classes of the class path.
   *
   * @param jdkFeature chooses among the classes of multi-release jars
   */
  Program program(int jdkFeature) throws DataException {
    return Program.read(
        ClassPathBytes.open(classPath, jdkFeature),
        jdk == null ? JdkClasses.running() : JdkClasses.at(jdk));
  }

  /** How the class path is given to another command. */
  String classPathAsTyped() {
    return " --classpath "
        + (classPath.isEmpty() ? "app.jar" : String.join(" --classpath ", classPath));
  }

  private List<RecordingData> read(Console console, OutputOptions output) throws DataException {
    Consumer<String> notes = sentence -> output.note(console, sentence);
    List<Input> inputs = Input.find(files, notes);
    List<RecordingData> all = new ArrayList<>();
    try (ProgressBar progress = ProgressBar.of(console, Input.size(inputs), output.quiet)) {
      Recordings recordings = new Recordings(range(), notes, progress::add);
      for (Input input : inputs) {
        notes.accept("reading " + input.source());
        all.addAll(recordings.read(input));
      }
    }
    for (RecordingData data : all) {
      if (!hasTime(data) && !range().isAll()) {
        notes.accept("skipping " + data.facts().source() + ": nothing of it is in the time range");
      }
    }
    return all;
  }

  private static boolean hasTime(RecordingData data) {
    return data.facts().durationNanos() > 0 || !data.episodes().isEmpty();
  }
}
