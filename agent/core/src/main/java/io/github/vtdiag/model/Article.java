package io.github.vtdiag.model;

import java.util.regex.Pattern;

/** Puts the indefinite article before names of classes, by the sound with which they begin. */
public final class Article {
  /** The words that begin with a vowel's letter and a consonant's sound. */
  private static final Pattern CONSONANT_SOUND =
      Pattern.compile(
          "(?:[Uu](?:ni(?![nm])|s[aeu]|tili?|ri|rl|uid)|U(?=[A-Z])|[Ee]u|[Oo]n(?:e|ce)(?![a-z])).*",
          Pattern.DOTALL);

  /** The letters of an abbreviation whose own names begin with a vowel, such as that of F. */
  private static final Pattern SPELLED =
      Pattern.compile("[FHLMNRSX](?=[A-Z0-9]).*", Pattern.DOTALL);

  private static final String VOWELS = "AEIOUaeiou";

  private Article() {}

  /** Returns {@code an org.acme.Pool}, or {@code a com.acme.Pool}. */
  public static String with(String name) {
    return of(name) + " " + name;
  }

  /** Returns the article alone. */
  public static String of(String name) {
    boolean vowel =
        SPELLED.matcher(name).matches()
            || (!name.isEmpty()
                && VOWELS.indexOf(name.charAt(0)) >= 0
                && !CONSONANT_SOUND.matcher(name).matches());
    return vowel ? "an" : "a";
  }
}
