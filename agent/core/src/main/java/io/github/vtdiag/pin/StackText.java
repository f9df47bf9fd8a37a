package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.List;

/**
 * The text in which an event of the agent carries the stack of another thread. JFR itself records
 * only the stack of the thread that writes an event. The text has a line a frame, innermost first:
 * {@code class loader method descriptor modifiers bci line kind}. The source file follows if it is
 * not named as the class. Names are escaped as in Java source.
 */
public final class StackText {
  private static final int WORDS = 8;

  private StackText() {}

  public static String write(List<Frame> frames) {
    StringBuilder text = new StringBuilder();
    for (Frame frame : frames) {
      text.append(escape(frame.type().name())).append(' ').append(escape(frame.type().loader()));
      text.append(' ')
          .append(escape(frame.method()))
          .append(' ')
          .append(escape(frame.descriptor()));
      text.append(' ').append(frame.modifiers()).append(' ').append(frame.bci());
      text.append(' ').append(frame.line()).append(' ').append(frame.kind());
      if (!frame.type().source().isEmpty()) {
        text.append(' ').append(escape(frame.type().source()));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static List<Frame> parse(String text) {
    List<Frame> frames = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words.length == WORDS || words.length == WORDS + 1) {
        frames.add(
            new Frame(
                new ClassRef(
                    words[0].translateEscapes(),
                    words[1].translateEscapes(),
                    words.length == WORDS ? "" : words[WORDS].translateEscapes()),
                words[2].translateEscapes(),
                words[3].translateEscapes(),
                Integer.parseInt(words[4]),
                Integer.parseInt(words[5]),
                Integer.parseInt(words[6]),
                Frame.Kind.valueOf(words[7])));
      } else if (!line.isEmpty()) {
        throw new IllegalArgumentException("not a frame: " + line);
      }
    }
    return frames;
  }

  /** The inverse of {@link String#translateEscapes}, of what would split a line or a word. */
  static String escape(String word) {
    return word.replace("\\", "\\\\").replace(" ", "\\s").replace("\n", "\\n").replace("\r", "\\r");
  }
}
