package io.github.vtdiag.source;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The source folders of a project with one module or more, where Maven and Gradle expect them. */
final class ProjectFolders {
  /** The number of folders from the project down to a source folder, at most. */
  private static final int DEPTH = 8;

  private static final Set<String> LANGUAGES = Set.of("java", "kotlin", "scala", "groovy");

  /** The folders of what is built or fetched, which may be large. */
  private static final Set<String> OUTPUT = Set.of("target", "build", "out", "node_modules");

  private ProjectFolders() {}

  /**
   * Returns the folders such as {@code src/main/java} below a folder, in order; none if that is a
   * source folder itself.
   */
  static List<Path> below(Path project) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        project,
        Set.<FileVisitOption>of(),
        DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (folder.equals(project)) {
              return FileVisitResult.CONTINUE;
            }
            if (isSource(project.relativize(folder))) {
              found.add(folder);
              return FileVisitResult.SKIP_SUBTREE;
            }
            String name = folder.getFileName().toString();
            return name.startsWith(".") || OUTPUT.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) {
            return FileVisitResult.CONTINUE; // It is not patched, either.
          }
        });
    found.sort(null);
    return found;
  }

  private static boolean isSource(Path folder) {
    return LANGUAGES.contains(folder.getFileName().toString())
        && folder.getParent() != null
        && folder.getParent().endsWith(Path.of("src", "main"));
  }
}
