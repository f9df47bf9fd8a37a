package io.github.vtdiag.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The tokens of a Kotlin file. Code in string templates is code like any other; each bracket knows
 * its partner.
 */
public final class KotlinTokens {
  /** The kinds of tokens. */
  public enum Kind {
    /** A keyword or a name, also one in backticks. */
    WORD,
    /** A number, a character, or a part of a string without templates. */
    LITERAL,
    /** One character, or the beginning of code in a string. */
    SYMBOL
  }

  /** A token; {@code text} is as it is written. */
  public record Token(Kind kind, int start, int end, String text) {
    boolean is(String other) {
      return kind != Kind.LITERAL && text.equals(other);
    }
  }

  /** A comment, by its place. */
  public record Comment(int start, int end) {}

  public final List<Token> all = new ArrayList<>();
  public final List<Comment> comments = new ArrayList<>();

  /** The number of the partner of each bracket; -1 of other tokens. */
  private final int[] partners;

  private final String text;
  private int at;

  /**
   * Reads the tokens.
   *
   * @throws DeclinedException if the text is no Kotlin as far as this can tell
   */
  public KotlinTokens(String text) throws DeclinedException {
    this.text = text;
    if (text.startsWith("#!")) {
      skipLine();
    }
    code(false);
    partners = partners();
  }

  private int[] partners() throws DeclinedException {
    int[] found = new int[all.size()];
    Arrays.fill(found, -1);
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < all.size(); i++) {
      Token token = all.get(i);
      if (token.kind() != Kind.SYMBOL) {
        continue;
      }
      if ("([{".contains(token.text()) || token.text().equals("${")) {
        open.push(i);
      } else if (")]}".contains(token.text())) {
        String expected = token.is(")") ? "(" : token.is("]") ? "[" : "{";
        if (open.isEmpty() || !all.get(open.peek()).text().endsWith(expected)) {
          throw unknown("a bracket without its partner", token.start());
        }
        found[i] = open.pop();
        found[found[i]] = i;
      }
    }
    if (!open.isEmpty()) {
      throw unknown("a bracket without its partner", all.get(open.peek()).start());
    }
    return found;
  }

  public int size() {
    return all.size();
  }

  public Token get(int index) {
    return all.get(index);
  }

  /** Returns whether the token is in code and has this text. */
  public boolean is(int index, String text) {
    return index >= 0 && index < all.size() && all.get(index).is(text);
  }

  public boolean isWord(int index) {
    return index >= 0 && index < all.size() && all.get(index).kind() == Kind.WORD;
  }

  /** Returns the other bracket of the pair that this one opens or closes. */
  public int partner(int index) {
    return partners[index];
  }

  /** Returns whether two tokens are adjacent, with nothing between them. */
  public boolean isAdjacent(int first, int second) {
    return first >= 0 && second < all.size() && all.get(first).end() == all.get(second).start();
  }

  /** Returns whether a comment begins in a stretch of the text. */
  public boolean hasComment(int from, int to) {
    return comments.stream().anyMatch(comment -> from <= comment.start() && comment.start() < to);
  }

  private DeclinedException unknown(String what, int offset) {
    long line = text.substring(0, offset).chars().filter(c -> c == '\n').count() + 1;
    return DeclinedException.ofSources("line " + line + " has " + what);
  }

  /** Reads code to the end, or to the brace that closes a template. */
  private void code(boolean inTemplate) throws DeclinedException {
    int depth = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
      } else if (text.startsWith("//", at)) {
        int start = at;
        skipLine();
        comments.add(new Comment(start, at));
      } else if (text.startsWith("/*", at)) {
        comment();
      } else if (c == '"' || (c == '$' && dollars() > 0)) {
        string();
      } else if (c == '\'') {
        character();
      } else if (c == '`') {
        int end = text.indexOf('`', at + 1);
        if (end < 0) {
          throw unknown("a backtick without its partner", at);
        }
        add(Kind.WORD, end + 1);
      } else if (Character.isDigit(c)) {
        number();
      } else if (Character.isJavaIdentifierStart(c) && c != '$') {
        word();
      } else {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        add(Kind.SYMBOL, at + 1);
        if (inTemplate && depth < 0) {
          return;
        }
      }
    }
    if (inTemplate) {
      throw unknown("a string without an end", text.length());
    }
  }

  private void add(Kind kind, int end) {
    all.add(new Token(kind, at, end, text.substring(at, end)));
    at = end;
  }

  private void skipLine() {
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
      at++;
    }
  }

  private void word() {
    int end = at;
    while (end < text.length()
        && Character.isJavaIdentifierPart(text.charAt(end))
        && text.charAt(end) != '$') {
      end++;
    }
    add(Kind.WORD, end);
  }

  private void number() {
    int end = at;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end))
            || text.charAt(end) == '_'
            || (text.charAt(end) == '.'
                && end + 1 < text.length()
                && Character.isDigit(text.charAt(end + 1))))) {
      end++;
    }
    add(Kind.LITERAL, end);
  }

  private void comment() throws DeclinedException {
    int start = at;
    int depth = 0;
    do {
      if (text.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (text.startsWith("*/", at)) {
        depth--;
        at += 2;
      } else if (at >= text.length()) {
        throw unknown("a comment without an end", start);
      } else {
        at++;
      }
    } while (depth > 0);
    comments.add(new Comment(start, at));
  }

  private void character() throws DeclinedException {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != '\'' && text.charAt(end) != '\n') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= text.length() || text.charAt(end) != '\'') {
      throw unknown("a character without an end", at);
    }
    add(Kind.LITERAL, end + 1);
  }

  /** Counts the dollar signs before a string, which then needs as many for a template. */
  private int dollars() {
    int end = at;
    while (end < text.length() && text.charAt(end) == '$') {
      end++;
    }
    return end < text.length() && text.charAt(end) == '"' ? end - at : 0;
  }

  private void string() throws DeclinedException {
    int start = at;
    int dollars = dollars();
    String mark = "$".repeat(Math.max(1, dollars));
    int end = start + dollars;
    boolean raw = text.startsWith("\"\"\"", end);
    end += raw ? 3 : 1;
    while (true) {
      if (end >= text.length() || (!raw && text.charAt(end) == '\n')) {
        throw unknown("a string without an end", start);
      }
      char c = text.charAt(end);
      if (c == '"' && (!raw || text.startsWith("\"\"\"", end))) {
        end += raw ? 3 : 1;
        while (raw && end < text.length() && text.charAt(end) == '"') {
          end++;
        }
        add(Kind.LITERAL, end);
        return;
      }
      if (c == '\\' && !raw) {
        end += 2;
      } else if (text.startsWith(mark, end) && isTemplate(end + mark.length())) {
        end += mark.length();
        if (text.charAt(end) == '{') {
          add(Kind.LITERAL, end - 1);
          add(Kind.SYMBOL, end + 1);
          code(true);
        } else {
          add(Kind.LITERAL, end);
          if (text.charAt(at) == '`') {
            add(Kind.WORD, Math.max(at + 1, text.indexOf('`', at + 1) + 1));
          } else {
            word();
          }
        }
        end = at;
      } else {
        end++;
      }
    }
  }

  private boolean isTemplate(int end) {
    return end < text.length()
        && text.charAt(end) != '$'
        && (text.charAt(end) == '{'
            || text.charAt(end) == '`'
            || Character.isJavaIdentifierStart(text.charAt(end)));
  }
}
