package io.github.vtdiag.compare;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Reads a program's output, so that it never blocks on a full pipe, and keeps the end. */
final class OutputEnd {
  private static final int LINES = 20;
  private static final int LINE_LENGTH = 1_000;

  private final Consumer<String> lines;
  private final Deque<String> last = new ArrayDeque<>();

  /**
   * Creates a reader that has read nothing yet.
   *
   * @param lines is told every line, of a very long one the start
   */
  OutputEnd(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Reads until the program, and all processes that share its output, have closed it. */
  void read(Reader output) {
    StringBuilder line = new StringBuilder();
    char[] buffer = new char[8_192];
    try (output) {
      for (int count = output.read(buffer); count >= 0; count = output.read(buffer)) {
        for (int i = 0; i < count; i++) {
          if (buffer[i] == '\n') {
            end(line);
          } else if (buffer[i] != '\r' && line.length() < LINE_LENGTH) {
            line.append(buffer[i]);
          }
        }
      }
    } catch (IOException e) {
      // The process was killed; what it had printed is here.
    }
    if (!line.isEmpty()) {
      end(line);
    }
  }

  private synchronized void end(StringBuilder text) {
    String line = text.toString();
    text.setLength(0);
    lines.accept(line);
    last.addLast(line);
    if (last.size() > LINES) {
      last.removeFirst();
    }
  }

  /** Returns the last lines; none if all of them are blank. */
  synchronized List<String> lines() {
    return last.stream().allMatch(String::isBlank) ? List.of() : List.copyOf(last);
  }
}
