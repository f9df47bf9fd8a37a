package io.github.vtdiag.attach;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The files that this process shares with another one, or does not: that may be another user's, or
 * run in a container.
 */
final class FilesOfBoth {
  private final long pid;
  private final ProcessFiles files;

  FilesOfBoth(long pid) {
    this.pid = pid;
    this.files = new ProcessFiles(pid);
  }

  /** Returns whether both read and write the same files, under the same names. */
  boolean areShared() {
    return !ProcessFiles.areThere() || files.sharesFiles();
  }

  /** Returns the path here of a file of the other process. */
  Path reached(Path file) {
    return areShared() ? file : files.seenFromHere(file);
  }

  /** Returns the path there of a file for the other process to read; a copy stays if need be. */
  Path given(Path file) throws DataException {
    if (areShared()) {
      return file;
    }
    Path there =
        Path.of("/tmp", "vtdiag-" + file.getParent().getFileName() + "-" + file.getFileName());
    Path here = files.seenFromHere(there);
    try {
      if (!Files.exists(here) || Files.size(here) != Files.size(file)) {
        Path whole = here.resolveSibling(here.getFileName() + ".part");
        Files.copy(file, whole, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(whole, here, StandardCopyOption.ATOMIC_MOVE);
      }
      return there;
    } catch (IOException e) {
      throw new DataException(
          "the agent cannot be copied to " + there + " of process " + pid + "; run vtdiag as root",
          e);
    }
  }
}
