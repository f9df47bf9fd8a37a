package samples.echo;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads lines as bytes. A {@code BufferedReader} would keep 16 KB for each connection, which is
 * more than all the rest of it; this keeps as much as the longest line so far.
 */
final class EchoLines {
  private static final int USUAL = 64;

  private final InputStream in;
  private byte[] bytes = new byte[USUAL];
  private int from;
  private int to;

  EchoLines(InputStream in) {
    this.in = in;
  }

  /** Returns the next line, its end included; null after the last one. */
  byte[] next() throws IOException {
    int looked = from;
    while (true) {
      for (; looked < to; looked++) {
        if (bytes[looked] == '\n') {
          byte[] line = Arrays.copyOfRange(bytes, from, looked + 1);
          from = looked + 1;
          return line;
        }
      }
      looked -= from;
      makeRoom();
      int read = in.read(bytes, to, bytes.length - to);
      if (read < 0) {
        if (to > 0) {
          throw new EOFException("the connection ended inside a line");
        }
        return null;
      }
      to += read;
    }
  }

  private void makeRoom() {
    if (from > 0) {
      System.arraycopy(bytes, from, bytes, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
  }
}
