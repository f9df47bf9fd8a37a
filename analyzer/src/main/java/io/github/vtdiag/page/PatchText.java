package io.github.vtdiag.page;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.format.Html;
import java.util.List;

/** Writes a diff for reading. */
final class PatchText {
  /** The most lines on the page; a longer diff is for an editor. */
  private static final int MOST_LINES = 600;

  private PatchText() {}

  static void write(Html html, String diff) {
    List<String> lines = diff.lines().toList();
    long files = lines.stream().filter(line -> line.startsWith("+++ ")).count();
    html.open("details", "class", "patch").open("summary");
    html.text("Patch: " + Figures.count(files, "file") + ", ");
    html.leaf("span", "+" + changed(lines, '+'), "class", "good").text(" ");
    html.leaf("span", "\u2212" + changed(lines, '-'), "class", "bad");
    html.text(" lines").close();
    html.open("pre", "tabindex", "0", "role", "region", "aria-label", "Patch").open("code");
    for (String line : lines.subList(0, Math.min(MOST_LINES, lines.size()))) {
      html.open("span", "class", look(line));
      // A tab is written as it is in the file: it is harmless here.
      String[] parts = line.split("\t", -1);
      for (int i = 0; i < parts.length; i++) {
        html.raw(i == 0 ? "" : "\t").text(parts[i]);
      }
      html.raw("\n").close();
    }
    html.close().close();
    if (lines.size() > MOST_LINES) {
      html.leaf(
          "p",
          Figures.count(lines.size() - MOST_LINES)
              + " more lines: make the patch with the command.",
          "class",
          "faint");
    }
    html.end();
  }

  private static long changed(List<String> lines, char sign) {
    return lines.stream().filter(line -> line.startsWith("" + sign) && !isHead(line)).count();
  }

  private static boolean isHead(String line) {
    return line.startsWith("+++ ") || line.startsWith("--- ");
  }

  private static String look(String line) {
    if (line.isEmpty() || isHead(line)) {
      return "head";
    }
    return switch (line.charAt(0)) {
      case '+' -> "added";
      case '-' -> "removed";
      case '@' -> "head";
      default -> "kept";
    };
  }
}
