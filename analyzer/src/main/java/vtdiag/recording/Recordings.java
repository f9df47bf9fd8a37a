package vtdiag.recording;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Opens recordings. */
public final class Recordings {
  private static final int HEAD = 512;
  private static final int UNPACK = 1 << 16;

  private Recordings() {}

  /**
   * Reads what a recording says about pinning; also one in a gzip or zip archive. A recording that
   * is cut off or damaged yields what can be read, and says the rest in {@link
   * RecordingFacts#problems}.
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
    PushbackInputStream content = new PushbackInputStream(stream, HEAD);
    FileKind kind = kind(content);
    return switch (kind) {
      case RECORDING -> new RecordingReader(source, content).read();
      case GZIP -> readGzip(source, new GZIPInputStream(content, UNPACK));
      // The names in it do not matter, so they may be in any encoding.
      case ZIP -> readZip(source, new ZipInputStream(content, ISO_8859_1));
      case EMPTY ->
          throw new DataException(
              source + ": is empty; JFR fills it when the JVM exits in the ordinary way");
      default ->
          throw new DataException(source + ": is no recording; it looks like " + kind.text());
    };
  }

  private static RecordingData readGzip(String source, GZIPInputStream gzip)
      throws IOException, DataException {
    PushbackInputStream content = new PushbackInputStream(gzip, HEAD);
    FileKind kind = kind(content);
    if (kind != FileKind.RECORDING) {
      throw new DataException(source + ": holds no recording but " + kind.text());
    }
    return new RecordingReader(source, content).read();
  }

  private static RecordingData readZip(String source, ZipInputStream zip)
      throws IOException, DataException {
    RecordingData data = null;
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      PushbackInputStream content = new PushbackInputStream(zip, HEAD);
      if (kind(content) == FileKind.RECORDING) {
        if (data != null) {
          throw new DataException(source + ": holds several recordings; unpack it and name one");
        }
        data = new RecordingReader(source, content).read();
        if (!data.facts().problems().isEmpty()) {
          return data; // a damaged archive has no next entry
        }
      }
    }
    if (data == null) {
      throw new DataException(source + ": is a zip archive that holds no recording");
    }
    return data;
  }

  /** What comes next in {@code content}, which stays where it is. */
  private static FileKind kind(PushbackInputStream content) throws IOException {
    byte[] head = content.readNBytes(HEAD);
    content.unread(head);
    return FileKind.of(head);
  }

  /** Why reading failed, in words: not all of the JDK's exceptions have some. */
  static String reason(IOException e) {
    return e instanceof EOFException || e.getMessage() == null ? "it is cut off" : e.getMessage();
  }
}
