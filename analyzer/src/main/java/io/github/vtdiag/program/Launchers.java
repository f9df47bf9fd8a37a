package io.github.vtdiag.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Main classes that start somebody else's code, which says nothing of whose that is. */
final class Launchers {
  private static final List<String> PREFIXES = read();

  private Launchers() {}

  private static List<String> read() {
    try (InputStream in = Launchers.class.getResourceAsStream("launchers.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .map(String::strip)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean has(String mainClass) {
    return PREFIXES.stream().anyMatch(mainClass::startsWith);
  }
}
