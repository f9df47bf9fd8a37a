package io.github.vtdiag.owner;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The files that a jar on the class path brings along: those that its manifest names, and those
 * that Quarkus's launcher loads.
 */
public final class LinkedJars {
  private LinkedJars() {}

  /**
   * Returns the files that are there; the JVM skips others.
   *
   * @throws IOException if a folder of Quarkus cannot be read
   */
  public static List<Path> of(Path jar) throws IOException {
    List<String> classPath = List.of();
    try (ZipBytes zip = ZipBytes.open(jar)) {
      classPath = JarManifest.of(zip).classPath();
    } catch (IOException e) {
      // The reader of its classes reports it.
    }
    return of(jar, classPath);
  }

  /** Returns the same for a jar whose manifest has been read. */
  public static List<Path> of(Path jar, List<String> classPath) throws IOException {
    List<Path> linked = new ArrayList<>();
    for (String entry : classPath) {
      try {
        URI uri = jar.toUri().resolve(entry);
        if ("file".equals(uri.getScheme()) && Files.exists(Path.of(uri))) {
          linked.add(Path.of(uri));
        }
      } catch (IllegalArgumentException e) {
        // It is not the URI of a file: the JVM skips it, too.
      }
    }
    if (jar.endsWith(QuarkusFiles.RUNNER)) {
      for (Path folder : QuarkusFiles.folders(jar)) {
        if (Files.isDirectory(folder)) {
          linked.addAll(in(folder));
        }
      }
    }
    return linked;
  }

  /** Returns the jars in a folder, in the order of their names. */
  public static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().toLowerCase(Locale.ROOT).endsWith(".jar"))
          .sorted()
          .toList();
    }
  }
}
