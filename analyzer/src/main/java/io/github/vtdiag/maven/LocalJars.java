package io.github.vtdiag.maven;

import io.github.vtdiag.owner.Coordinates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The jars on this machine, in local repositories: the one from which a library was loaded, and the
 * user's. They are found by their paths alone; nothing of Maven is needed.
 */
public final class LocalJars {
  private final List<Path> repositories;

  /**
   * @param repositories folders that are laid out as Maven does it
   */
  public LocalJars(List<Path> repositories) {
    this.repositories = List.copyOf(repositories);
  }

  /** Returns the jars in the user's own repository, where Maven has it by default. */
  public static LocalJars ofUser() {
    String set = System.getProperty("maven.repo.local");
    return new LocalJars(
        List.of(
            set == null
                ? Path.of(System.getProperty("user.home"), ".m2", "repository")
                : Path.of(set)));
  }

  /**
   * Returns the jar of another version of a library.
   *
   * @param loadedFrom the jars from which the library was loaded
   */
  public Optional<Path> find(
      String group, String artifact, Coordinates ran, String version, List<String> loadedFrom) {
    String name = artifact + "-" + version + ".jar";
    List<Path> folders = new ArrayList<>();
    for (String location : loadedFrom) {
      versions(location, artifact, ran.version()).ifPresent(folders::add);
    }
    for (Path repository : repositories) {
      folders.add(repository.resolve(group.replace('.', '/')).resolve(artifact));
    }
    return folders.stream()
        .map(folder -> folder.resolve(version))
        .flatMap(folder -> in(folder, name).stream())
        .findFirst();
  }

  /** Returns the jar of a version of a library. */
  public Optional<Path> find(String group, String artifact, String version) {
    return repositories.stream()
        .map(each -> each.resolve(group.replace('.', '/')).resolve(artifact).resolve(version))
        .flatMap(folder -> in(folder, artifact + "-" + version + ".jar").stream())
        .findFirst();
  }

  /** Returns the versions of a library whose jar is in them. */
  public List<String> versions(String group, String artifact) {
    List<String> found = new ArrayList<>();
    for (Path repository : repositories) {
      Path folder = repository.resolve(group.replace('.', '/')).resolve(artifact);
      try (Stream<Path> versions = Files.list(folder)) {
        versions
            .map(each -> each.getFileName().toString())
            .filter(
                each -> Files.exists(folder.resolve(each).resolve(artifact + "-" + each + ".jar")))
            .forEach(found::add);
      } catch (IOException | UncheckedIOException e) {
        // There are none.
      }
    }
    return found;
  }

  /** Returns the folder of all versions, in a repository of Maven's or in the cache of Gradle. */
  private static Optional<Path> versions(String location, String artifact, String version) {
    try {
      Path folder = Path.of(location).toAbsolutePath().getParent();
      for (int up = 0; up < 2 && folder != null; up++) {
        Path above = folder.getParent();
        if (above != null && folder.endsWith(version) && above.endsWith(artifact)) {
          return Optional.of(above);
        }
        folder = above;
      }
    } catch (InvalidPathException e) {
      // The location in a recording need not be a path.
    }
    return Optional.empty();
  }

  /**
   * Finds a file. Gradle puts each file into a folder of its own, whose name is the file's hash.
   */
  private static Optional<Path> in(Path folder, String name) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files.filter(file -> file.endsWith(name) && Files.isRegularFile(file)).findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }
}
