package io.github.vtdiag.agent.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ListeningPortsTest {
  @Test
  void whereTheSystemDoesNotTellThereAreNone(@TempDir Path folder) {
    assertEquals(List.of(), ListeningPorts.of(folder));
  }

  /** Another process listens at 8080 (1F90), and an end of a connection is no server. */
  @Test
  void onlyPortsOfTheProcessAtWhichItListensCount(@TempDir Path process) throws IOException {
    Files.createDirectories(process.resolve("net"));
    Path fd = Files.createDirectory(process.resolve("fd"));
    Files.writeString(
        process.resolve("net/tcp"),
        """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1
           1: 0100007F:23E7 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1
           2: 0100007F:9C40 0100007F:1538 01 00000000:00000000 00:00000000 00000000     0        0 13 1
        """);
    Files.createSymbolicLink(fd.resolve("4"), Path.of("socket:[12]"));
    Files.createSymbolicLink(fd.resolve("5"), Path.of("socket:[13]"));
    assertEquals(List.of(9191), ListeningPorts.of(process));
  }

  /** Each look reads all open files of the process, so it has to become rare soon. */
  @Test
  void eachPauseIsTwiceAsLongAsTheLastUpToAMinute() {
    ListeningPorts ports = new ListeningPorts();
    assertEquals(
        List.of(1, 2, 4, 8, 16, 32, 64, 124, 184),
        IntStream.rangeClosed(1, 200).filter(second -> ports.isDue()).boxed().toList());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aServerOfThisJvmIsFoundWhileItIsOpen() throws IOException {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
      assertTrue(ListeningPorts.of(Path.of("/proc/self")).contains(port));
    }
    assertFalse(ListeningPorts.of(Path.of("/proc/self")).contains(port));
  }
}
