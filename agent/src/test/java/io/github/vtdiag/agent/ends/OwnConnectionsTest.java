package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The connections are those of the test's JVM. */
class OwnConnectionsTest {
  private static final int HEX = 16;
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int INODE = 9;

  private ServerSocket server;
  private Socket client;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    client = new Socket(server.getInetAddress(), server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private OptionalInt unanswered() throws IOException {
    return OwnConnections.look().orElseThrow().unanswered(descriptor());
  }

  /** The number of the client's open file. */
  private int descriptor() throws IOException {
    return descriptor(client.getLocalPort(), server.getLocalPort());
  }

  private static int descriptor(int local, int remote) throws IOException {
    String inode = inode(local, remote);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        if (target(file).equals("socket:[" + inode + "]")) {
          return Integer.parseInt(file.getFileName().toString());
        }
      }
    }
    throw new IOException("no open file is the socket " + inode);
  }

  /** Returns what an open file is; empty if another thread has closed it meanwhile. */
  private static String target(Path file) throws IOException {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static String inode(int local, int remote) throws IOException {
    for (String table : new String[] {"tcp", "tcp6"}) {
      for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
        String[] words = line.strip().split("\\s+", -1);
        if (words[LOCAL].endsWith(":" + port(local))
            && words[REMOTE].endsWith(":" + port(remote))) {
          return words[INODE];
        }
      }
    }
    throw new IOException("there is no connection from " + local + " to " + remote);
  }

  private static String port(int number) {
    String hex = Integer.toString(number, HEX).toUpperCase(Locale.ROOT);
    return "0".repeat(4 - hex.length()) + hex;
  }

  @Test
  void nothingIsKnownOfWhatIsNoConnection() throws IOException {
    OwnConnections connections = OwnConnections.look().orElseThrow();
    assertEquals(OptionalInt.empty(), connections.unanswered(-1));
    assertEquals(OptionalInt.empty(), connections.unanswered(0));
  }

  @Test
  void whoseServerListensNoMoreMayBeConnectedToAnother() throws IOException {
    Socket accepted = server.accept();
    server.close();
    int descriptor = descriptor();
    assertEquals(OptionalInt.empty(), OwnConnections.look().orElseThrow().unanswered(descriptor));
    accepted.close();
  }

  @Test
  void nobodyAnswersOneThatNobodyHasAccepted() throws IOException {
    assertEquals(OptionalInt.of(server.getLocalPort()), unanswered());
  }

  @Test
  void nobodyAnswersOneFromWhichNobodyReads() throws IOException {
    try (Socket accepted = server.accept()) {
      assertEquals(true, accepted.isConnected());
      assertEquals(OptionalInt.of(server.getLocalPort()), unanswered());
    }
  }

  @Test
  void nothingIsKnownOfAConnectionThatTheServerHasClosed() throws IOException {
    server.accept().close();
    assertEquals(OptionalInt.empty(), unanswered());
  }

  @Test
  void aSelectorAwaitsTheNextRequest() throws IOException {
    try (Selector selector = Selector.open();
        ServerSocketChannel listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
      try (SocketChannel from = SocketChannel.open(listening.getLocalAddress());
          SocketChannel accepted = listening.accept()) {
        int descriptor = descriptor(from.socket().getLocalPort(), port);
        assertEquals(
            OptionalInt.of(port), OwnConnections.look().orElseThrow().unanswered(descriptor));
        accepted.configureBlocking(false);
        accepted.register(selector, SelectionKey.OP_READ);
        selector.selectNow();
        assertEquals(
            OptionalInt.empty(), OwnConnections.look().orElseThrow().unanswered(descriptor));
        accepted.keyFor(selector).interestOps(SelectionKey.OP_WRITE);
        selector.selectNow();
        assertEquals(
            OptionalInt.of(port), OwnConnections.look().orElseThrow().unanswered(descriptor));
      }
    }
  }

  @Test
  void aPortIsPolledWhileASelectorWaitsForItsConnections() throws IOException {
    try (Selector selector = Selector.open();
        ServerSocketChannel channel = ServerSocketChannel.open()) {
      channel.configureBlocking(false);
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = channel.socket().getLocalPort();
      assertFalse(isPolled(selector, port));
      SelectionKey key = channel.register(selector, SelectionKey.OP_ACCEPT);
      assertTrue(isPolled(selector, port));
      key.interestOps(0);
      assertFalse(isPolled(selector, port));
    }
    assertFalse(OwnConnections.look().orElseThrow().polled().contains(server.getLocalPort()));
  }

  private static boolean isPolled(Selector selector, int port) throws IOException {
    selector.selectNow();
    return OwnConnections.look().orElseThrow().polled().contains(port);
  }

  private boolean isSilent() throws IOException {
    return OwnConnections.look().orElseThrow().isSilent(descriptor());
  }

  @Test
  void aConnectionToThisJvmItselfIsNotSilent() throws IOException {
    assertFalse(isSilent());
    try (Socket accepted = server.accept()) {
      int number = descriptor(server.getLocalPort(), client.getLocalPort());
      assertTrue(accepted.isConnected());
      assertFalse(isSilent());
      assertFalse(OwnConnections.look().orElseThrow().isSilent(number));
      server.close();
      assertFalse(isSilent());
    }
  }

  /** Another process answers what it is sent, and nothing else. */
  @Test
  void aConnectionIsSilentUntilAnotherProcessHasSentSomething() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Echo.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = other.inputReader()) {
      int port = Integer.parseInt(said.readLine());
      try (Socket asking = new Socket(InetAddress.getLoopbackAddress(), port)) {
        int number = descriptor(asking.getLocalPort(), port);
        assertTrue(OwnConnections.look().orElseThrow().isSilent(number));
        assertFalse(OwnConnections.look().orElseThrow().isSilent(-1));
        asking.getOutputStream().write(1);
        assertEquals(1, asking.getInputStream().read());
        assertFalse(OwnConnections.look().orElseThrow().isSilent(number));
      }
    } finally {
      other.destroyForcibly();
    }
  }

  /** A server in another process, for one connection. */
  public static final class Echo {
    private Echo() {}

    public static void main(String[] args) throws IOException {
      try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        System.out.println(listening.getLocalPort());
        try (Socket accepted = listening.accept()) {
          accepted.getOutputStream().write(accepted.getInputStream().read());
          accepted.getInputStream().read();
        }
      }
    }
  }
}
