package io.github.vtdiag.dump;

import io.github.vtdiag.model.DataException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Tells the kinds of dump files apart. */
final class DumpFile {
  private static final int HEAD = 4096;
  private static final Pattern TEXT_FORMAT =
      Pattern.compile("\\d+\\R\\d{4}-\\d\\d-\\d\\dT.*\\R\\d+.*\\R(?s:.*)");

  private DumpFile() {}

  /**
   * Returns the JSON in a file, unpacked if it is in gzip.
   *
   * @throws DataException if it is a dump of another kind, or none
   */
  static InputStream json(InputStream file, String source) throws IOException, DataException {
    BufferedInputStream in = new BufferedInputStream(file, 1 << 16);
    byte[] head = head(in);
    if (head.length > 1 && head[0] == 0x1f && head[1] == (byte) 0x8b) {
      in = new BufferedInputStream(new GZIPInputStream(in, 1 << 16), 1 << 16);
      head = head(in);
    }
    String text = new String(head, StandardCharsets.UTF_8).replace("\0", "").strip();
    if (text.startsWith("\ufeff") || text.startsWith("\ufffd")) {
      text = text.replaceFirst("^[\ufeff\ufffd]+", "").strip();
    }
    if (text.isEmpty()) {
      throw new DataException(source + " is empty; " + DumpReader.MAKE_ONE);
    }
    if (!text.startsWith("{") && !text.startsWith("[")) {
      throw new DataException(source + other(text) + DumpReader.MAKE_ONE);
    }
    return in;
  }

  private static String other(String text) {
    if (text.contains("Full thread dump")) {
      return " is a dump of jstack or Thread.print, which leaves virtual threads out; ";
    }
    if (text.contains("SECTION       ")) {
      return " is a javacore of OpenJ9, which is not read; ";
    }
    if (TEXT_FORMAT.matcher(text).matches()) {
      return " is a dump in plain text, which has no locks; ";
    }
    return " is not a thread dump in JSON; ";
  }

  private static byte[] head(BufferedInputStream in) throws IOException {
    in.mark(HEAD);
    byte[] head = in.readNBytes(HEAD);
    in.reset();
    return head;
  }
}
