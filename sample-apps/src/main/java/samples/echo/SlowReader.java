package samples.echo;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A client on a bad network: sends long lines, and reads them back slowly. {@code port=N} is the
 * server's, {@code bytes=N} the length of a line, {@code millis=N} the pause after each part it has
 * read.
 */
public final class SlowReader {
  private static final int SOCKET_BUFFER = 16 * 1_024;
  private static final int PART = 32 * 1_024;
  private static final LongAdder LINES = new LongAdder();

  public static void main(String[] arguments) throws IOException, InterruptedException {
    EchoOptions options = EchoOptions.of(Set.of("port", "bytes", "millis"), arguments);
    byte[] line = new byte[options.number("bytes", 512 * 1_024)];
    Arrays.fill(line, (byte) 'x');
    line[line.length - 1] = '\n';
    long millis = options.number("millis", 10);
    Thread.ofPlatform().daemon().start(SlowReader::endWithInput);
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(SOCKET_BUFFER);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), options.number("port", 0)));
      boolean ready = false;
      while (true) {
        socket.getOutputStream().write(line);
        read(socket.getInputStream(), line, millis);
        LINES.increment();
        if (!ready) {
          System.out.println("READY port=0");
          System.out.flush();
          ready = true;
        }
      }
    }
  }

  private static void read(InputStream in, byte[] line, long millis)
      throws IOException, InterruptedException {
    byte[] part = new byte[PART];
    int at = 0;
    while (at < line.length) {
      int read = in.read(part, 0, Math.min(PART, line.length - at));
      if (read < 0 || !Arrays.equals(part, 0, read, line, at, at + read)) {
        System.err.println("what came back is not the line");
        System.exit(1);
      }
      at += read;
      TimeUnit.MILLISECONDS.sleep(millis);
    }
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Only the end of the input matters.
      }
    } catch (IOException e) {
      System.err.println(e.getMessage());
    }
    System.out.println("RESULT lines=" + LINES + " errors=0");
    System.exit(0);
  }

  private SlowReader() {}
}
