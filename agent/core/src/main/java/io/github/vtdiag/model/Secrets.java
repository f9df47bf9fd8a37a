package io.github.vtdiag.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of arguments that are named like secrets, which are neither recorded nor printed. */
public final class Secrets {
  /** A pattern that the names of secrets contain. */
  private static final Pattern NAME =
      Pattern.compile("(?i)pass(?:word|wd|phrase)|pwd|secret|token|key|credential");

  private Secrets() {}

  /** Returns whether an argument contains a name of a secret. */
  public static boolean areNamed(String argument) {
    return NAME.matcher(argument).find();
  }

  /** Returns all up to the value: {@code -Ddb.password=}. */
  public static String without(String argument) {
    Matcher secret = NAME.matcher(argument);
    if (!secret.find()) {
      return argument;
    }
    int value = argument.indexOf('=', secret.end());
    return value < 0 ? argument.substring(0, secret.start()) : argument.substring(0, value + 1);
  }
}
