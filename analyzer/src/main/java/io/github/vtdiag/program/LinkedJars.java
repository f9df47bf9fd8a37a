package io.github.vtdiag.program;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
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
    List<Path> linked = new ArrayList<>();
    for (String entry : manifestClassPath(jar)) {
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

  private static List<String> manifestClassPath(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return Optional.ofNullable(file.getManifest())
          .map(Manifest::getMainAttributes)
          .map(attributes -> attributes.getValue(Attributes.Name.CLASS_PATH))
          .filter(path -> !path.isBlank())
          .map(path -> List.of(path.strip().split("\\s+")))
          .orElse(List.of());
    } catch (IOException | InvalidPathException e) {
      // The reader of its classes reports it.
      return List.of();
    }
  }
}
