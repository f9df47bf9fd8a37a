package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.jvm.Log;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Checks that a recording's file has all that JFR had to write: JFR does not report a full disk
 * when the JVM ends.
 */
public final class WrittenFile {
  /** The first bytes of a chunk. */
  private static final int MAGIC = 0x464C5200;

  /** Magic, version and size. */
  private static final int HEADER_BYTES = 16;

  private WrittenFile() {}

  /** Reports a file that is incomplete; returns whether it is complete. */
  public static boolean tellUnlessWhole(Path path) {
    boolean whole = isWhole(path);
    if (!whole) {
      Log.line(
          "the recording "
              + path
              + " could not be written whole; is its disk full? Name a file on another one with"
              + " output=");
    }
    return whole;
  }

  /** Returns whether the file is a sequence of whole chunks, at least one. */
  static boolean isWhole(Path path) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long length = file.length();
      long at = 0;
      while (length - at >= HEADER_BYTES) {
        file.seek(at);
        boolean begins = file.readInt() == MAGIC;
        file.readInt();
        long size = file.readLong();
        if (!begins || size < HEADER_BYTES || size > length - at) {
          return false;
        }
        at += size;
      }
      return length > 0 && at == length;
    } catch (IOException e) {
      return false;
    }
  }
}
