package io.github.vtdiag.locksite;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a class that are lines of its own source file. Kotlin's compiler numbers the code
 * that it inlines with lines beyond the end of the file. It declares them in the
 * SourceDebugExtension (JSR-45).
 */
final class OwnLines {
  private static final Pattern LINES =
      Pattern.compile("(\\d{1,9})(?:#(\\d+))?(?:,(\\d{1,9}))?:(\\d{1,9})(?:,\\d+)?");

  private OwnLines() {}

  /** Returns the last own line that the debug extension names; the extension may be null. */
  static int last(String extension) {
    if (extension == null || !extension.startsWith("SMAP")) {
      return Integer.MAX_VALUE;
    }
    int last = -1;
    String file = "";
    boolean inLines = false;
    for (String line : extension.lines().toList()) {
      Matcher lines = LINES.matcher(line);
      if (line.startsWith("*")) {
        inLines = line.equals("*L");
        if (line.equals("*E") || (inLines && last >= 0)) {
          break; // the next section has the calls of what is inlined
        }
      } else if (inLines && lines.matches()) {
        file = lines.group(2) == null ? file : lines.group(2);
        // The file's own lines are the only ones that keep their numbers.
        if (file.equals("1") && lines.group(1).equals(lines.group(4))) {
          int repeated = lines.group(3) == null ? 1 : Integer.parseInt(lines.group(3));
          last = Math.max(last, Integer.parseInt(lines.group(1)) + repeated - 1);
        }
      }
    }
    return last < 0 ? Integer.MAX_VALUE : last;
  }
}
