import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Clients of another process. */
final class Remote {
  private Remote() {}

  /** The other process: accepts all, and answers as it is told. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<Socket> all = new ArrayList<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                while (System.in.read() >= 0) {} // Ends with the process that started it.
              } catch (IOException e) {
                // The same.
              }
              System.exit(0);
            });
    try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      while (true) {
        Socket client = server.accept();
        all.add(client);
        Thread.ofVirtual().start(() -> serve(client, args[0]));
      }
    }
  }

  private static void serve(Socket client, String how) {
    try {
      InputStream in = client.getInputStream();
      for (int i = 0; in.read() >= 0; i++) {
        if (how.equals("echoes") || (how.equals("stops") && i < 20)) {
          client.getOutputStream().write(1);
        }
        if (how.equals("sends")) {
          client.getOutputStream().write(1);
          Thread.sleep(1_000);
          client.getOutputStream().write(1);
        }
      }
    } catch (IOException | InterruptedException e) {
      // The client has gone.
    }
  }

  static int server(String how) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "Remote",
                how)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    StringBuilder line = new StringBuilder();
    for (int next = process.getInputStream().read(); next != '\n'; ) {
      line.append((char) next);
      next = process.getInputStream().read();
    }
    return Integer.parseInt(line.toString().strip());
  }

  static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  /** Five clients ask another process, which never answers. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void otherProcessNeverAnswers() throws IOException {
    int port = server("silent");
    Programs.start(
        5,
        () -> {
          Socket socket = connect(port);
          socket.getOutputStream().write(1);
          socket.getInputStream().read();
        });
  }

  /** Clients wait for the greeting of another process, in a loop that reads all of it. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void otherProcessNeverGreets() throws IOException {
    int port = server("silent");
    Programs.start(
        3,
        () -> {
          InputStream in = connect(port).getInputStream();
          while (true) {
            int next = in.read();
            if (next <= 0) {
              break;
            }
          }
        });
  }

  /** A driver has read answers in a loop, and one does not come. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void statementNeverEnds() throws IOException {
    Socket socket = connect(server("stops"));
    Statement statement =
        (Statement)
            Proxy.newProxyInstance(
                Remote.class.getClassLoader(),
                new Class<?>[] {Statement.class},
                (proxy, method, arguments) -> {
                  socket.getOutputStream().write(new byte[40]);
                  for (int i = 0; i < 40; i++) {
                    socket.getInputStream().read();
                  }
                  return true;
                });
    Programs.start(() -> statement.execute("select 1"));
  }

  /** A client asks another process, which never answers, and others wait for its result. */
  @Programs.StandsStill("socket|Socket|SocketInputStream|CompletableFuture")
  static void othersWaitForRemoteAnswer() throws IOException {
    int port = server("silent");
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Programs.start(
        () -> {
          Socket socket = connect(port);
          socket.getOutputStream().write(1);
          result.complete(socket.getInputStream().read());
        });
    Programs.start(10, result::join);
  }

  /** Another process answers twenty requests of each client, and then no more. */
  @Programs.StandsStill("socket|Socket|SocketInputStream")
  static void otherProcessStopsAnswering() throws IOException {
    int port = server("stops");
    Programs.start(
        5,
        () -> {
          Socket socket = connect(port);
          while (true) {
            socket.getOutputStream().write(1);
            socket.getInputStream().read();
            Programs.sleep(0.1);
          }
        });
  }

  /** Clients ask another process twice a second, and it answers. */
  @Programs.Healthy
  static void otherProcessAnswers() throws IOException {
    int port = server("echoes");
    Programs.start(
        5,
        () -> {
          Socket socket = connect(port);
          while (true) {
            socket.getOutputStream().write(1);
            socket.getInputStream().read();
            Programs.sleep(0.5);
          }
        });
  }

  /** Clients subscribe at another process, get two messages, and wait for the next. */
  @Programs.Healthy
  static void subscribersOfOtherProcess() throws IOException {
    int port = server("sends");
    Programs.start(
        5,
        () -> {
          Socket socket = connect(port);
          socket.getOutputStream().write(1);
          while (socket.getInputStream().read() >= 0) {}
        });
  }
}
