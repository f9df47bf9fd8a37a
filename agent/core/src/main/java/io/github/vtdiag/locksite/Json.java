package io.github.vtdiag.locksite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parser of JSON (RFC 8259) into maps, lists, strings, numbers, booleans and {@code null}. The
 * agent needs it for one file that it may be given; a library would be loaded into the
 * application's JVM.
 */
final class Json {
  /** Our documents are nested less than ten deep; anything deeper is not ours. */
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is anything else; the message says where
   */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.skipSpace();
    if (json.at < text.length()) {
      throw json.wrong();
    }
    return value;
  }

  private Object value(int depth) {
    skipSpace();
    if (at == text.length() || depth > MAX_DEPTH) {
      throw wrong();
    }
    return switch (text.charAt(at)) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    if (skips('}')) {
      return members;
    }
    do {
      skipSpace();
      String name = string();
      require(':');
      members.put(name, value(depth + 1));
    } while (skips(','));
    require('}');
    return members;
  }

  private List<Object> array(int depth) {
    List<Object> elements = new ArrayList<>();
    at++;
    if (skips(']')) {
      return elements;
    }
    do {
      elements.add(value(depth + 1));
    } while (skips(','));
    require(']');
    return elements;
  }

  private String string() {
    if (at == text.length() || text.charAt(at) != '"') {
      throw wrong();
    }
    StringBuilder string = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return string.toString();
      }
      if (c < ' ') {
        throw wrong();
      }
      string.append(c == '\\' ? escaped() : c);
    }
    throw wrong();
  }

  /** Reads the rest of an escape, after its backslash. */
  private char escaped() {
    at++;
    if (at == text.length()) {
      throw wrong();
    }
    return switch (text.charAt(at)) {
      case '"' -> '"';
      case '\\' -> '\\';
      case '/' -> '/';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          at++;
          int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
          if (digit < 0) {
            throw wrong();
          }
          code = code * 16 + digit;
        }
        yield (char) code;
      }
      default -> throw wrong();
    };
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong();
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Double.valueOf(text.substring(start, at));
    } catch (NumberFormatException e) {
      at = start;
      throw wrong();
    }
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** Skips the character if it comes next. */
  private boolean skips(char c) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void require(char c) {
    if (!skips(c)) {
      throw wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException(
        at >= text.length() ? "it ends too early" : "at character " + (at + 1));
  }
}
