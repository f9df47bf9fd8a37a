package io.github.vtdiag.live;

import io.github.vtdiag.model.DataException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;

/**
 * A JVM's description of itself, which is read once.
 *
 * @param pid its process id
 * @param program what it runs: a class or a jar, without its folder; empty if it does not say
 * @param version of Java, such as 21.0.8
 * @param feature the first number of the version
 * @param parallelism the number of carriers that its scheduler was told to have, if it was
 * @param classPath of its classes as paths here, as far as they can be read
 * @param jdk its home as a path here
 */
public record TargetJvm(
    long pid,
    String program,
    String version,
    int feature,
    Optional<Integer> parallelism,
    List<String> classPath,
    Optional<Path> jdk) {
  private static final int VIRTUAL_THREADS = 21;

  public TargetJvm {
    classPath = List.copyOf(classPath);
  }

  /**
   * Reads a JVM's system properties.
   *
   * @param reached returns the path here of a file of the JVM's
   * @throws DataException if it has no virtual threads
   */
  static TargetJvm of(long pid, Properties properties, UnaryOperator<Path> reached)
      throws DataException {
    String specification = properties.getProperty("java.specification.version", "");
    int feature = number(specification).orElse(0);
    if (feature < VIRTUAL_THREADS) {
      throw new DataException(
          "process "
              + pid
              + " runs Java "
              + (specification.isEmpty() ? "of an unknown version" : specification)
              + ", which has no virtual threads; name a JVM of Java 21 or later");
    }
    return new TargetJvm(
        pid,
        program(properties.getProperty("sun.java.command", "")),
        properties.getProperty("java.version", specification),
        feature,
        number(properties.getProperty("jdk.virtualThreadScheduler.parallelism", "")),
        classPath(properties, reached),
        path("/", properties.getProperty("java.home", "")).map(reached).filter(Files::isDirectory));
  }

  /** Returns the program of a command line. Arguments are left out: they may hold secrets. */
  private static String program(String command) {
    String first = command.strip().split(" ", 2)[0];
    return first.substring(first.lastIndexOf('/') + 1);
  }

  private static List<String> classPath(Properties properties, UnaryOperator<Path> reached) {
    List<String> entries = new ArrayList<>();
    for (String entry : properties.getProperty("java.class.path", "").split(":", -1)) {
      path(properties.getProperty("user.dir", "/"), entry)
          .map(reached)
          .filter(Files::isReadable)
          .map(Path::toString)
          .filter(name -> !name.contains(":"))
          .ifPresent(entries::add);
    }
    return entries;
  }

  private static Optional<Path> path(String folder, String entry) {
    try {
      return entry.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder).resolve(entry));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<Integer> number(String text) {
    try {
      return Optional.of(Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
