package vtdiag.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import vtdiag.model.Printable;
import vtdiag.report.Phrase;

/**
 * HTML that is being written. Whatever text is given, it stays text: names in it come from the
 * application.
 */
final class Html {
  private static final Set<String> EMPTY = Set.of("meta", "link", "input", "wbr");

  private final StringBuilder out = new StringBuilder("<!doctype html>\n");
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element. An attribute without a value is one that is there or not. */
  Html open(String tag, String... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]);
      if (!attributes[i + 1].isEmpty()) {
        out.append("=\"");
        escape(Printable.text(attributes[i + 1]));
        out.append('"');
      }
    }
    out.append('>');
    if (!EMPTY.contains(tag)) {
      open.push(tag);
    }
    return this;
  }

  /** Ends the innermost element. */
  Html close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Ends the innermost element, and its line. */
  Html end() {
    close();
    out.append('\n');
    return this;
  }

  /** An element with nothing but text. */
  Html leaf(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Html text(String text) {
    escape(Printable.text(text));
    return this;
  }

  /** A name with dots, which may break after each; what is in front of the class is faint. */
  Html name(String name) {
    int method = name.lastIndexOf('.');
    int type = method < 0 ? -1 : name.lastIndexOf('.', method - 1);
    open("bdi", "class", "name");
    if (type > 0 && name.indexOf(' ') < 0) {
      open("span", "class", "faint");
      broken(name.substring(0, type + 1));
      close();
      open("span");
      broken(name.substring(type + 1));
      close();
    } else {
      broken(name);
    }
    return close();
  }

  private void broken(String name) {
    int from = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
      text(name.substring(from, dot + 1));
      open("wbr");
      from = dot + 1;
    }
    text(name.substring(from));
  }

  Html phrase(Phrase phrase) {
    for (Phrase.Part part : phrase.parts()) {
      switch (part.tone()) {
        case PLAIN -> text(part.text());
        case NAME -> open("code").name(part.text()).close();
        case STRONG -> leaf("strong", part.text());
        case FAINT -> leaf("span", part.text(), "class", "faint");
        case GOOD -> leaf("strong", part.text(), "class", "good");
        case BAD -> leaf("strong", part.text(), "class", "bad");
        case WARNING -> leaf("strong", part.text(), "class", "warning");
        case FIGURE -> leaf("span", part.text(), "class", "figure");
      }
    }
    return this;
  }

  /** What is no text: the page's own script and style, and base64. */
  Html raw(String ours) {
    if (ours.contains("</")) {
      throw new IllegalArgumentException("it would end the element that it stands in");
    }
    out.append(ours);
    return this;
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(each);
      }
    }
  }

  String written() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }
}
