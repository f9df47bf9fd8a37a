package samples.libraries;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** A web server on platform threads that thinks about every request. */
final class HttpServer {
  static int start() throws IOException {
    var server =
        com.sun.net.httpserver.HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("http-", 0).factory()));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            Calls.think();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
          }
        });
    server.start();
    return server.getAddress().getPort();
  }

  private HttpServer() {}
}
