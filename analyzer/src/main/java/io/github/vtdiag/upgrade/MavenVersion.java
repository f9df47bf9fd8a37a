package io.github.vtdiag.upgrade;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.aether.util.version.GenericVersionScheme;
import org.eclipse.aether.version.InvalidVersionSpecificationException;
import org.eclipse.aether.version.Version;
import org.eclipse.aether.version.VersionScheme;

/**
 * The versions of libraries: their order, which is that of Maven itself, and the meaning of their
 * parts.
 */
public final class MavenVersion {
  private static final Pattern PART = Pattern.compile("\\d+|[a-z]+");
  private static final Pattern ONE = Pattern.compile("[A-Za-z]{0,10}\\d[\\w.+-]*");
  private static final Pattern DATE = Pattern.compile("((?:19|20)\\d{6})(?:\\d{4}|\\d{6})?(?!\\d)");
  private static final VersionScheme SCHEME = new GenericVersionScheme();

  private static final Pattern EARLY =
      Pattern.compile("alpha|beta|milestone|rc|snapshot|preview|pre|ea|dev|nightly|test");

  private MavenVersion() {}

  /** Returns whether a version is no release: an alpha, a snapshot and the like. */
  public static boolean isEarly(String version) {
    return parts(version).stream().anyMatch(part -> EARLY.matcher(part).matches());
  }

  /** Returns whether it begins with the day on which it was made: {@code 20030825.184428}. */
  public static boolean isDate(String version) {
    return date(version).isPresent();
  }

  /** Returns the day with which it begins. */
  static Optional<LocalDate> date(String version) {
    Matcher matcher = DATE.matcher(version);
    if (!matcher.lookingAt()) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDate.parse(matcher.group(1), DateTimeFormatter.BASIC_ISO_DATE));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the text names one version. */
  public static boolean isOne(String text) {
    return ONE.matcher(text).matches();
  }

  /**
   * Returns the part that tells the builds of one version apart: {@code jre11} of 12.2.0.jre11;
   * often empty.
   */
  static String build(String version) {
    List<String> parts = parts(version);
    int at = 0;
    while (at < parts.size() && (isNumber(parts.get(at)) || parts.get(at).isEmpty())) {
      at++;
    }
    return isEarly(version) ? "" : String.join("", parts.subList(at, parts.size()));
  }

  /** Returns the first two numbers, which releases of one line of development have in common. */
  static String line(String version) {
    List<String> parts = parts(version);
    return String.join(".", parts.subList(0, Math.min(2, parts.size())));
  }

  /** Returns the first number. */
  static String major(String version) {
    return parts(version).getFirst();
  }

  /** Returns a negative number if the left one is older, like a {@link java.util.Comparator}. */
  public static int compare(String left, String right) {
    return parsed(left).compareTo(parsed(right));
  }

  private static Version parsed(String version) {
    try {
      return SCHEME.parseVersion(version);
    } catch (InvalidVersionSpecificationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static List<String> parts(String version) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = PART.matcher(version.toLowerCase(Locale.ROOT));
    while (matcher.find()) {
      parts.add(
          switch (matcher.group()) {
            case "a" -> "alpha";
            case "b" -> "beta";
            case "m" -> "milestone";
            case "cr" -> "rc";
            case "ga", "final", "release" -> "";
            default -> matcher.group();
          });
    }
    return parts;
  }

  private static boolean isNumber(String part) {
    return !part.isEmpty() && Character.isDigit(part.charAt(0));
  }
}
