package io.github.vtdiag.source;

import io.github.vtdiag.model.ClassMonitors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Kotlin files of the source folders. Their names say little about the classes in them. */
final class KotlinSources {
  private final List<KotlinFile> files = new ArrayList<>();
  private final Map<KotlinFile, KotlinSites> matched = new HashMap<>();

  /** The files that are left out, with the reasons. */
  private final Map<Path, DeclinedException> refused;

  KotlinSources(List<Path> paths, Map<Path, DeclinedException> refused) {
    this.refused = refused;
    for (Path path : paths) {
      try {
        files.add(KotlinFile.parse(path, SourceText.of(Files.readAllBytes(path))));
        // The roots are real paths, so that only a link below one of them makes a difference.
        if (!path.toRealPath().equals(path)) {
          refused.put(
              path,
              DeclinedException.ofSources(
                  path + " is behind a symbolic link, and such files are not patched"));
        }
      } catch (DeclinedException e) {
        refused.put(path, e);
      } catch (IOException e) {
        refused.put(path, DeclinedException.ofSources(path + " cannot be read: " + e.getMessage()));
      }
    }
  }

  /** Returns the files that could be read. */
  List<KotlinFile> files() {
    return files;
  }

  /** Finds the file of a class. */
  Optional<Path> pathOf(String className) {
    return files.stream()
        .filter(file -> file.declares(className))
        .map(file -> file.path)
        .findFirst();
  }

  /**
   * Returns the sites of the file that declares a class.
   *
   * @throws DeclinedException if there is not exactly one such file, or it is not the source of the
   *     classes
   */
  KotlinSites sites(String className, Collection<ClassMonitors> program) throws DeclinedException {
    List<KotlinFile> found = files.stream().filter(file -> file.declares(className)).toList();
    if (found.size() != 1) {
      throw DeclinedException.ofSources(
          found.isEmpty()
              ? "the source of " + className + " is not in the given folders"
              : "%s and %s both declare %s"
                  .formatted(found.get(0).path, found.get(1).path, className));
    }
    KotlinFile file = found.getFirst();
    if (refused.containsKey(file.path)) {
      throw refused.get(file.path);
    }
    KotlinSites known = matched.get(file);
    if (known == null) {
      known = new KotlinSites(file, program);
      matched.put(file, known);
    }
    return known;
  }
}
