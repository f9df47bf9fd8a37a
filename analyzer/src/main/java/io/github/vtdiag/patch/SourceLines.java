package io.github.vtdiag.patch;

import io.github.vtdiag.model.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Where the frames of a recording are in the user's sources. */
public final class SourceLines {
  /** For who has no sources. */
  public static final SourceLines NONE = new SourceLines(Optional.empty(), Path.of(""));

  private final Optional<SourceFolders> folders;
  private final Path base;
  private final Map<String, Optional<Path>> files = new HashMap<>();
  private final Map<Path, Integer> lengths = new HashMap<>();

  /**
   * A line of a source file.
   *
   * @param path as the repository has it: from its top folder on, with slashes
   * @param line from 1 on; 0 where it is not known, or the file has no such line any more
   */
  public record Place(Path file, String path, int line) {}

  private SourceLines(Optional<SourceFolders> folders, Path base) {
    this.folders = folders;
    this.base = base;
  }

  /**
   * Looks into folders of sources.
   *
   * @param here the current folder, as a real path: paths are from here on where the folders are in
   *     no repository
   */
  public static SourceLines of(SourceFolders folders, Path here) {
    Path base = folders.roots().stream().findFirst().flatMap(SourceLines::repository).orElse(here);
    return new SourceLines(Optional.of(folders), base);
  }

  /** The top folder of the working tree that a folder is in; a linked one has a file there. */
  private static Optional<Path> repository(Path folder) {
    for (Path at = folder; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(".git"))) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /** The line at which a frame stands; empty if its class is in none of the folders. */
  public Optional<Place> of(Frame frame) {
    return of(frame.type().name(), frame.line());
  }

  /** A line of a class. */
  public Optional<Place> of(String className, int line) {
    if (folders.isEmpty() || className.isEmpty()) {
      // Nothing is kept in NONE, which all threads have.
      return Optional.empty();
    }
    return files
        .computeIfAbsent(className, folders.get()::sourceOf)
        .map(file -> new Place(file, pathOf(file), line > 0 && line <= length(file) ? line : 0));
  }

  /** What a file is called in the repository; absolute where it is outside. */
  public String pathOf(Path file) {
    Path path = file.startsWith(base) ? base.relativize(file) : file;
    return path.toString().replace('\\', '/');
  }

  private int length(Path file) {
    return lengths.computeIfAbsent(
        file,
        path -> {
          try {
            // Whatever the encoding is, its lines end alike.
            String text = Files.readString(path, StandardCharsets.ISO_8859_1);
            return (int) text.lines().count();
          } catch (IOException e) {
            return 0;
          }
        });
  }
}
