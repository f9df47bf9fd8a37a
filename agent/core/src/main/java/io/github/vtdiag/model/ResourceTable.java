package io.github.vtdiag.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * A table in the package of a class: its rows are lines, and those that begin with {@code #} are
 * comments.
 */
public final class ResourceTable {
  private ResourceTable() {}

  /** Returns the rows of the table of that name. */
  public static Stream<String> rows(Class<?> in, String name) {
    try (InputStream bytes = in.getResourceAsStream(name)) {
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
