package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The recordings in folders, for a lake. Links are followed. What cannot be read is noted, and does
 * not end the search.
 */
final class RecordingSearch implements FileVisitor<Path> {
  private final Path lake;
  private final List<Path> found = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private RecordingSearch(Path lake) {
    this.lake = absolute(lake);
  }

  /**
   * Searches folders, and takes files as they are.
   *
   * @param lake the folder whose files are not searched
   */
  static RecordingSearch in(List<Path> folders, Path lake) throws DataException {
    RecordingSearch search = new RecordingSearch(lake);
    for (Path folder : folders) {
      search.add(folder);
    }
    return search;
  }

  /** Returns the recordings, folder by folder, each in the order of their names. */
  List<Path> found() {
    return List.copyOf(found);
  }

  /** Returns what could not be searched or is no file, a sentence each. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  private void add(Path path) throws DataException {
    if (Files.isDirectory(path)) {
      int before = found.size();
      try {
        Files.walkFileTree(path, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, this);
      } catch (IOException e) {
        visitFileFailed(path, e);
      }
      found.subList(before, found.size()).sort(null);
    } else if (Files.isRegularFile(path)) {
      found.add(path);
    } else if (Files.exists(path)) {
      // A pipe cannot be read twice, and adding reads for the key first.
      throw new DataException(path + ": is no regular file; name a file");
    } else {
      throw new DataException(path + ": no such file or folder");
    }
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    return absolute(folder).equals(lake) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (Rows.areIn(file.getFileName().toString())) {
      if (attributes.isRegularFile()) {
        found.add(file);
      } else {
        failures.add(file + ": is no regular file, and left out");
      }
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) {
    // A link that leads back to a folder above it has nothing that is not found there.
    if (!(e instanceof FileSystemLoopException)) {
      failures.add(file + ": cannot be read: " + Rows.reason(e));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, IOException e) {
    if (e != null) {
      visitFileFailed(folder, e);
    }
    return FileVisitResult.CONTINUE;
  }
}
