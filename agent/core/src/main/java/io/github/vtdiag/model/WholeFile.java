package io.github.vtdiag.model;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Writes a file as a whole or not at all, so that a reader never sees half of it. */
public final class WholeFile {
  private WholeFile() {}

  /** Replaces the file, or the one that a link leads to. A device or a pipe is written to. */
  public static void write(Path named, byte[] bytes) throws IOException {
    Path file = Files.isSymbolicLink(named) && Files.exists(named) ? named.toRealPath() : named;
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Moving a file over it would replace it.
      Files.write(file, bytes);
      return;
    }
    // No temporary file of the JDK's: only its owner could read that, and so the result. No UUID
    // either: on Windows the network's interfaces seed secure random numbers, which takes time and
    // ends the JVM under Wine.
    String number = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path whole = file.resolveSibling(".vtdiag" + number + ".tmp");
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

  /** Returns the reason for which a file could not be written, as a part of a sentence. */
  public static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied";
      case NoSuchFileException missing -> "its folder does not exist";
      case FileAlreadyExistsException file -> "a file is where its folder has to be";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
