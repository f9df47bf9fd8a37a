package io.github.vtdiag.patch;

import io.github.vtdiag.source.SourceText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Replacements of stretches of one text that do not overlap. */
final class Edits {

  /**
   * One replacement.
   *
   * @param rank orders insertions at one offset
   */
  record Edit(int start, int end, String text, int rank) {}

  /** Whole statements and fields go before the indentation of the line that they precede. */
  static final int BEFORE_LINE = 0;

  static final int INDENT = 1;
  static final int IN_LINE = 2;

  private static final Pattern LINE_END = Pattern.compile("\\r\\n|\\r|\\n");

  private final List<Edit> edits = new ArrayList<>();

  void insert(int offset, String text, int rank) {
    edits.add(new Edit(offset, offset, text, rank));
  }

  void replace(int start, int end, String text) {
    edits.add(new Edit(start, end, text, IN_LINE));
  }

  /** Returns whether the line that starts here begins with new text. */
  boolean writesOver(int lineStart) {
    return edits.stream()
        .anyMatch(
            edit ->
                edit.start() < lineStart
                    && (lineStart < edit.end()
                        || (lineStart == edit.end() && !edit.text().isEmpty())));
  }

  /**
   * Makes the changes. In a file with several kinds of line endings, new lines get that of the line
   * where they are put.
   */
  String apply(SourceText source) {
    String text = source.text;
    List<Edit> ordered = new ArrayList<>(edits);
    ordered.sort(
        Comparator.comparingInt(Edit::start)
            .thenComparingInt(Edit::rank)
            .thenComparingInt(Edit::end));
    StringBuilder result = new StringBuilder();
    int at = 0;
    for (Edit edit : ordered) {
      if (edit.start() < at) {
        throw new IllegalStateException("two edits of one place: " + edit);
      }
      result
          .append(text, at, edit.start())
          .append(LINE_END.matcher(edit.text()).replaceAll(source.newline(edit.start())));
      at = edit.end();
    }
    return result.append(text, at, text.length()).toString();
  }
}
