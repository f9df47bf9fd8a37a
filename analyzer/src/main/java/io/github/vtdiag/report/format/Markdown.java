package io.github.vtdiag.report.format;

import io.github.vtdiag.model.Printable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Escapes text from anywhere, so that Markdown (CommonMark, and GitHub's) shows it as it is. */
final class Markdown {
  /** Characters that can begin markup; a backslash before one is not shown. */
  private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_\\[\\]<>|~&$]");

  /** Characters that would begin a list, a heading or a rule at the start of a line. */
  private static final Pattern START = Pattern.compile("^(\\s*(?:\\d{1,9}(?=[.)]))?)([-+=#.)])");

  /** Text that GitHub turns into links without any markup: addresses, people, issues. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?i)(https?|ftp|mailto|xmpp)(:)|(\\bwww)(\\.)");

  private static final Pattern REFERENCE = Pattern.compile("([@#])(?=[\\p{L}\\p{N}])");

  /** Shows nothing, and separates what is before it from what follows. */
  private static final String NOTHING = "<!-- -->";

  private static final Pattern TICKS = Pattern.compile("`+");

  private Markdown() {}

  /** Escapes text within a paragraph, a list, a heading or a table. */
  static String text(String text) {
    String escaped = SPECIAL.matcher(safe(text)).replaceAll("\\\\$0");
    escaped = ADDRESS.matcher(escaped).replaceAll("$1$3\\\\$2$4");
    return REFERENCE.matcher(escaped).replaceAll("$1" + NOTHING);
  }

  /** Escapes the start of a line of Markdown, so that it stays a line of a paragraph. */
  static String line(String markdown) {
    return START.matcher(markdown).replaceFirst("$1\\\\$2");
  }

  /** Returns the text in bold; spaces at its ends stay outside, as they must. */
  static String strong(String text) {
    String safe = safe(text);
    String inside = safe.strip();
    if (inside.isEmpty()) {
      return safe;
    }
    int at = safe.indexOf(inside);
    return safe.substring(0, at)
        + "**"
        + text(inside)
        + "**"
        + safe.substring(at + inside.length());
  }

  /** Returns the text as code, between more backticks than it has in a row. */
  static String code(String text) {
    String safe = safe(text);
    if (safe.isBlank()) {
      return safe;
    }
    int longest = 0;
    Matcher ticks = TICKS.matcher(safe);
    while (ticks.find()) {
      longest = Math.max(longest, ticks.end() - ticks.start());
    }
    String fence = "`".repeat(longest + 1);
    boolean padded = safe.startsWith("`") || safe.endsWith("`") || longest > 0;
    return padded ? fence + " " + safe + " " + fence : fence + safe + fence;
  }

  /** Returns lines in a fence of three backticks. */
  static String fenced(List<String> lines) {
    return lines.stream()
        .map(line -> Printable.text(line).replace("```", "` ` `") + "\n")
        .collect(Collectors.joining());
  }

  private static String safe(String text) {
    return Printable.text(LongWords.shortened(text));
  }
}
