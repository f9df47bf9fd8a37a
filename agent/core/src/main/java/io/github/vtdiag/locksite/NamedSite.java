package io.github.vtdiag.locksite;

import io.github.vtdiag.model.MonitorRegion;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A class, or a place in it, whose monitors are to become locks.
 *
 * @param type the class's name, with {@code *} for anything; nested classes are included
 * @param method the method that locks; empty if only the class was named
 * @param descriptor that method's descriptor; empty if it is unknown
 * @param kind the form of its monitor; empty if it is unknown
 */
public record NamedSite(
    String type, String method, String descriptor, Optional<MonitorRegion.Kind> kind) {
  private static final Pattern CLASS =
      Pattern.compile("[\\p{javaJavaIdentifierPart}*]+(\\.[\\p{javaJavaIdentifierPart}*]+)*");

  /**
   * Reads {@code CLASS} or {@code CLASS#METHOD}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static NamedSite parse(String text) {
    int hash = text.indexOf('#');
    String type = hash < 0 ? text : text.substring(0, hash);
    String method = hash < 0 ? "" : text.substring(hash + 1);
    // A method's name may be nearly anything, but not contain these.
    if (!CLASS.matcher(type).matches()
        || (hash >= 0 && !method.matches("[^\\s.;\\[/#]+"))
        || (hash >= 0 && type.contains("*"))) {
      throw new IllegalArgumentException("'" + text + "' is neither CLASS nor CLASS#METHOD");
    }
    return new NamedSite(type, method, "", Optional.empty());
  }

  /**
   * Returns whether this names the class, given by its {@code Class} name, or one that encloses it.
   */
  public boolean has(String className) {
    for (int end = className.length(); end > 0; end = className.lastIndexOf('$', end - 1)) {
      if (matches(className.substring(0, end))) {
        return true;
      }
    }
    return false;
  }

  /** Matches without regular expressions: the agent asks for every class that loads. */
  private boolean matches(String name) {
    int at = 0;
    int next = 0;
    int star = -1;
    int swallowed = 0;
    while (at < name.length()) {
      if (next < type.length() && type.charAt(next) == '*') {
        star = next++;
        swallowed = at;
      } else if (next < type.length() && type.charAt(next) == name.charAt(at)) {
        next++;
        at++;
      } else if (star >= 0) {
        next = star + 1;
        at = ++swallowed;
      } else {
        return false;
      }
    }
    return type.substring(next).chars().allMatch(c -> c == '*');
  }

  /** Returns whether the name can stand for several classes. */
  public boolean isPattern() {
    return type.contains("*");
  }
}
