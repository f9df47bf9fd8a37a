package io.github.vtdiag.program;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The classes of a library, from a jar or a part of a class path.
 *
 * @param coordinates the coordinates that the jar tells; empty if there are none
 * @param classes all its classes
 * @param written the day on which the newest of them was written; empty if the jar does not tell
 */
public record LibraryJar(
    Optional<Coordinates> coordinates, LibraryClasses classes, Optional<LocalDate> written) {

  /**
   * Reads one jar.
   *
   * @param jdk the feature number that chooses among the classes of a multi-release jar
   * @throws DataException if it is no jar
   */
  public static LibraryJar read(Path jar, int jdk) throws DataException {
    if (!Files.isRegularFile(jar)) {
      throw new DataException(
          jar + (Files.exists(jar) ? " is no file" : " does not exist") + "; name a jar");
    }
    return read(List.of(jar.toString()), jdk, owner -> true);
  }

  /** Reads the classes of some owners from a class path. */
  public static LibraryJar read(List<String> classPath, int jdk, Predicate<Owner> isWanted)
      throws DataException {
    Map<String, byte[]> classes = new HashMap<>();
    Set<Coordinates> named = new LinkedHashSet<>();
    Optional<LocalDate> written;
    try (ClassPathBytes bytes = ClassPathBytes.open(classPath, jdk)) {
      written = bytes.written(isWanted);
      for (ClassBytes each : bytes.all(isWanted)) {
        name(each.bytes()).ifPresent(name -> classes.put(name, each.bytes()));
        if (each.owner() instanceof Owner.Library(Coordinates coordinates, String location)) {
          named.add(coordinates);
        }
      }
    }
    return new LibraryJar(
        named.size() == 1 ? Optional.of(named.iterator().next()) : Optional.empty(),
        LibraryClasses.of(classes),
        written);
  }

  /** Returns the name with dots in a class file; empty if it cannot be read. */
  private static Optional<String> name(byte[] bytes) {
    try {
      return Optional.of(new ClassScan().scan(bytes, bytes.length).name().replace('/', '.'));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
