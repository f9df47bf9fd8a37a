import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Servers in the same program that accept connections and then do nothing. */
final class Network {
  private Network() {}

  private static final byte[] MUCH = new byte[64 << 20];

  /** Accepts all, reads a little of each if there is anything, and leaves them open. */
  private static ServerSocket silentServer() throws IOException {
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Programs.startPlatform(
        () -> {
          while (true) {
            Socket client = server.accept();
            Programs.startPlatform(
                () -> {
                  if (client.getInputStream().read(new byte[4000]) >= 0) {
                    Programs.sleepForEver();
                  }
                });
          }
        });
    return server;
  }

  /** Five clients send much to a server that has stopped reading. */
  @Programs.StandsStill("socket|Socket|SocketOutputStream")
  static void socketNobodyReads() throws IOException {
    ServerSocket server = silentServer();
    Programs.start(
        5,
        () -> {
          Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          OutputStream out = socket.getOutputStream();
          out.write(MUCH);
        });
  }

  /** Five clients send much through a channel to a server that has stopped reading. */
  @Programs.StandsStill("socket|SocketChannel|SocketChannelImpl")
  static void channelNobodyReads() throws IOException {
    ServerSocket server = silentServer();
    Programs.start(
        5,
        () -> {
          SocketChannel channel =
              SocketChannel.open(
                  new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
          ByteBuffer much = ByteBuffer.wrap(MUCH);
          while (much.hasRemaining()) {
            channel.write(much);
          }
        });
  }

  /** Five clients ask by sockets, and the server never answers. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void answerNeverComes() throws IOException {
    ServerSocket server = silentServer();
    Programs.start(
        5,
        () -> {
          Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          socket.getOutputStream().write(1);
          int answer = socket.getInputStream().read();
          System.out.println(answer);
        });
  }

  /** Five clients ask by HTTP, without a timeout, and the server never answers. */
  @Programs.StandsStill("HttpClient|HttpClientImpl|HTTP")
  static void httpAnswerNeverComes() throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + silentServer().getLocalPort() + "/");
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    Programs.start(5, () -> client.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  /** Five clients ask by a URL connection, and the server never answers. */
  @Programs.StandsStill("HttpURLConnection|URL|HTTP")
  static void urlAnswerNeverComes() throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + silentServer().getLocalPort() + "/");
    Programs.start(5, () -> uri.toURL().openConnection().getInputStream());
  }
}
