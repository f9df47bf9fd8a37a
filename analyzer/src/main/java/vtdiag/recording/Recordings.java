package vtdiag.recording;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens recordings. */
public final class Recordings {
  private static final int HEAD = 512;

  private Recordings() {}

  /**
   * Reads what a recording says about pinning; a gzipped one too. A recording that is cut off or
   * damaged yields what can be read, and says the rest in {@link RecordingFacts#problems}.
   *
   * @throws DataException if nothing can be read
   */
  public static RecordingData read(Path file) throws DataException {
    if (Files.isDirectory(file)) {
      throw new DataException(file + ": is a directory; name a recording (.jfr) in it");
    }
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file");
    }
    if (!Files.isReadable(file)) {
      throw new DataException(file + ": no permission to read it");
    }
    try (FileInputStream stream = new FileInputStream(file.toFile())) {
      return read(file.toString(), stream);
    } catch (IOException e) {
      throw new DataException(file + ": cannot be read: " + reason(e), e);
    }
  }

  private static RecordingData read(String source, InputStream stream)
      throws IOException, DataException {
    byte[] head = stream.readNBytes(HEAD);
    PushbackInputStream whole = new PushbackInputStream(stream, HEAD);
    whole.unread(head);
    return switch (FileKind.of(head)) {
      case RECORDING -> new RecordingReader(source, whole).read();
      case EMPTY -> throw new DataException(source + ": is empty");
      case GZIP -> {
        try (InputStream unpacked = new GZIPInputStream(whole, 1 << 16)) {
          byte[] inner = unpacked.readNBytes(HEAD);
          if (FileKind.of(inner) != FileKind.RECORDING) {
            throw new DataException(
                source + ": holds no recording but " + FileKind.of(inner).text());
          }
          PushbackInputStream recording = new PushbackInputStream(unpacked, HEAD);
          recording.unread(inner);
          yield new RecordingReader(source, recording).read();
        }
      }
      case ZIP ->
          throw new DataException(source + ": is a zip archive; unpack the recording first");
      default ->
          throw new DataException(
              source + ": is no recording; it looks like " + FileKind.of(head).text());
    };
  }

  /** Why reading failed, in words: not all of the JDK's exceptions have some. */
  static String reason(IOException e) {
    return e instanceof EOFException || e.getMessage() == null ? "it is cut off" : e.getMessage();
  }
}
