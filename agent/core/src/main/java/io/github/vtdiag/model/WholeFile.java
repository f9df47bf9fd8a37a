package io.github.vtdiag.model;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes a file as a whole or not at all, so that a reader never sees half of it. */
public final class WholeFile {
  private WholeFile() {}

  /** Replaces the file. A device or a pipe is written to. */
  public static void write(Path file, byte[] bytes) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Moving a file over it would replace it.
      Files.write(file, bytes);
      return;
    }
    // No temporary file of the JDK's: only its owner could read that, and so the result.
    Path whole = file.resolveSibling(".vtdiag" + UUID.randomUUID() + ".tmp");
    try {
      Files.write(whole, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try {
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
