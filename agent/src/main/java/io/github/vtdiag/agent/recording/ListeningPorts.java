package io.github.vtdiag.agent.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The TCP ports at which this JVM listens, according to Linux: a report can then print the address
 * of the program's server. They are looked up ever more rarely, because servers open them at
 * start-up and keep them.
 */
final class ListeningPorts {
  private static final Path SELF = Path.of("/proc/self");
  private static final String LISTENING = "0A";
  private static final String SOCKET = "socket:[";
  private static final int HEX = 16;

  /** The columns of the table of connections. */
  private static final int LOCAL = 1;

  private static final int STATE = 3;
  private static final int INODE = 9;

  /** The most open files that are read. */
  private static final int MOST = 4_096;

  /** The longest pause in seconds before they are looked up again. */
  private static final int LONGEST = 60;

  private int seconds;
  private int next = 1;

  /** Called once a second: commits an event for each port now and then. */
  void commit() {
    if (!isDue()) {
      return;
    }
    for (int port : of(SELF)) {
      JvmFacts.Listening event = new JvmFacts.Listening();
      event.port = port;
      event.commit();
    }
  }

  /** Called once a second: returns whether to look now. Each pause is twice as long as the last. */
  boolean isDue() {
    if (++seconds < next) {
      return false;
    }
    next = seconds + Math.min(seconds, LONGEST);
    return true;
  }

  /** Returns the ports of a process in ascending order; none where the system does not tell. */
  static List<Integer> of(Path process) {
    Map<String, Integer> byInode = new HashMap<>();
    read(process.resolve("net/tcp"), byInode);
    read(process.resolve("net/tcp6"), byInode);
    TreeSet<Integer> own = new TreeSet<>();
    if (byInode.isEmpty()) {
      return List.of();
    }
    // Other processes listen too.
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      int read = 0;
      for (Path file : files) {
        if (++read > MOST) {
          break;
        }
        String target = target(file);
        if (target.startsWith(SOCKET)) {
          Integer port = byInode.get(target.substring(SOCKET.length(), target.length() - 1));
          if (port != null) {
            own.add(port);
          }
        }
      }
    } catch (IOException e) {
      return List.of(); // Not Linux, or no permission.
    }
    return List.copyOf(own);
  }

  private static void read(Path table, Map<String, Integer> byInode) {
    try (Stream<String> lines = Files.lines(table)) {
      // Linux lists those that listen first: a server may have a hundred thousand connections.
      lines
          .skip(1)
          .map(line -> line.trim().split("\\s+", -1))
          .takeWhile(words -> words.length > INODE && words[STATE].equals(LISTENING))
          .forEach(
              words ->
                  byInode.put(
                      words[INODE],
                      Integer.parseInt(
                          words[LOCAL].substring(words[LOCAL].lastIndexOf(':') + 1), HEX)));
    } catch (IOException | UncheckedIOException e) {
      // Not Linux, or no IPv6.
    }
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // It was closed meanwhile.
    }
  }
}
