package io.github.vtdiag.upgrade;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of Maven versions, as far as the versions of released libraries need it: numbers by
 * value, {@code alpha < beta < milestone < rc < snapshot < release < other words}, and trailing
 * zeros without meaning.
 */
public final class MavenVersion {
  private static final Pattern PART = Pattern.compile("\\d+|[a-z]+");
  private static final Pattern ONE = Pattern.compile("[A-Za-z]{0,10}\\d[\\w.+-]*");
  private static final List<String> QUALIFIERS =
      List.of("alpha", "beta", "milestone", "rc", "snapshot", "");
  private static final int RELEASE = QUALIFIERS.indexOf("");

  private static final Pattern EARLY =
      Pattern.compile("alpha|beta|milestone|rc|snapshot|preview|pre|ea|dev|nightly|test");

  private MavenVersion() {}

  /** Whether a version is no release: an alpha, a snapshot and the like. */
  public static boolean isEarly(String version) {
    return parts(version).stream().anyMatch(part -> EARLY.matcher(part).matches());
  }

  /** Whether it is text that names one version. */
  public static boolean isOne(String text) {
    return ONE.matcher(text).matches();
  }

  /** What sets apart the builds of one version: {@code jre11} of 12.2.0.jre11; often empty. */
  static String build(String version) {
    List<String> parts = parts(version);
    int at = 0;
    while (at < parts.size() && (isNumber(parts.get(at)) || parts.get(at).isEmpty())) {
      at++;
    }
    return isEarly(version) ? "" : String.join("", parts.subList(at, parts.size()));
  }

  /** The first number. */
  static String major(String version) {
    return parts(version).getFirst();
  }

  /** Negative if the left one is older, as {@link java.util.Comparator} has it. */
  public static int compare(String left, String right) {
    List<String> a = parts(left);
    List<String> b = parts(right);
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      int order = comparePart(i < a.size() ? a.get(i) : "", i < b.size() ? b.get(i) : "");
      if (order != 0) {
        return order;
      }
    }
    return 0;
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

  private static int comparePart(String a, String b) {
    if (isNumber(a) || isNumber(b)) {
      // A word before a number: 1.0-rc < 1.0.1, and nothing counts as zero.
      if (!a.isEmpty() && !isNumber(a)) {
        return -1;
      }
      if (!b.isEmpty() && !isNumber(b)) {
        return 1;
      }
      return number(a).compareTo(number(b));
    }
    int order = Integer.compare(rank(a), rank(b));
    return order != 0 ? order : a.compareTo(b);
  }

  private static boolean isNumber(String part) {
    return !part.isEmpty() && Character.isDigit(part.charAt(0));
  }

  private static BigInteger number(String part) {
    return part.isEmpty() ? BigInteger.ZERO : new BigInteger(part);
  }

  private static int rank(String part) {
    int known = QUALIFIERS.indexOf(part);
    return known >= 0 ? known : RELEASE + 1;
  }
}
