package vtdiag.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Bytes and numbers on their way into a page: gzip, then base64. */
final class Packed {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** A number, seven bits a byte, the lowest first; negative ones have to go in as signed. */
  void add(long number) {
    long rest = number;
    while (rest > 0x7f) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  /** A number that can be negative: its sign is the lowest bit. */
  void addSigned(long number) {
    add(number < 0 ? -number * 2 - 1 : number * 2);
  }

  String text() {
    return text(bytes.toByteArray());
  }

  static String text(byte[] bytes) {
    ByteArrayOutputStream small = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(small) {
          {
            def.setLevel(Deflater.BEST_COMPRESSION);
          }
        }) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(small.toByteArray());
  }
}
