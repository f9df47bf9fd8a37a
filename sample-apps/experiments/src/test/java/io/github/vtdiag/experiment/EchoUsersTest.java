package io.github.vtdiag.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.compare.LoadResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class EchoUsersTest {
  /** Answers each byte of one connection with what becomes of it; below 0 ends the connection. */
  private static ServerSocket server(IntUnaryOperator answer) throws IOException {
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket client = server.accept()) {
                InputStream in = client.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int read = in.read(); read >= 0; read = in.read()) {
                  int written = answer.applyAsInt(read);
                  if (written < 0) {
                    return;
                  }
                  out.write(written);
                }
              } catch (IOException e) {
                // The client has gone.
              }
            });
    return server;
  }

  /** The lines after it count for themselves. */
  @Test
  void oneWrongByteIsNoEcho() throws Exception {
    try (ServerSocket server = server(read -> read == '1' ? '2' : read);
        EchoUsers users = new EchoUsers("user")) {
      users.open(server.getLocalPort(), 1);
      assertFalse(users.send());
      assertTrue(users.send());
      assertEquals("what came back was not what was sent", users.problem());
    }
  }

  @Test
  void aConnectionThatEndsIsNoEcho() throws Exception {
    try (ServerSocket server = server(read -> read == '\n' ? -1 : read);
        EchoUsers users = new EchoUsers("user")) {
      users.open(server.getLocalPort(), 1);
      assertFalse(users.send());
      assertFalse(users.send());
    }
  }

  @Test
  void whatDidNotComeBackIsSaid() throws Exception {
    try (EchoUsers users = new EchoUsers("user")) {
      assertEquals(
          Optional.empty(),
          users.wrong(new LoadResult(1_000, 1_000, 0, 0, Optional.empty()), "at the peak"));
      assertEquals(
          Optional.of("of 1,000 lines at the peak 3 came back wrong or not at all"),
          users.wrong(new LoadResult(997, 1_000, 2, 1, Optional.empty()), "at the peak"));
    }
  }

  @Test
  void linesThatComeBackAreEchoes() throws Exception {
    try (ServerSocket server = server(read -> read);
        EchoUsers users = new EchoUsers("user")) {
      users.open(server.getLocalPort(), 1);
      assertEquals(1, users.connections());
      assertTrue(users.send());
      assertTrue(users.send());
      assertEquals("", users.problem());
    }
  }
}
