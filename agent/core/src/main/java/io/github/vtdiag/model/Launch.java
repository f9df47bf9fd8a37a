package io.github.vtdiag.model;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The jar or class with which a JVM was started, without its arguments, which may hold secrets.
 *
 * @param jar the file after {@code -jar}, as it was typed; empty if a class was named
 * @param mainClass the class that was named; empty if a jar was, or if it is unknown
 */
public record Launch(String jar, String mainClass) {
  public static final Launch UNKNOWN = new Launch("", "");

  /** A class, preceded by its module if it was started from one. */
  private static final Pattern MAIN_CLASS =
      Pattern.compile(
          "(?:[\\w.]+/)?([\\p{L}_$][\\p{L}\\p{N}_$]*(?:\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*)");

  private static final Pattern JAR_WITH_SPACES = Pattern.compile("(?i)(.+?\\.(?:jar|war))(?: .*)?");

  /**
   * Reads a command line as HotSpot keeps it: a jar or a main class, then the program's arguments,
   * with a space between any two.
   */
  public static Launch of(String command) {
    String first = command.strip().split(" ", 2)[0];
    if (isArchive(first)) {
      return new Launch(first, "");
    }
    Matcher mainClass = MAIN_CLASS.matcher(first);
    if (mainClass.matches()) {
      return new Launch("", mainClass.group(1));
    }
    Matcher jar = JAR_WITH_SPACES.matcher(command.strip());
    return jar.matches() ? new Launch(jar.group(1), "") : UNKNOWN;
  }

  /** Returns the last part of the jar's path; empty if no jar was named. */
  public String jarName() {
    return jar.substring(Math.max(jar.lastIndexOf('/'), jar.lastIndexOf('\\')) + 1);
  }

  private static boolean isArchive(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return name.endsWith(".jar") || name.endsWith(".war");
  }
}
