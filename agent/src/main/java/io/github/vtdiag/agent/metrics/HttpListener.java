package io.github.vtdiag.agent.metrics;

import io.github.vtdiag.agent.options.ReadAt;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Answers {@code GET /metrics}, and nothing else, one request per connection. It does not use the
 * JDK's HTTP server, which takes its provider and its logger from the application's class path.
 * There a client that stops in the middle of a request also blocks a thread.
 */
final class HttpListener implements AutoCloseable {
  static final String PATH = "/metrics";

  /** The longest time from the accept to the complete response; then the connection is closed. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  /** The period at which connections are checked, while there are any. */
  private static final int ROUND_MILLIS = 500;

  private static final int THREADS = 4;
  private static final int WAITING = 16;
  private static final int IDLE_SECONDS = 10;
  private static final int LONGEST_REQUEST = 8_192;

  private final ServerSocket server;
  private final Function<String, Exposition.Text> pages;
  private final ThreadPoolExecutor workers;
  private final Thread listener;

  /** The open connections, with the time by which each must be done. */
  private final Map<Socket, Long> connections = new ConcurrentHashMap<>();

  /**
   * Listens from now on.
   *
   * @param pages the text for what a client accepts
   * @param threads creates daemon threads
   * @throws IOException if it cannot listen there
   */
  HttpListener(ReadAt.Endpoint at, Function<String, Exposition.Text> pages, ThreadFactory threads)
      throws IOException {
    this.pages = pages;
    InetAddress address =
        at.host().isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(at.host());
    server = new ServerSocket();
    try {
      // A program that is restarted must not have to wait until old connections time out.
      server.setReuseAddress(true);
      server.bind(new InetSocketAddress(address, at.port()), WAITING);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    workers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING),
            threads);
    workers.allowCoreThreadTimeOut(true);
    listener = threads.newThread(this::listen);
    listener.start();
  }

  /** Returns whether it can be reached from this machine only. */
  boolean isLoopback() {
    return server.getInetAddress().isLoopbackAddress();
  }

  String url() {
    return "http://"
        + ReadAt.bracketed(server.getInetAddress().getHostAddress())
        + ":"
        + server.getLocalPort()
        + PATH;
  }

  private void listen() {
    while (!server.isClosed()) {
      try {
        server.setSoTimeout(connections.isEmpty() ? 0 : ROUND_MILLIS);
        accept(server.accept());
      } catch (SocketTimeoutException e) {
        // Time to check those that are open.
      } catch (IOException e) {
        // One connection failed, or the server was closed.
        pause();
      }
      long now = System.nanoTime();
      connections.forEach(
          (socket, deadline) -> {
            if (now - deadline >= 0) {
              end(socket);
            }
          });
    }
  }

  /**
   * Waits after a failed accept: its cause, such as too many open files, makes the next one fail at
   * once.
   */
  private void pause() {
    if (!server.isClosed()) {
      try {
        TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void accept(Socket socket) {
    connections.put(socket, System.nanoTime() + PATIENCE);
    try {
      workers.execute(() -> serve(socket));
    } catch (RejectedExecutionException e) {
      end(socket);
    }
  }

  private void end(Socket socket) {
    connections.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }

  private void serve(Socket socket) {
    try {
      socket.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(PATIENCE));
      byte[] answer = answer(request(socket.getInputStream()));
      OutputStream out = socket.getOutputStream();
      out.write(answer);
      out.flush();
      socket.shutdownOutput();
    } catch (IOException e) {
      // The client went away, or was cut off.
    } finally {
      end(socket);
    }
  }

  /** Reads up to the empty line; anything after it is ignored. */
  private static String request(InputStream in) throws IOException {
    byte[] buffer = new byte[LONGEST_REQUEST];
    int length = 0;
    while (length < buffer.length) {
      int read = in.read(buffer, length, buffer.length - length);
      if (read < 0) {
        break;
      }
      length += read;
      String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
      if (text.contains("\r\n\r\n") || text.contains("\n\n")) {
        return text;
      }
    }
    return "";
  }

  private byte[] answer(String request) {
    String[] lines = request.split("\r?\n", -1);
    String[] words = lines[0].split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/")) {
      return refusal("400 Bad Request", "");
    }
    if (!words[0].equals("GET") && !words[0].equals("HEAD")) {
      return refusal("405 Method Not Allowed", "Allow: GET, HEAD\r\n");
    }
    if (!words[1].split("\\?", 2)[0].equals(PATH)) {
      return refusal("404 Not Found", "");
    }
    Exposition.Text text;
    try {
      text = pages.apply(accepts(lines));
    } catch (RuntimeException | LinkageError e) {
      return refusal("500 Internal Server Error", "");
    }
    return response(
        "200 OK", text.contentType(), "", text.body().toByteArray(), words[0].equals("HEAD"));
  }

  private static String accepts(String[] lines) {
    for (String line : lines) {
      if (line.toLowerCase(Locale.ROOT).startsWith("accept:")) {
        return line.substring("accept:".length()).toLowerCase(Locale.ROOT);
      }
    }
    return "";
  }

  private static byte[] refusal(String status, String header) {
    byte[] body = (status + "; metrics are at " + PATH + "\n").getBytes(StandardCharsets.US_ASCII);
    return response(status, "text/plain; charset=utf-8", header, body, false);
  }

  private static byte[] response(
      String status, String type, String header, byte[] body, boolean withoutBody) {
    byte[] head =
        ("HTTP/1.1 "
                + status
                + "\r\nContent-Type: "
                + type
                + "\r\nContent-Length: "
                + body.length
                + "\r\nCache-Control: no-store\r\nConnection: close\r\n"
                + header
                + "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    if (withoutBody) {
      return head;
    }
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  /** Frees the port; open connections are closed. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // It does not listen any more.
    }
    workers.shutdownNow();
    connections.keySet().forEach(this::end);
    try {
      // As long as the thread is inside accept, the system lets clients connect.
      listener.join(ROUND_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
