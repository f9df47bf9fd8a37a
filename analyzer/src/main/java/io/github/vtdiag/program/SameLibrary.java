package io.github.vtdiag.program;

import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.util.List;
import java.util.Optional;

/** A library in two versions on one class path. */
final class SameLibrary {
  private SameLibrary() {}

  /**
   * Returns a sentence about a class that is in two versions of its library.
   *
   * @param definitions of the class, in the order of the class path
   * @param loaded the recorded place from which it was loaded
   */
  static Optional<String> twice(List<ClassBytes> definitions, Optional<String> loaded) {
    if (definitions.size() < 2
        || !(definitions.getFirst().owner()
            instanceof Owner.Library(Coordinates used, String in))) {
      return Optional.empty();
    }
    for (ClassBytes other : definitions.subList(1, definitions.size())) {
      if (other.owner() instanceof Owner.Library(Coordinates unused, String at)
          && unused.artifact().equals(used.artifact())
          && unused.group().equals(used.group())
          && !unused.version().equals(used.version())) {
        return Optional.of(
            "%s and %s are both on the class path; ".formatted(used.text(), unused.text())
                + loaded
                    .map("its classes were loaded from %s"::formatted)
                    .orElse("its classes are taken from %s, not %s".formatted(in, at)));
      }
    }
    return Optional.empty();
  }
}
