package io.github.vtdiag.program;

import java.util.Optional;

/** Whose code a class is, and so who can change it. */
public sealed interface Owner {

  /**
   * The application: a class directory, {@code BOOT-INF/classes} or {@code WEB-INF/classes}, a jar
   * that names no coordinates, or one that is its own by how it was started, by its group id or
   * because the user says so.
   *
   * @param coordinates what the jar says that it is; empty if it does not
   */
  record Application(String location, Optional<Coordinates> coordinates) implements Owner {
    /** Where no jar tells coordinates. */
    public Application(String location) {
      this(location, Optional.empty());
    }
  }

  /** A library whose jar tells its coordinates. */
  record Library(Coordinates coordinates, String location) implements Owner {}

  /** The JDK. */
  record Jdk() implements Owner {}

  /** No jar is known, or a jar that bundles several libraries does not tell them apart. */
  record UnknownJar(String location) implements Owner {}

  /** Who it is: {@code application}, {@code JDK}, or the library with its version. */
  default String text() {
    return switch (this) {
      case Application application -> "application";
      case Library library -> library.coordinates().textWithEvidence();
      case Jdk jdk -> "JDK";
      case UnknownJar unknown ->
          unknown.location().isEmpty() ? "unknown jar" : "unknown library in " + unknown.location();
    };
  }
}
