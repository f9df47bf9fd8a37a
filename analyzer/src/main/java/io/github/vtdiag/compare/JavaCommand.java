package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.program.JdkClasses;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Java program to run.
 *
 * @param java the launcher: a path, or a name that is on the path
 * @param options go before the arguments, but behind an agent
 * @param arguments what one would write after {@code java}
 */
public record JavaCommand(String java, List<String> options, List<String> arguments) {
  /** Options of the launcher whose value is a separate argument. */
  static final Set<String> WITH_VALUE =
      Set.of(
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--limit-modules",
          "--add-reads",
          "--add-exports",
          "--add-opens",
          "--patch-module",
          "--enable-native-access",
          "--source");

  static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");

  public JavaCommand {
    options = List.copyOf(options);
    arguments = List.copyOf(arguments);
  }

  /** Returns the launcher of a Java home; by default that of JAVA_HOME, or the one on the PATH. */
  public static String launcher(Optional<Path> home) {
    return home.or(JavaCommand::usualHome)
        .map(found -> found.resolve("bin").resolve("java").toString())
        .orElse("java");
  }

  /** Returns the feature release of the Java that runs by default; empty if it is not known. */
  public static OptionalInt usualFeature() {
    Path named = Path.of(launcher(Optional.empty()));
    return named.getNameCount() > 1
        ? feature(named)
        : Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .map(folder -> Path.of(folder).resolve(named))
            .filter(Files::isExecutable)
            .findFirst()
            .map(JavaCommand::feature)
            .orElse(OptionalInt.empty());
  }

  /** Returns the feature release of a launcher, which may be a link; empty if it is not known. */
  static OptionalInt feature(Path launcher) {
    try {
      Path home = launcher.toRealPath().resolveSibling("..").normalize();
      return OptionalInt.of(Runtime.Version.parse(JdkClasses.version(home)).feature());
    } catch (IOException | IllegalArgumentException e) {
      return OptionalInt.empty();
    }
  }

  private static Optional<Path> usualHome() {
    String environment = System.getenv("JAVA_HOME");
    return environment == null || environment.isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(environment));
  }

  /**
   * Returns the same program with another class path.
   *
   * @return empty if a class path would have no effect, because the program is run with {@code
   *     -jar}
   */
  public Optional<JavaCommand> withClassPath(String path) {
    List<String> changed = new ArrayList<>(arguments);
    boolean found = false;
    int i = 0;
    while (i < changed.size() && changed.get(i).startsWith("-")) {
      String argument = changed.get(i);
      if (argument.equals("-jar")) {
        return Optional.empty();
      }
      if (CLASS_PATH.contains(argument) && i + 1 < changed.size()) {
        changed.set(i + 1, path);
        found = true;
        i++;
      } else if (argument.startsWith("--class-path=")) {
        changed.set(i, "--class-path=" + path);
        found = true;
      } else if (argument.equals("-m") || argument.equals("--module")) {
        break;
      } else if (WITH_VALUE.contains(argument)) {
        i++;
      }
      i++;
    }
    if (!found) {
      changed.addAll(0, List.of("-cp", path));
    }
    return Optional.of(new JavaCommand(java, options, changed));
  }

  /**
   * Returns where its classes are: jars and directories that exist, also those that manifests name.
   *
   * @throws DataException if the command line does not say
   */
  public List<String> classPath() throws DataException {
    return LauncherClassPath.of(this);
  }

  /**
   * Returns the program that is started, as far as the command line says; without its arguments.
   */
  Launch launch() {
    return LauncherClassPath.launch(this);
  }

  /** Returns the version of Java, which chooses among the classes of a multi-release jar. */
  public int feature() {
    Path bin = Path.of(java).toAbsolutePath().getParent();
    try {
      return Runtime.Version.parse(JdkClasses.version(bin.resolveSibling(""))).feature();
    } catch (IOException | IllegalArgumentException e) {
      // The launcher is just a name, or not part of a JDK: assume the running one.
      return Runtime.version().feature();
    }
  }

  /** Refuses a missing launcher before anything runs. */
  void check() throws DataException {
    Path path = Path.of(java);
    if (path.getNameCount() > 1 && !Files.isExecutable(path)) {
      throw new DataException(
          "cannot run " + java + "; name a Java home with --jdk or --jdk-after");
    }
  }

  /** Returns the command line, with the agent, if any, before all other options. */
  List<String> line(Optional<String> agent) {
    List<String> line = new ArrayList<>();
    line.add(java);
    agent.ifPresent(text -> line.add("-javaagent:" + text));
    line.addAll(options);
    line.addAll(arguments);
    return line;
  }
}
