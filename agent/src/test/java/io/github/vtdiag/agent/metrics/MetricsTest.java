package io.github.vtdiag.agent.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.options.ReadAt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways to read metrics, in this JVM. */
@Isolated("a port that it closes must not be another's at once")
class MetricsTest {
  private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
  private Optional<Metrics> opened = Optional.empty();

  private int open(String target) {
    opened =
        Optional.of(
            Metrics.open(
                ReadAt.parse(target).orElseThrow(),
                new Meters(true),
                "1.2",
                Optional.empty(),
                task -> {
                  Thread thread = new Thread(task, "vtdiag metrics");
                  thread.setDaemon(true);
                  return thread;
                },
                said::add));
    String line = said.isEmpty() ? "" : said.peek();
    return line.startsWith("metrics: ")
        ? Integer.parseInt(line.replaceAll(".*:(\\d+)/metrics.*", "$1"))
        : -1;
  }

  @AfterEach
  void close() {
    opened.ifPresent(Metrics::close);
  }

  private static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static String ask(int port, String request) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return answer(socket.getInputStream());
    }
  }

  private static String answer(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    in.transferTo(all);
    return all.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "65536", "99999999999", "a:b", ":9464", "host:", "::1:99"})
  void whatIsNoAddressIsRefused(String text) {
    assertEquals(Optional.empty(), ReadAt.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jmx", "0", "9464", "localhost:9464", "0.0.0.0:9464", "[::1]:9464"})
  void whatIsOneIsToldAsItWasWritten(String text) {
    assertEquals(text, ReadAt.parse(text).orElseThrow().text());
  }

  @Test
  void aPortThatIsTakenIsSaidInOneSentence() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertEquals(-1, open("" + taken.getLocalPort()));
      String line = said.remove();
      assertTrue(
          line.matches(
              "no metrics over HTTP, cannot listen at port \\d+: Address already in use.*;"
                  + " choose another with metrics=HOST:PORT"),
          line);
      assertTrue(said.isEmpty(), said.toString());
    }
  }

  @Test
  void aHostThatIsNotOfThisMachineIsSaidInOneSentence() {
    // Of those that are for documents.
    assertEquals(-1, open("192.0.2.1:9464"));
    assertTrue(said.remove().startsWith("no metrics over HTTP, cannot listen at 192.0.2.1:9464: "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense                   | 400 Bad Request",
        "GET /metrics               | 400 Bad Request",
        "GET  /metrics HTTP/1.1     | 400 Bad Request",
        "POST /metrics HTTP/1.1     | 405 Method Not Allowed",
        "GET / HTTP/1.1             | 404 Not Found",
        "GET /metrics/../x HTTP/1.1 | 404 Not Found",
        "GET http://a/ HTTP/1.1     | 404 Not Found",
      })
  void otherRequestsAreRefused(String request, String status) throws IOException {
    String answer = ask(open("0"), request + "\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 " + status + "\r\n"), answer);
    assertTrue(answer.endsWith("metrics are at /metrics\n"), answer);
  }

  @Test
  void aRequestThatNeverEndsIsCutAtItsLength() throws IOException {
    int port = open("0");
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write("x".repeat(8_192).getBytes(StandardCharsets.US_ASCII));
      assertTrue(answer(socket.getInputStream()).startsWith("HTTP/1.1 400 "));
    }
  }

  /** More than there are threads, and more than can wait: they are cut, and the next is served. */
  @Test
  void clientsThatSayNothingOrGoAwayKeepNobodyFromReading() throws IOException {
    int port = open("0");
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Socket socket = connect(port);
      socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
      silent.add(socket);
      // And one that resets the connection.
      try (Socket gone = connect(port)) {
        gone.setSoLinger(true, 0);
      }
    }
    String answer = "";
    while (!answer.startsWith("HTTP/1.1 200 OK\r\n")) {
      try {
        answer = ask(port, "GET /metrics HTTP/1.1\r\n\r\n");
      } catch (IOException e) {
        // Too many wait just now.
        answer = "";
      }
    }
    for (Socket socket : silent) {
      socket.close();
    }
    assertTrue(answer.endsWith("\n# EOF\n"), answer);
  }

  @Test
  void theHeadIsThatOfTheText() throws IOException {
    int port = open("0");
    String head = ask(port, "HEAD /metrics?x=y HTTP/1.1\r\nHost: a\r\n\r\n");
    String all = ask(port, "GET /metrics HTTP/1.0\nAccept: */*\n\n");
    assertTrue(head.contains("\r\nContent-Type: application/openmetrics-text; "), head);
    assertTrue(head.endsWith("\r\n\r\n"), head);
    int length = Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
    assertEquals(all.length() - all.indexOf("\r\n\r\n") - 4, length);
  }

  @Test
  void onlyThisMachineReachesItUnlessAskedFor() throws IOException {
    open("0");
    assertTrue(said.peek().matches("metrics: http://127\\.0\\.0\\.1:\\d+/metrics"), said.peek());
    opened.ifPresent(Metrics::close);
    said.clear();
    open("0.0.0.0:0");
    assertTrue(
        said.peek()
            .matches("metrics: http://0\\.0\\.0\\.0:\\d+/metrics \\(other machines can read .*"),
        said.peek());
  }

  @Test
  void whatIsClosedListensNoMoreAndItsBeanIsGone() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(JmxBean.NAME);
    for (int i = 0; i < 3; i++) {
      said.clear();
      int port = open("0");
      while (!server.isRegistered(name)) {
        Thread.onSpinWait();
      }
      assertEquals(0, server.getAttribute(name, "PinSitesFolded"));
      assertEquals(null, server.getAttribute(name, "CarriersKept"));
      opened.ifPresent(Metrics::close);
      assertFalse(server.isRegistered(name));
      assertThrows(ConnectException.class, () -> connect(port));
    }
    assertEquals(1, said.size(), said.toString());
  }

  @Test
  void whereSomebodyElseHasTheNameOfTheBeanThatIsSaid() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(JmxBean.NAME);
    server.registerMBean(
        new VirtualThreadsBean(() -> new Meters(true).read(0), Optional::empty), name);
    try {
      open("jmx");
      while (said.isEmpty()) {
        Thread.onSpinWait();
      }
      assertTrue(said.peek().startsWith("no metrics over JMX: "), said.peek());
      opened.ifPresent(Metrics::close);
      assertTrue(server.isRegistered(name), "it is not ours");
    } finally {
      server.unregisterMBean(name);
    }
  }
}
