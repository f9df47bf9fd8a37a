package io.github.vtdiag.program;

/**
 * A class file of a program that could not be read, so that its locks, supertypes and calls are
 * unknown.
 *
 * @param name the class that the file should define, with dots; empty if nothing tells
 * @param location the jar or directory it is in
 * @param why one clause
 */
public record UnreadClass(String name, String location, String why) {
  /** Returns one clause for the user. */
  public String text() {
    return (name.isEmpty() ? "a class" : name)
        + " in "
        + location
        + " could not be read ("
        + why
        + ")";
  }

  /**
   * Returns whether it may be in the package of a class.
   *
   * @param className with dots
   */
  public boolean mayBeInPackageOf(String className) {
    return name.isEmpty() || packageOf(name).equals(packageOf(className));
  }

  private static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }
}
