package vtdiag.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import vtdiag.finding.Findings;
import vtdiag.finding.Grouping;
import vtdiag.finding.Limit;
import vtdiag.finding.Recorded;
import vtdiag.pin.Attributor;
import vtdiag.recording.ClassPathBytes;
import vtdiag.recording.DataException;
import vtdiag.recording.JdkClasses;
import vtdiag.recording.KnownClasses;
import vtdiag.recording.RecordingData;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.Recordings;

/** The recordings of a command and the classes that ran, and the way from them to findings. */
final class InputOptions {
  private static final String STANDARD_INPUT = "-";

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Recordings (.jfr); - reads standard input.")
  List<String> files = List.of();

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
    return files.stream().filter(file -> !file.equals(STANDARD_INPUT)).map(Path::of).toList();
  }

  Findings findings() throws DataException {
    Set<Object> seen = new HashSet<>();
    List<Recorded> recordings = new ArrayList<>();
    List<KnownClasses> classes = new ArrayList<>();
    List<ClassPathBytes> open = new ArrayList<>();
    try {
      for (String file : files) {
        if (!seen.add(identity(file))) {
          throw new DataException(file + " is given twice; its pins would count twice");
        }
        RecordingData data = read(file);
        RecordingFacts facts = data.facts();
        ClassPathBytes bytes = ClassPathBytes.open(classPath, facts.jdk());
        open.add(bytes);
        KnownClasses known =
            new KnownClasses(
                data.lockMaps(),
                bytes,
                jdk == null ? JdkClasses.ifRunning(facts.jdkVersion()) : JdkClasses.at(jdk));
        classes.add(known);
        Attributor attributor = new Attributor(facts.jdk(), known);
        recordings.add(new Recorded(data, attributor::attribute, known::owner));
      }
      Findings findings = Grouping.of(recordings);
      return findings.withLimits(
          classes.stream()
              .flatMap(known -> known.problems().stream())
              .distinct()
              .map(problem -> new Limit(Limit.Kind.CLASS_PATH_PROBLEM, "", problem))
              .toList());
    } finally {
      open.forEach(ClassPathBytes::close);
    }
  }

  private static Object identity(String file) {
    if (file.equals(STANDARD_INPUT)) {
      return file;
    }
    try {
      return Path.of(file).toRealPath();
    } catch (IOException e) {
      // Reading it will say what is wrong with it.
      return file;
    }
  }

  private static RecordingData read(String file) throws DataException {
    if (!file.equals(STANDARD_INPUT)) {
      return Recordings.read(Path.of(file));
    }
    Path copy = null;
    try {
      copy = Files.createTempFile("vtdiag", ".jfr");
      Files.copy(System.in, copy, StandardCopyOption.REPLACE_EXISTING);
      return Recordings.read(copy).named("standard input");
    } catch (IOException e) {
      throw new DataException("standard input cannot be read: " + e.getMessage(), e);
    } catch (DataException e) {
      throw new DataException(e.getMessage().replace(copy.toString(), "standard input"), e);
    } finally {
      delete(copy);
    }
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // The system clears its temporary files.
    }
  }
}
