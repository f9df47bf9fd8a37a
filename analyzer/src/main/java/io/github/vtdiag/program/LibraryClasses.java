package io.github.vtdiag.program;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The classes of one version of a library. */
public interface LibraryClasses {
  /** Returns the names of all of them, with dots. */
  Set<String> names();

  /** Finds the class file of one of them, by its name with dots. */
  Optional<byte[]> find(String className);

  /** Returns the classes in memory, by their names with dots. */
  static LibraryClasses of(Map<String, byte[]> classes) {
    return new LibraryClasses() {
      @Override
      public Set<String> names() {
        return classes.keySet();
      }

      @Override
      public Optional<byte[]> find(String className) {
        return Optional.ofNullable(classes.get(className));
      }
    };
  }
}
