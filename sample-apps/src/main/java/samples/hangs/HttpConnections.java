package samples.hangs;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;

/**
 * 40 virtual threads and a client of Apache HttpClient 5.3.1 (core 5.2.4) with 8 connections. A
 * thread that asks while all are taken waits in {@code Object.wait}, pinned (Java 21 to 23). Two of
 * them leave no carrier for the threads that could give a connection back.
 *
 * <p>{@code threads} (40), {@code pool} (8), {@code rounds} (1): the requests of each thread;
 * {@code patience}: the seconds that each waits at most (180, as the client has it by default). The
 * twin has a connection for each thread.
 */
public final class HttpConnections {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

  public static void main(String[] args) throws Exception {
    Story.carriers(2);
    int number = Integer.getInteger("threads", 40);
    int size = Story.healthy() ? number : Integer.getInteger("pool", 8);
    String url = "http://127.0.0.1:" + serve() + "/";
    CloseableHttpClient client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnPerRoute(size)
                    .setMaxConnTotal(size)
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(Timeout.ofSeconds(Long.getLong("patience", 180)))
                    .build())
            .build();
    List<Thread> threads = new ArrayList<>();
    Work work =
        () ->
            client.execute(
                new HttpGet(url), response -> EntityUtils.toString(response.getEntity()));
    for (int i = 0; i < number; i++) {
      threads.add(Story.start("client-" + i, work::repeat));
    }
    Work.seeToTheEnd(threads, "all carriers are kept by threads that wait for a connection");
    client.close();
  }

  /** Serves on platform threads: if anything stands still, it is not the server. */
  private static int serve() throws IOException {
    var server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("server").start(() -> accept(server));
    return server.getLocalPort();
  }

  private static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.ofPlatform().daemon().name("server-connection").start(() -> answer(client));
      }
    } catch (IOException e) {
      // The program is over.
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = client.getInputStream();
      int newlines = 0;
      while (true) {
        int c = in.read();
        if (c < 0) {
          return;
        }
        newlines = c == '\n' ? newlines + 1 : c == '\r' ? newlines : 0;
        if (newlines == 2) {
          newlines = 0;
          Work.think();
          client.getOutputStream().write(ANSWER);
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private HttpConnections() {}
}
