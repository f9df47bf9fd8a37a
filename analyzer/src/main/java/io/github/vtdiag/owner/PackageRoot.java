package io.github.vtdiag.owner;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The package that contains all code of one owner. */
public final class PackageRoot {
  /** The packages under which many owners have code: one more part tells them apart. */
  private static final Set<String> MANY_OWNERS =
      Set.of(
          "com.amazonaws",
          "com.azure",
          "com.github",
          "com.gitlab",
          "com.google",
          "com.ibm",
          "com.microsoft",
          "com.oracle",
          "com.sun",
          "io.github",
          "io.gitlab",
          "io.micronaut",
          "io.quarkus",
          "io.vertx",
          "org.apache",
          "org.codehaus",
          "org.eclipse",
          "org.jboss",
          "org.jetbrains",
          "org.springframework");

  /** The names that stand for "company" below a country: co.uk, com.au. */
  private static final Set<String> SECOND_LEVELS = Set.of("ac", "co", "com", "gov", "net", "org");

  private PackageRoot() {}

  /**
   * Finds the package one above that of the main class, because a program belongs to one owner;
   * never one above the owner's name. Empty if the class's package names no owner.
   */
  public static Optional<String> of(String mainClass) {
    List<String> parts = List.of(mainClass.split("\\.", -1));
    int packages = parts.size() - 1;
    int least = partsOfAnOwner(parts);
    return packages < least
        ? Optional.empty()
        : Optional.of(String.join(".", parts.subList(0, Math.max(least, packages - 1))));
  }

  /** Returns whether only one owner's code is under this package or group id. */
  static boolean isOneOwners(String name) {
    List<String> parts = List.of(name.split("\\.", -1));
    return parts.size() >= partsOfAnOwner(parts);
  }

  private static int partsOfAnOwner(List<String> parts) {
    if (parts.size() < 2) {
      return 2;
    }
    boolean isCountrys = parts.get(0).length() == 2 && SECOND_LEVELS.contains(parts.get(1));
    return isCountrys || MANY_OWNERS.contains(parts.get(0) + "." + parts.get(1)) ? 3 : 2;
  }

  /** Returns whether a name is this package's, or is inside it. */
  static boolean isInside(String name, String root) {
    return name.startsWith(root)
        && (name.length() == root.length() || name.charAt(root.length()) == '.');
  }
}
