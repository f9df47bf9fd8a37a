package vtdiag.rewrite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which classes are rewritten.
 *
 * @param text as the user gave it
 * @param all whether every class of the application is; only then is it certain that no other code
 *     locks the same objects
 * @param bins whether the bins of {@code ConcurrentHashMap} are, too
 */
public record RewriteScope(
    String text, boolean all, List<Pattern> chosen, List<Pattern> left, boolean bins) {
  private static final String BINS = "concurrenthashmap";

  /** Chosen where nothing is, because an empty list chooses everything. */
  private static final Pattern NOTHING = Pattern.compile("(?!)");

  /** A key of vtdiag's JSON whose value is the name of a class. */
  private static final Pattern JSON_CLASS = Pattern.compile("\"class\"\\s*:\\s*\"([^\"]+)\"");

  private static final Pattern NAME =
      Pattern.compile("[\\p{javaJavaIdentifierPart}*]+(\\.[\\p{javaJavaIdentifierPart}*]+)*");

  /**
   * Reads {@code auto}, patterns of class names with {@code :} between them, those to leave out
   * after a {@code !}, or {@code @FILE}; and {@code concurrenthashmap}, which no other means.
   *
   * @throws IllegalArgumentException if it is none of these; the message says what would do
   */
  public static RewriteScope parse(String text) {
    List<Pattern> chosen = new ArrayList<>();
    List<Pattern> left = new ArrayList<>();
    boolean auto = false;
    boolean bins = false;
    for (String each : text.startsWith("@") ? List.of(text) : List.of(text.split(":", -1))) {
      if (each.startsWith("@")) {
        read(each.substring(1)).forEach(name -> chosen.add(pattern(name)));
      } else if (each.startsWith("!")) {
        left.add(pattern(each.substring(1)));
      } else if (each.equals("auto")) {
        auto = true;
      } else if (each.equals(BINS)) {
        bins = true;
      } else {
        chosen.add(pattern(each));
      }
    }
    if (bins && !auto && chosen.isEmpty()) {
      chosen.add(NOTHING);
    }
    if (!auto && chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "rewrite names no class to rewrite; give auto, class names such as com.example.*, or"
              + " @FILE");
    }
    return new RewriteScope(text, auto && left.isEmpty(), auto ? List.of() : chosen, left, bins);
  }

  private static List<String> read(String file) {
    String content;
    try {
      content = Files.readString(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException("rewrite cannot read the file '" + file + "': " + e, e);
    }
    List<String> names;
    if (content.stripLeading().startsWith("{")) {
      names = new ArrayList<>();
      Matcher matcher = JSON_CLASS.matcher(content);
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
    } else {
      // A class moves as a whole: its methods share their locks.
      names =
          content
              .lines()
              .map(line -> line.strip().replaceFirst("^#.*|(?<=.)#.*", ""))
              .filter(line -> !line.isEmpty())
              .toList();
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "rewrite finds no class in '"
              + file
              + "'; give a JSON report of vtdiag, or CLASS#METHOD or CLASS a line");
    }
    return names.stream().distinct().toList();
  }

  /** A class name with {@code *} for anything; its nested classes are meant, too. */
  private static Pattern pattern(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "rewrite takes auto, class names such as com.example.*, or @FILE, not '" + text + "'");
    }
    String quoted =
        Pattern.compile("\\*")
            .splitAsStream(text + "\0")
            .map(part -> Pattern.quote(part.replace("\0", "")))
            .collect(Collectors.joining(".*"));
    return Pattern.compile(quoted + "(\\$.*)?");
  }

  /** Whether no class of the application is rewritten. */
  public boolean onlyBins() {
    return bins && chosen.contains(NOTHING);
  }

  /** Whether a class of the application is rewritten, by the name that {@code Class} gives it. */
  public boolean has(String className) {
    return (chosen.isEmpty() || matches(chosen, className)) && !matches(left, className);
  }

  private static boolean matches(List<Pattern> patterns, String className) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(className).matches());
  }
}
