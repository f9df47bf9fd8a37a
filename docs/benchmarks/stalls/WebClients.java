import java.io.BufferedInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** Clients of a web socket, whose listener puts into a queue what comes, beside a timer. */
final class WebClients {
  private static final String KEY = "sec-websocket-key:";
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private WebClients() {}

  /** Puts each message into a queue. */
  private record Replied(BlockingQueue<String> messages) implements WebSocket.Listener {
    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      messages.add(data.toString());
      socket.request(1);
      return null;
    }
  }

  private static String line(InputStream in) throws Exception {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().trim();
  }

  private static void greet(InputStream in, OutputStream out) throws Exception {
    String key = "";
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith(KEY)) {
        key = line.substring(KEY.length()).trim();
      }
    }
    byte[] hash =
        MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.UTF_8));
    out.write(
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: "
                + Base64.getEncoder().encodeToString(hash)
                + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
  }

  /** Sends each message back, so many times, and reads the others. */
  private static void echo(Socket client, int times) throws Exception {
    InputStream in = new BufferedInputStream(client.getInputStream());
    OutputStream out = client.getOutputStream();
    greet(in, out);
    for (int i = 0; in.read() >= 0; i++) {
      byte[] mask = new byte[4];
      int length = in.read() & 127;
      in.readNBytes(mask, 0, mask.length);
      byte[] message = in.readNBytes(length);
      for (int at = 0; at < length; at++) {
        message[at] ^= mask[at % mask.length];
      }
      if (i < times) {
        out.write(new byte[] {(byte) 0x81, (byte) length});
        out.write(message);
      }
    }
  }

  private static URI server(int times) throws Exception {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.start(() -> echo(client, times));
        });
    return URI.create("ws://127.0.0.1:" + server.getLocalPort());
  }

  private static WebSocket connect(HttpClient http, URI server, BlockingQueue<String> inbox) {
    return http.newWebSocketBuilder().buildAsync(server, new Replied(inbox)).join();
  }

  /** The server stops to answer, and each client waits for its reply. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void repliesEnd() throws Exception {
    Asked.service();
    HttpClient http = HttpClient.newHttpClient();
    URI server = server(100);
    Programs.start(
        20,
        () -> {
          BlockingQueue<String> replies = new LinkedBlockingQueue<>();
          WebSocket socket = connect(http, server, replies);
          while (true) {
            socket.sendText("question", true).join();
            replies.take();
            Programs.sleep(0.02);
          }
        });
  }

  /** Each client subscribes once, and hears no more after the first message. */
  @Programs.Healthy
  static void subscribersWait() throws Exception {
    Asked.service();
    HttpClient http = HttpClient.newHttpClient();
    URI server = server(1);
    Programs.start(
        20,
        () -> {
          BlockingQueue<String> events = new LinkedBlockingQueue<>();
          WebSocket socket = connect(http, server, events);
          socket.sendText("subscribe", true).join();
          while (true) {
            events.take();
          }
        });
  }
}
