package io.github.vtdiag.source;

import io.github.vtdiag.model.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The places of a recording's frames in the user's sources. */
public final class SourceLines {
  /** The lines of a user who gives no sources. */
  public static final SourceLines NONE = new SourceLines(Optional.empty(), Path.of(""));

  private final Optional<SourceFolders> folders;
  private final Path base;
  private final Map<String, Optional<Path>> files = new HashMap<>();
  private final Map<Path, Integer> lengths = new HashMap<>();

  /**
   * A line of a source file.
   *
   * @param path as the repository has it: from its top folder on, with slashes
   * @param line from 1 on; 0 if it is not known, or the file has no such line any more
   */
  public record Place(Path file, String path, int line) {}

  private SourceLines(Optional<SourceFolders> folders, Path base) {
    this.folders = folders;
    this.base = base;
  }

  /**
   * Searches folders of sources.
   *
   * @param here the current folder, as a real path: paths begin here if the folders are in no
   *     repository
   */
  public static SourceLines of(SourceFolders folders, Path here) {
    Path base = folders.roots().stream().findFirst().flatMap(SourceLines::repository).orElse(here);
    return new SourceLines(Optional.of(folders), base);
  }

  /**
   * Finds the top folder of the working tree that contains a folder; a linked working tree has a
   * file there.
   */
  private static Optional<Path> repository(Path folder) {
    for (Path at = folder; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(".git"))) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /** Finds the line of a frame; empty if its class is in none of the folders. */
  public Optional<Place> of(Frame frame) {
    return of(frame.type().name(), frame.line());
  }

  /** Finds a line of a class. */
  public Optional<Place> of(String className, int line) {
    if (folders.isEmpty() || className.isEmpty()) {
      // NONE, which all threads share, must keep nothing.
      return Optional.empty();
    }
    return files
        .computeIfAbsent(className, folders.get()::sourceOf)
        .map(file -> new Place(file, pathOf(file), line > 0 && line <= length(file) ? line : 0));
  }

  /** Returns the name of a file in the repository; absolute if it is outside. */
  public String pathOf(Path file) {
    Path path = file.startsWith(base) ? base.relativize(file) : file;
    return path.toString().replace('\\', '/');
  }

  private int length(Path file) {
    return lengths.computeIfAbsent(
        file,
        path -> {
          try {
            // All lines end alike, whatever the encoding.
            String text = Files.readString(path, StandardCharsets.ISO_8859_1);
            return (int) text.lines().count();
          } catch (IOException e) {
            return 0;
          }
        });
  }
}
