package io.github.vtdiag.fleet;

import io.github.vtdiag.findings.Detectors;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.model.Sha256;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.Recordings;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rows of one recording: a function of its bytes, and of nothing else. It runs on the calling
 * thread alone and keeps no more of the bytes than a chunk. It opens no file, whatever paths the
 * recording names, and reads no class of the JDK that runs it. So any engine may call it on any
 * machine, and gets the same rows.
 *
 * @param key the SHA-256 of the bytes; of the name, if there are none
 * @param failure why there is nothing of it but its name; empty if it was read
 * @param tables the rows of each table
 */
public record Rows(String key, String failure, Map<Table, List<Row>> tables) {
  /**
   * The most bytes of a chunk that are read; of a longer chunk only the beginning is. JFR ends a
   * chunk after 12 MB. Two such chunks are in memory at most.
   */
  private static final int LONGEST_CHUNK = 128 << 20;

  private static final int BUFFER = 1 << 16;

  private static final String DIGEST_OF_NOTHING = Sha256.of("");

  /** The source of a recording. */
  public interface Source {
    /** Opens it at its beginning. */
    InputStream open() throws IOException;
  }

  /** Returns whether a file is a recording, by its name. */
  public static boolean areIn(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return name.endsWith(".jfr") || name.endsWith(".jfr.gz");
  }

  /** Returns the key of a recording: no two empty ones are the same, unless they have one name. */
  public static String key(InputStream in, String name) throws IOException {
    return key(Sha256.of(in), name);
  }

  private static String key(String digest, String name) {
    return digest.equals(DIGEST_OF_NOTHING) ? Sha256.of("empty " + name) : digest;
  }

  /**
   * Returns the rows of a recording that is to be added; only its key if it is already there. There
   * is no key if it cannot be opened.
   */
  public static Rows toAdd(Source source, String name, ServiceInfo given, Set<String> known) {
    try {
      if (!known.isEmpty()) {
        try (InputStream in = source.open()) {
          String key = key(in, name);
          if (known.contains(key)) {
            return new Rows(key, "", Map.of());
          }
        }
      }
      try (InputStream in = source.open()) {
        return of(in, name, given);
      }
    } catch (IOException e) {
      return new Rows("", name + ": cannot be read: " + reason(e), Map.of());
    }
  }

  /** Returns the reason of a failure; the file systems of Java often give the file's name alone. */
  public static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "no permission";
      case NoSuchFileException gone -> "it is not there any more";
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }

  /** Returns what is missing of a recording that was read, as a sentence; empty if nothing is. */
  public String problems() {
    for (Row row :
        failure.isEmpty() ? tables.getOrDefault(Table.RECORDING, List.of()) : List.<Row>of()) {
      if (row.values().get("problems") instanceof String problems) {
        return row.values().get("name") + ": " + problems;
      }
    }
    return "";
  }

  /**
   * Returns the rows of a recording, packed by gzip or not, where more may be known of the JVM than
   * the recording tells.
   *
   * @param given overrides what the recording says
   */
  public static Rows of(InputStream recording, String name, ServiceInfo given) {
    MessageDigest digest = Sha256.digest();
    Counted bytes = new Counted(new DigestInputStream(recording, digest));
    String failure;
    try {
      RecordingData data = Recordings.read(bytes, name, Detectors.EVENTS, LONGEST_CHUNK);
      bytes.readRest();
      String key = key(Sha256.hex(digest), name);
      return new Rows(key, "", RowsOfRecording.of(data, key, name, bytes.count, given));
    } catch (DataException | IOException e) {
      failure = e.getMessage() == null ? e.toString() : e.getMessage();
    } catch (OutOfMemoryError e) {
      failure = name + ": does not fit into memory (see -Xmx)";
    } catch (RuntimeException e) {
      failure = name + ": vtdiag fails with " + e + "; please report it with the recording";
    }
    try {
      bytes.readRest();
    } catch (IOException e) {
      // It has failed already; its key is that of the bytes there were.
    }
    String key = key(Sha256.hex(digest), name);
    Row row = RowsOfRecording.failed(key, name, bytes.count, failure, given);
    return new Rows(key, failure, Map.of(Table.RECORDING, List.of(row)));
  }

  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count += value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int read = super.read(bytes, from, length);
      count += Math.max(0, read);
      return read;
    }

    void readRest() throws IOException {
      byte[] buffer = new byte[BUFFER];
      while (read(buffer, 0, buffer.length) >= 0) {
        // Only its digest is needed.
      }
    }
  }
}
