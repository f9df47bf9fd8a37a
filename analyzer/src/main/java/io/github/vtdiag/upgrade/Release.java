package io.github.vtdiag.upgrade;

import io.github.vtdiag.program.LibraryClasses;
import java.time.LocalDate;
import java.util.Optional;

/**
 * One version of a library.
 *
 * @param library the name under which its classes are, {@code group:artifact}; another one than
 *     that of the library if they have moved
 * @param classes its classes; none if its jar has none, and nothing names another
 * @param built the day on which its classes were written; empty if its jar does not tell
 */
public record Release(String library, LibraryClasses classes, Optional<LocalDate> built) {
  boolean isEmpty() {
    return classes.names().isEmpty();
  }
}
