package io.github.vtdiag.report.format;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.Sha256;
import io.github.vtdiag.report.words.Phrase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Set;

/** A builder of HTML. Any given text stays text: names in it come from the application. */
public final class Html {
  private static final Set<String> EMPTY = Set.of("meta", "link", "input", "wbr");

  /** The length of a word, in characters, from which on it may be wider than a narrow screen. */
  private static final int WIDE = 30;

  private final StringBuilder out = new StringBuilder("<!doctype html>\n");
  private final Deque<String> open = new ArrayDeque<>();

  /** Makes a fragment without a page around it. */
  public Html() {}

  /**
   * Begins a page up to its body. It loads nothing from the network, and nothing but the script can
   * run.
   *
   * @param script the page's own script, which the caller writes at the end; empty if there is none
   */
  public static Html page(String title, String script) {
    String style = resource(Html.class, "page.css");
    Html html = new Html();
    html.open("html", "lang", "en").open("head");
    html.open("meta", "charset", "utf-8");
    html.open(
        "meta",
        "http-equiv",
        "Content-Security-Policy",
        "content",
        "default-src 'none'; script-src "
            + (script.isEmpty() ? "'none'" : hash(script))
            + "; style-src "
            + hash(style)
            + "; img-src data:; base-uri 'none'; form-action 'none'");
    html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.open("meta", "name", "color-scheme", "content", "light dark");
    html.open("meta", "name", "referrer", "content", "no-referrer");
    html.open("link", "rel", "icon", "href", "data:,");
    html.leaf("title", title);
    html.open("style").raw(style).end();
    html.end();
    return html.open("body");
  }

  /** Returns the text of a resource beside a class. */
  public static String resource(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    byte[] digest = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  /** Begins an element. An attribute without a value is a boolean one. */
  public Html open(String tag, String... attributes) {
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
  public Html close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Ends the innermost element and its line. */
  public Html end() {
    close();
    out.append('\n');
    return this;
  }

  /** Writes an element that has only text. */
  public Html leaf(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close();
  }

  public Html text(String text) {
    escape(Printable.text(text));
    return this;
  }

  /**
   * Writes a name with dots, after each of which it may break; the part before the class is faint.
   */
  public Html name(String name) {
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

  /**
   * Writes a text that may break after the dots, colons and slashes of names, but not within a
   * number, nor before the ending of a file's name.
   */
  public Html broken(String name) {
    String ends = name.indexOf('/') < 0 ? ".:" : "/";
    int from = 0;
    for (int i = 0; i + 1 < name.length(); i++) {
      if (ends.indexOf(name.charAt(i)) >= 0
          && Character.isJavaIdentifierStart(name.charAt(i + 1))) {
        text(name.substring(from, i + 1));
        open("wbr");
        from = i + 1;
      }
    }
    return text(name.substring(from));
  }

  /** Writes a sentence, in which a name breaks if it may be wider than the screen of a phone. */
  private void sentence(String text) {
    for (String word : text.splitWithDelimiters(" ", 0)) {
      if (word.length() > WIDE) {
        broken(word);
      } else {
        text(word);
      }
    }
  }

  public Html phrase(Phrase phrase) {
    for (Phrase.Part part : phrase.parts()) {
      switch (part.tone()) {
        case PLAIN -> sentence(part.text());
        case NAME -> open("code").name(part.text()).close();
        case STRONG -> open("strong").broken(part.text()).close();
        case FAINT -> open("span", "class", "faint").broken(part.text()).close();
        case GOOD -> open("strong", "class", "good").broken(part.text()).close();
        case BAD -> open("strong", "class", "bad").broken(part.text()).close();
        case WARNING -> open("strong", "class", "warning").broken(part.text()).close();
        case FIGURE -> leaf("span", part.text(), "class", "figure");
      }
    }
    return this;
  }

  /** Writes content that is not text: the page's own script and style, and base64. */
  public Html raw(String ours) {
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

  /** Returns all of it, once each element has ended. */
  public String written() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }
}
