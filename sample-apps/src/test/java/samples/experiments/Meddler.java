package samples.experiments;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A SOCKS proxy (RFC 1928) that spoils every third answer of each connection: one that begins with
 * {@code good} begins with {@code bad}, which is as long, when it arrives.
 */
final class Meddler implements AutoCloseable {
  private static final int VERSION = 5;
  private static final int BUFFER = 16 * 1_024;
  private static final int EACH = 3;

  private final ServerSocket listening;
  private final byte[] good;
  private final byte[] bad;

  private Meddler(ServerSocket listening, String good, String bad) {
    this.listening = listening;
    this.good = good.getBytes(StandardCharsets.US_ASCII);
    this.bad = bad.getBytes(StandardCharsets.US_ASCII);
  }

  static Meddler start(String good, String bad) throws IOException {
    Meddler meddler =
        new Meddler(new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress()), good, bad);
    Thread.ofVirtual().start(meddler::accept);
    return meddler;
  }

  /** What sends all of a JVM's sockets this way; by itself the JDK leaves out the loopback. */
  List<String> jvmOptions() {
    return List.of(
        "-DsocksProxyHost=127.0.0.1",
        "-DsocksProxyPort=" + listening.getLocalPort(),
        "-DsocksNonProxyHosts=");
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = connected(client)) {
      Thread.ofVirtual().start(() -> forward(client, server));
      answers(server.getInputStream(), client.getOutputStream());
    } catch (IOException e) {
      // One of both has gone.
    }
  }

  private static Socket connected(Socket client) throws IOException {
    client.setTcpNoDelay(true);
    DataInputStream in = new DataInputStream(client.getInputStream());
    in.readByte();
    in.skipNBytes(in.readByte());
    client.getOutputStream().write(new byte[] {VERSION, 0});
    // Version, connect, reserved, IPv4.
    in.skipNBytes(4);
    InetAddress address = InetAddress.getByAddress(in.readNBytes(4));
    Socket server = new Socket(address, in.readUnsignedShort());
    server.setTcpNoDelay(true);
    client.getOutputStream().write(new byte[] {VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0});
    return server;
  }

  private static void forward(Socket client, Socket server) {
    try {
      client.getInputStream().transferTo(server.getOutputStream());
      server.shutdownOutput();
    } catch (IOException e) {
      // One of both has gone.
    }
  }

  private void answers(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER];
    int answers = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      if (Arrays.mismatch(buffer, 0, read, good, 0, good.length) == good.length
          && ++answers % EACH == 0) {
        System.arraycopy(bad, 0, buffer, 0, bad.length);
      }
      out.write(buffer, 0, read);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
