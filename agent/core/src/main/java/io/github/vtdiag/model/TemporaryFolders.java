package io.github.vtdiag.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The end of folders for temporary files. */
public final class TemporaryFolders {
  private TemporaryFolders() {}

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      // The file is in the folder for temporary files, and stays there until that is emptied.
    }
  }
}
