package io.github.vtdiag.source;

import com.github.javaparser.Position;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The text of a file, with everything needed to write the same bytes again. */
public final class SourceText {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** The text without the byte order mark. */
  public final String text;

  private final Charset charset;
  private final boolean marked;
  private final int[] lineStarts;

  private SourceText(String text, Charset charset, boolean marked) {
    this.text = text;
    this.charset = charset;
    this.marked = marked;
    this.lineStarts = lineStarts(text);
  }

  /** Reads UTF-8, or else ISO-8859-1, which keeps any bytes. */
  public static SourceText of(byte[] bytes) {
    Charset charset = StandardCharsets.UTF_8;
    String text;
    try {
      text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      charset = StandardCharsets.ISO_8859_1;
      text = new String(bytes, charset);
    }
    boolean marked = text.startsWith(BYTE_ORDER_MARK);
    return new SourceText(marked ? text.substring(1) : text, charset, marked);
  }

  public byte[] bytesOf(String changed) {
    return ((marked ? BYTE_ORDER_MARK : "") + changed).getBytes(charset);
  }

  public int offset(Position position) {
    return lineStarts[position.line - 1] + position.column - 1;
  }

  /** Returns the line number of an offset, from 1. */
  public int line(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** Returns the number of lines; a line ending at the end begins one more. */
  public int lines() {
    return lineStarts.length;
  }

  public int lineStart(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? offset : lineStarts[-found - 2];
  }

  /** Returns where the line's text ends, before its line ending. */
  public int lineEnd(int offset) {
    int end = offset;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    return end;
  }

  /** Returns the starts of lines at {@code from <= start < to}. */
  public int[] lineStartsIn(int from, int to) {
    return Arrays.stream(lineStarts).filter(start -> from <= start && start < to).toArray();
  }

  /** Returns the blanks that the line begins with. */
  public String indent(int offset) {
    int start = lineStart(offset);
    return text.substring(start, skipBlanks(start));
  }

  public boolean isFirstOnItsLine(int offset) {
    return skipBlanks(lineStart(offset)) == offset;
  }

  public boolean sameLine(int a, int b) {
    return lineStart(a) == lineStart(b);
  }

  public int skipBlanks(int offset) {
    int at = offset;
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  public int skipBlanksBack(int offset) {
    int at = offset;
    while (at > 0 && (text.charAt(at - 1) == ' ' || text.charAt(at - 1) == '\t')) {
      at--;
    }
    return at;
  }

  /** Returns the line ending of the first line, which all others most likely have. */
  public String newline() {
    return newline(0);
  }

  /**
   * Returns the line ending of the line of an offset; of the one before, if it is the last and has
   * none.
   */
  public String newline(int offset) {
    int end = lineEnd(offset);
    if (end == text.length()) {
      int start = lineStart(offset);
      return start == 0 ? "\n" : newline(start - 1 - (text.startsWith("\r\n", start - 2) ? 1 : 0));
    }
    if (text.charAt(end) == '\r') {
      return text.startsWith("\n", end + 1) ? "\r\n" : "\r";
    }
    return "\n";
  }

  /** Returns the starts of the same lines that JavaParser counts. */
  private static int[] lineStarts(String text) {
    int[] starts = new int[text.length() + 1];
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean crlf = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
      if (c == '\n' || (c == '\r' && !crlf)) {
        starts[count++] = i + 1;
      }
    }
    return Arrays.copyOf(starts, count);
  }
}
