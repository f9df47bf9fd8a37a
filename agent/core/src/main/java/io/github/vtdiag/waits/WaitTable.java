package io.github.vtdiag.waits;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * A table of this package: its rows are lines, and those that begin with {@code #} are comments.
 */
final class WaitTable {
  private WaitTable() {}

  static Stream<String> rows(String name) {
    try (InputStream in = WaitTable.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
