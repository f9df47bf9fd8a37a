package io.github.vtdiag.upgrade;

import io.github.vtdiag.program.LibraryClasses;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Versions of a small library, compiled by the tests that read them. */
public final class Libraries {
  private Libraries() {}

  /** Compiles sources, each of one top-level class of package {@code com.example.db}. */
  public static Map<String, byte[]> compile(Path folder, String... sources) {
    try {
      Path in = Files.createTempDirectory(folder, "sources");
      Path out = Files.createTempDirectory(folder, "classes");
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < sources.length; i++) {
        Path file = in.resolve("Source" + i + ".java");
        Files.writeString(file, "package com.example.db; " + sources[i]);
        files.add(file);
      }
      Javac.compile(out, files);
      Map<String, byte[]> classes = new HashMap<>();
      try (Stream<Path> compiled = Files.walk(out)) {
        for (Path file : compiled.filter(Files::isRegularFile).toList()) {
          String name = out.relativize(file).toString().replace('/', '.').replace('\\', '.');
          classes.put(
              name.substring(0, name.length() - ".class".length()), Files.readAllBytes(file));
        }
      }
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A version of it whose jar does not tell when it was built. */
  static Release release(LibraryClasses classes) {
    return new Release("com.example:db", classes, Optional.empty());
  }

  static LibraryClasses classes(Path folder, String... sources) {
    return LibraryClasses.of(compile(folder, sources));
  }
}
