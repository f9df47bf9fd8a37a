package io.github.vtdiag.advice;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of vtdiag's lists: a header, then comments and lines of tab-separated columns.
 *
 * @param header the first line of every such file: it keeps files of another format from being half
 *     understood
 * @param content what is in it, as in {@code a file of known fixes}
 * @param columns the names of the columns
 */
record LineList(String header, String content, List<String> columns) {

  /** A line: its columns, stripped, and its location, for messages. */
  record Line(String at, List<String> columns) {}

  /** Returns the text of a list that comes with vtdiag. */
  static String resource(String name) {
    try (InputStream in = LineList.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a list.
   *
   * @param source its name, for messages about a line that cannot be read
   */
  List<Line> read(String source, String text) throws DataException {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().strip().equals(header)) {
      throw new DataException(
          source + " line 1 is not '" + header + "'; a file of " + content + " starts with it");
    }
    List<Line> read = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#")) {
        read.add(line(source + " line " + (i + 1), line));
      }
    }
    return read;
  }

  private Line line(String at, String line) throws DataException {
    List<String> found = List.of(line.split("\t", -1)).stream().map(String::strip).toList();
    String help = "; write with tabs between: " + String.join(", ", columns);
    if (found.size() != columns.size()) {
      throw new DataException(
          at + " has " + Figures.count(found.size(), "column") + ", not " + columns.size() + help);
    }
    if (found.contains("")) {
      throw new DataException(at + " leaves a column empty" + help);
    }
    return new Line(at, found);
  }
}
