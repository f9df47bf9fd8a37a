package samples;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A service on a local socket that takes 25 ms for every answer, like a database or another
 * service. It runs on platform threads, so that it answers in time however many carriers the sample
 * blocks.
 */
public final class SlowService implements AutoCloseable {
  /** Just over the 20 ms below which JFR's own settings leave a pin out. */
  public static final Duration DELAY = Duration.ofMillis(25);

  private final ServerSocket socket;

  private SlowService(ServerSocket socket) {
    this.socket = socket;
  }

  public static SlowService start() throws IOException {
    // The backlog: all clients connect at once.
    var service = new SlowService(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon().name("slow-service").start(service::accept);
    return service;
  }

  public Connection connect() throws IOException {
    return new Connection(new Socket(socket.getInetAddress(), socket.getLocalPort()));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        Thread.ofPlatform().daemon().name("slow-service-connection").start(() -> answer(client));
      }
    } catch (IOException e) {
      // Closed: the program is over.
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      while (true) {
        String question = receive(client.getInputStream());
        Thread.sleep(DELAY);
        send(client.getOutputStream(), "answer to " + question);
      }
    } catch (IOException e) {
      // The client is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // A message is one byte of length and the text. No reader or writer is used: some of them hold
  // monitors, and here every monitor is to be one of the story's own.

  private static void send(OutputStream out, String message) throws IOException {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[1 + text.length];
    bytes[0] = (byte) text.length;
    System.arraycopy(text, 0, bytes, 1, text.length);
    out.write(bytes);
  }

  private static String receive(InputStream in) throws IOException {
    int length = in.read();
    if (length < 0) {
      throw new EOFException();
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  /** One client's connection: ask, then wait for the answer. Not for concurrent use. */
  public static final class Connection implements AutoCloseable {
    private final Socket socket;

    private Connection(Socket socket) throws IOException {
      this.socket = socket;
      socket.setTcpNoDelay(true);
    }

    public String ask(String question) throws IOException {
      send(question);
      return receive();
    }

    public void send(String question) throws IOException {
      SlowService.send(socket.getOutputStream(), question);
    }

    public String receive() throws IOException {
      return SlowService.receive(socket.getInputStream());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
