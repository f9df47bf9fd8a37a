package io.github.vtdiag.openrewrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The folders of a build: where it runs, and where the paths of its sources begin. */
final class BuildFolder {
  private final List<Path> starts;
  private final Path top;

  private BuildFolder(List<Path> starts, Path top) {
    this.starts = starts;
    this.top = top;
  }

  /**
   * Finds the folders. Paths of sources begin at the top of the repository, which OpenRewrite does
   * not tell to recipes: it is the nearest folder from that of the build upwards that has them.
   */
  static BuildFolder of(Collection<Path> sources) {
    List<Path> starts = new ArrayList<>();
    Stream.of("maven.multiModuleProjectDirectory", "user.dir")
        .map(System::getProperty)
        .filter(name -> name != null && !name.isEmpty())
        .map(name -> Paths.get(name).toAbsolutePath().normalize())
        .filter(folder -> !starts.contains(folder))
        .forEach(starts::add);
    Path top =
        starts.stream()
            .flatMap(start -> upwards(start).stream())
            .filter(folder -> sources.stream().allMatch(s -> Files.exists(folder.resolve(s))))
            .findFirst()
            .orElse(starts.get(0));
    return new BuildFolder(starts, top);
  }

  private static List<Path> upwards(Path start) {
    List<Path> folders = new ArrayList<>();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      folders.add(folder);
    }
    return folders;
  }

  /** Returns the folder where the build was started. */
  Path start() {
    return starts.get(0);
  }

  /** Returns the file that an option names: from the folder of the build, or from the top. */
  Path named(String option) {
    List<Path> folders = new ArrayList<>(starts);
    folders.add(top);
    return folders.stream()
        .map(folder -> folder.resolve(option))
        .filter(Files::exists)
        .findFirst()
        .orElse(start().resolve(option))
        .normalize();
  }

  /** Returns the entry of a class path that an option names; it may end with a star. */
  String entry(String option) {
    return option.endsWith("*")
        ? named(option.substring(0, option.length() - 1)).resolve("*").toString()
        : named(option).toString();
  }

  /** Returns whether a source is in a folder that an option names. */
  boolean isIn(String option, Path source) {
    return source.startsWith(option) || top.resolve(source).startsWith(named(option));
  }

  /** Returns the class folders that Maven or Gradle made of a source folder, or none. */
  List<String> classesOf(Path root) {
    Optional<Path> module = Optional.of(top.resolve(root).normalize());
    while (module.isPresent() && module.get().startsWith(top)) {
      List<Path> found = new ArrayList<>();
      Path maven = module.get().resolve("target/classes");
      if (Files.isDirectory(maven)) {
        found.add(maven);
      }
      for (Path language : list(module.get().resolve("build/classes"))) {
        if (Files.isDirectory(language.resolve("main"))) {
          found.add(language.resolve("main"));
        }
      }
      if (!found.isEmpty()) {
        return found.stream().map(Path::toString).collect(Collectors.toList());
      }
      module = Optional.ofNullable(module.get().getParent());
    }
    return new ArrayList<>();
  }

  private static Collection<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) {
      return new ArrayList<>();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read: " + e.getMessage(), e);
    }
  }
}
