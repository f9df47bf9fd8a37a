package io.github.vtdiag.owner;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Names of foreign classes and packages, one a line, in a file beside a class. Packing the command
 * line renames libraries, and with them the names in its code, but not in such a file.
 */
public final class NameList {
  private NameList() {}

  /** Returns the names in a file, without its comments. */
  public static List<String> beside(Class<?> user, String file) {
    try (InputStream in = user.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .map(String::strip)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
