package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.LoadGenerator;
import io.github.vtdiag.model.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Asks a server of this machine over connections that are kept open, one for each user. It costs a
 * fraction of the JDK's client: if client and server share two processors, the client's time is
 * missing in the measurement.
 */
final class WebTarget implements LoadGenerator.Server, AutoCloseable {
  private static final int CONNECT_MILLIS = 20_000;

  private final InetSocketAddress address;
  private final byte[] request;
  private final int answerMillis;
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile String problem = "";

  /**
   * Creates a target without connecting yet. An answer that takes longer than {@code answerMillis}
   * is an error.
   */
  WebTarget(int port, String path, int answerMillis) {
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    request =
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: */*\r\n\r\n"
            .formatted(path, port)
            .getBytes(StandardCharsets.US_ASCII);
    this.answerMillis = answerMillis;
  }

  @Override
  public boolean send() throws InterruptedException {
    try {
      Connection kept = idle.pollFirst();
      int status = kept == null ? NONE : ask(kept);
      if (status == NONE) {
        // There was none, or the server has closed it meanwhile, as it may.
        status = ask(new Connection());
      }
      if (status >= 200 && status < 400) {
        return true;
      }
      problem = status == NONE ? "no answer" : "status " + status;
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      String message = e.getMessage();
      problem = message == null ? e.getClass().getSimpleName() : Printable.text(message);
    }
    return false;
  }

  private static final int NONE = -1;

  /** Returns the status; {@link #NONE} if the server had closed the connection. */
  private int ask(Connection connection) throws IOException {
    boolean keep = false;
    try {
      int status = connection.ask();
      keep = status != NONE && connection.isKept;
      return status;
    } finally {
      if (keep) {
        idle.addFirst(connection);
      } else {
        connection.close();
      }
    }
  }

  /** Returns the problem with the last bad answer; empty if there was none. */
  String problem() {
    return problem;
  }

  @Override
  public void close() {
    open.forEach(Connection::close);
  }

  /** One connection, for one request at a time. */
  private final class Connection {
    private static final int BUFFER = 512;
    private static final String LENGTH = "Content-Length:";
    private static final String CHUNKED = "Transfer-Encoding: chunked";
    private static final String CLOSE = "Connection: close";

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private boolean isKept;

    Connection() throws IOException {
      open.add(this);
      try {
        socket.setTcpNoDelay(true);
        socket.connect(address, CONNECT_MILLIS);
        socket.setSoTimeout(answerMillis);
        in = socket.getInputStream();
        out = socket.getOutputStream();
      } catch (IOException e) {
        close();
        throw e;
      }
    }

    int ask() throws IOException {
      try {
        out.write(request);
        at = 0;
        end = in.read(buffer);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        return NONE;
      }
      return end < 0 ? NONE : answer();
    }

    private int answer() throws IOException {
      String first = line();
      if (!first.startsWith("HTTP/1.1 ")) {
        throw new IOException("the answer is not HTTP/1.1");
      }
      isKept = true;
      long length = 0;
      boolean chunked = false;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (is(LENGTH, line)) {
          length = Long.parseLong(line.substring(LENGTH.length()).strip());
        } else if (is(CHUNKED, line)) {
          chunked = true;
        } else if (is(CLOSE, line)) {
          isKept = false;
        }
      }
      if (chunked) {
        skipChunks();
      } else {
        skip(length);
      }
      return Integer.parseInt(first, "HTTP/1.1 ".length(), "HTTP/1.1 200".length(), 10);
    }

    private static boolean is(String header, String line) {
      return line.regionMatches(true, 0, header, 0, header.length());
    }

    private void skipChunks() throws IOException {
      long length;
      do {
        length = Long.parseLong(line().replaceFirst(";.*", "").strip(), 16);
        skip(length);
        line();
      } while (length > 0);
    }

    private void skip(long length) throws IOException {
      for (long i = 0; i < length; i++) {
        next();
      }
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int b = next(); b != '\n'; b = next()) {
        if (b != '\r') {
          line.append((char) b);
        }
      }
      return line.toString();
    }

    private int next() throws IOException {
      if (at == end) {
        at = 0;
        end = in.read(buffer);
        if (end < 0) {
          throw new EOFException("the server closed the connection in the middle of an answer");
        }
      }
      return buffer[at++];
    }

    void close() {
      open.remove(this);
      try {
        socket.close();
      } catch (IOException e) {
        // It is closed either way.
      }
    }
  }
}
