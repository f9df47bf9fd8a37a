package io.github.vtdiag.source;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.JdkClasses;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The annotation processors of a build, as javac finds them.
 *
 * @param path their places; empty if there are none
 */
public record Processors(List<String> path) {
  private static final String SERVICE = "META-INF/services/javax.annotation.processing.Processor";

  /** The first javac that runs the processors it finds only if told to. */
  private static final int FIRST_TO_ASK = 21;

  public Processors {
    path = List.copyOf(path);
  }

  /** Returns those of the processor path, if one is given, else those on the class path. */
  public static Processors find(List<String> classPath, List<String> processorPath) {
    return new Processors(
        processorPath.isEmpty()
            ? classPath.stream().filter(Processors::hasSome).toList()
            : processorPath);
  }

  private static boolean hasSome(String place) {
    Path path = Path.of(place);
    if (Files.isDirectory(path)) {
      return Files.exists(path.resolve(SERVICE));
    }
    try (ZipFile jar = new ZipFile(path.toFile())) {
      return jar.getEntry(SERVICE) != null;
    } catch (IOException e) {
      return false; // No jar, so javac finds nothing in it either.
    }
  }

  public List<String> arguments(Path javaHome) {
    if (path.isEmpty()) {
      return List.of("-proc:none");
    }
    List<String> arguments = List.of("-processorpath", String.join(File.pathSeparator, path));
    return asksForIt(javaHome)
        ? Stream.concat(arguments.stream(), Stream.of("-proc:full")).toList()
        : arguments;
  }

  private static boolean asksForIt(Path javaHome) {
    try {
      return JdkClasses.feature(javaHome) >= FIRST_TO_ASK;
    } catch (DataException e) {
      return false;
    }
  }

  /** Returns the part about processors in the note on the compiler. */
  public String note() {
    return path.isEmpty() ? "" : " and the annotation processors of " + String.join(", ", path);
  }

  /** Returns a hint for sources that do not compile. */
  public String hint() {
    return path.isEmpty()
        ? "; no annotation processors are on the class path, --processor-path names those of the"
            + " build"
        : "";
  }
}
