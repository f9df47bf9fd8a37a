package samples.libraries;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Takes what it is sent, a little at a time. */
final class SlowReader {
  /** What is sent at once must be more than sockets keep, so that the sender waits. */
  static final int PIECE = 512 * 1024;

  static int start() throws IOException {
    var socket = new ServerSocket();
    socket.setReceiveBufferSize(8 * 1024);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    Ports.serve(socket, "slow-reader", SlowReader::read);
    return socket.getLocalPort();
  }

  private static void read(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      while (in.readNBytes(PIECE).length == PIECE) {
        Calls.think();
      }
    } catch (IOException e) {
      // The sender is gone.
    }
  }

  private SlowReader() {}
}
