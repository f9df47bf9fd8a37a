package io.github.vtdiag.owner;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The owner of a class's code, who can change it. */
public sealed interface Owner {

  /**
   * The application. Its code is in a class directory, {@code BOOT-INF/classes} or {@code
   * WEB-INF/classes}, or in a jar that names no coordinates. A jar is also its own by the way it
   * was started, by its group id, or because the user says so.
   *
   * @param coordinates the coordinates that the jar tells; empty if there are none
   */
  record Application(String location, Optional<Coordinates> coordinates) implements Owner {
    /** An application of which no jar tells coordinates. */
    public Application(String location) {
      this(location, Optional.empty());
    }
  }

  /** A library whose jar tells its coordinates. */
  record Library(Coordinates coordinates, String location) implements Owner {}

  /** The JDK. */
  record Jdk() implements Owner {}

  /** No jar is known, or a jar that bundles several libraries does not tell them apart. */
  record UnknownJar(String location) implements Owner {
    /** Returns the name of the jar: that of the file, or of the jar inside it. */
    public String fileName() {
      return JarOwners.fileName(location);
    }

    /** Returns whether the jar is a file of this machine, so that it was read. */
    public boolean isHere() {
      return !location.isEmpty() && Files.isRegularFile(Path.of(location.split("!/", 2)[0]));
    }
  }

  /**
   * Returns the owner's name: {@code application}, {@code JDK}, or the library with its version.
   */
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
