/// story: A server waits for connections, and serves one now and then.
/// java: 21 25
/// kind: healthy
/// truth: an acceptor without clients has nothing to do
/// advice: none
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

class Acceptor {
  public static void main(String[] args) throws Exception {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Case.start(
        () -> {
          while (true) {
            try (Socket socket = server.accept()) {
              socket.getOutputStream().write(1);
            }
          }
        },
        1);
    Case.idle(
        () -> {
          try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            socket.getInputStream().read();
          }
        });
  }
}
