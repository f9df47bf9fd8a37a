package io.github.vtdiag.attach;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
    try {
      return there.resolveSibling(copied(file, files.seenFromHere(there)).getFileName());
    } catch (IOException e) {
      throw new DataException(
          "the agent cannot be copied to " + there + " of process " + pid + "; run vtdiag as root",
          e);
    }
  }

  /**
   * Copies a file into a folder in which anybody may write. What is there already is used only if
   * this user wrote it and it is the same: the other process runs what it is given.
   *
   * @return the copy, which has a name of its own where that one belongs to somebody else
   */
  static Path copied(Path file, Path to) throws IOException {
    Path whole = Files.createTempFile(to.getParent(), "vtdiag-", "-" + to.getFileName());
    try {
      if (Files.isRegularFile(to, LinkOption.NOFOLLOW_LINKS)
          && Files.getAttribute(to, "unix:uid").equals(Files.getAttribute(whole, "unix:uid"))
          && Files.mismatch(file, to) == -1) {
        Files.delete(whole);
        return to;
      }
      // Not REPLACE_EXISTING, which would delete the file first and so open its name to others.
      try (OutputStream out = Files.newOutputStream(whole)) {
        Files.copy(file, out);
      }
      Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (IOException e) {
      Files.deleteIfExists(whole);
      throw e;
    }
    try {
      return Files.move(whole, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // In a folder such as /tmp nobody replaces somebody else's file.
      return whole;
    }
  }
}
