package samples.libraries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** Ports of this machine, and who listens there. */
final class Ports {
  /** One that no connection of another program gets from the system meanwhile. */
  static int free() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 30_000);
      try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody listens there; another one.
      }
    }
  }

  /** Serves each connection on a thread of its own, as long as the program runs. */
  static void serve(ServerSocket socket, String name, Consumer<Socket> service) {
    Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(
            () -> {
              try {
                while (true) {
                  Socket client = socket.accept();
                  Thread.ofPlatform()
                      .daemon()
                      .name(name + "-connection")
                      .start(() -> service.accept(client));
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private Ports() {}
}
