package io.github.vtdiag.agent.servers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.waits.KnownServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AwaitedServersTest {
  private static final KnownServers.Channel FIELDS =
      new KnownServers.Channel(
          "channel",
          "closeFuture",
          Accepting.class.getName(),
          List.of("socket", "local"),
          List.of("loop", "thread"));

  private static final int PORT = 8080;

  private interface Accepting {}

  private record Promise(Connection channel) {
    @Override
    public boolean equals(Object other) {
      throw new AssertionError("code of the application is called");
    }

    @Override
    public int hashCode() {
      throw new AssertionError("code of the application is called");
    }
  }

  private record Loop(Thread thread) {}

  @SuppressWarnings("UnusedVariable") // Read by reflection.
  private static class Connection {
    final Promise closeFuture = new Promise(this);
    Object socket;
    InetSocketAddress local;
    Loop loop = new Loop(new Thread(() -> {}));

    Connection bound(int port) {
      local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      return this;
    }
  }

  private static class Listener extends Connection implements Accepting {}

  private static final class OfLibrary extends Listener {}

  private static boolean ends(Promise promise) {
    return AwaitedServers.isChannel(FIELDS, promise, Set.of(PORT), thread -> true);
  }

  @Test
  void aConnectionIsNoServer() {
    assertFalse(ends(new Connection().bound(PORT).closeFuture));
  }

  @Test
  void anotherFutureOfTheChannelIsNotItsEnd() {
    assertFalse(ends(new Promise(new Listener().bound(PORT))));
  }

  @Test
  void aServerWithoutPortHasFailed() {
    assertFalse(ends(new Listener().closeFuture));
  }

  @Test
  void thePortOfAnotherServerProvesNothing() {
    assertFalse(ends(new Listener().bound(PORT + 1).closeFuture));
  }

  @Test
  void aThreadThatDoesSomethingElseDoesNotAccept() {
    Listener server = new Listener();
    server.bound(PORT);
    assertFalse(
        AwaitedServers.isChannel(FIELDS, server.closeFuture, Set.of(PORT), thread -> false));
    server.loop = null;
    assertFalse(ends(server.closeFuture));
  }

  @Test
  void aServerThatAcceptsHasAPortAndAThread() {
    assertTrue(ends(new Listener().bound(PORT).closeFuture));
    assertTrue(ends(new OfLibrary().bound(PORT).closeFuture));
  }

  @Test
  void theJdksChannelHasTheAddress() throws IOException {
    Listener server = new Listener();
    try (ServerSocketChannel socket = ServerSocketChannel.open()) {
      server.socket = socket;
      assertFalse(ends(server.closeFuture));
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) socket.getLocalAddress()).getPort();
      assertTrue(
          AwaitedServers.isChannel(FIELDS, server.closeFuture, Set.of(port), thread -> true));
    }
    assertFalse(ends(server.closeFuture));
  }
}
