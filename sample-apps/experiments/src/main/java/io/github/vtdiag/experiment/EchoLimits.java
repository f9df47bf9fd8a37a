package io.github.vtdiag.experiment;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The system's limits on what programs open. An unknown limit is taken for high enough.
 *
 * @param filesOfProcess the most open files of one process: the hard limit, to which the JVM raises
 *     the soft one as it starts
 * @param filesLeft the number of files that all processes together may still open
 * @param ports the most connections that a client can open to one address and port
 * @param memoryBytes the available memory
 */
record EchoLimits(
    OptionalLong filesOfProcess,
    OptionalLong filesLeft,
    OptionalLong ports,
    OptionalLong memoryBytes) {

  /** The files that a JVM opens besides its connections: jars, pipes, selectors, a recording. */
  static final int OWN_FILES = 200;

  /** The most servers. Each is two JVMs more; with many more it is no experiment on one server. */
  static final int MOST_SERVERS = 8;

  /** The part of the ports that is used: the search for a free one takes long once few are left. */
  private static final double USABLE_PORTS = 0.7;

  /** The number of addresses from 127.0.0.1 to 127.0.0.254. */
  private static final int MOST_ADDRESSES = 254;

  /** The memory for both ends: the measured value, and half as much again. */
  private static final long BYTES_OF_CONNECTION = 24 * 1_024;

  private static final long BYTES_OF_JVM = 128L * 1_024 * 1_024;

  /**
   * The distribution of connections.
   *
   * @param servers the number of processes that share them; one, if a process may open so many
   *     files
   * @param addresses the number of addresses on which each of these listens
   */
  record Spread(int connections, int servers, int addresses) {
    /** Returns the number of connections of a server; the first server is 0. */
    int share(int server) {
      return connections / servers + (server < connections % servers ? 1 : 0);
    }

    /** Returns the distribution of one of these servers alone. */
    Spread one() {
      return new Spread(share(0), 1, addresses);
    }
  }

  /** Returns the limits of this system. */
  static EchoLimits here() {
    return new EchoLimits(
        first("/proc/self/limits", "Max open files", 1),
        filesLeftHere(),
        portsHere(),
        kilobytes(first("/proc/meminfo", "MemAvailable:", 0)));
  }

  /** Returns the number at that place after the words with which a line begins. */
  private static OptionalLong first(String file, String begin, int place) {
    return lines(file).stream()
        .filter(line -> line.startsWith(begin))
        .findFirst()
        .map(line -> number(line.substring(begin.length()), place))
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong filesLeftHere() {
    Optional<String> line = lines("/proc/sys/fs/file-nr").stream().findFirst();
    OptionalLong used = line.map(text -> number(text, 0)).orElse(OptionalLong.empty());
    OptionalLong most = line.map(text -> number(text, 2)).orElse(OptionalLong.empty());
    return used.isPresent() && most.isPresent()
        ? OptionalLong.of(most.getAsLong() - used.getAsLong())
        : OptionalLong.empty();
  }

  private static OptionalLong portsHere() {
    Optional<String> line = lines("/proc/sys/net/ipv4/ip_local_port_range").stream().findFirst();
    OptionalLong low = line.map(text -> number(text, 0)).orElse(OptionalLong.empty());
    OptionalLong high = line.map(text -> number(text, 1)).orElse(OptionalLong.empty());
    return low.isPresent() && high.isPresent()
        ? OptionalLong.of(high.getAsLong() - low.getAsLong() + 1)
        : OptionalLong.empty();
  }

  private static OptionalLong kilobytes(OptionalLong number) {
    return number.isPresent() ? OptionalLong.of(number.getAsLong() * 1_024) : number;
  }

  private static OptionalLong number(String text, int place) {
    String[] words = text.strip().split("\\s+", -1);
    return place < words.length && words[place].matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(words[place]))
        : OptionalLong.empty();
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Distributes connections so that no limit is reached.
   *
   * @throws DataException if that cannot be; it names the limit, and the command that lifts it
   */
  Spread spread(int connections) throws DataException {
    int servers = servers(connections);
    if (filesLeft.isPresent()) {
      // Each connection has two ends.
      long needed = 2L * connections + (2L * servers + 1) * OWN_FILES;
      if (filesLeft.getAsLong() < needed) {
        throw new DataException(
            "%s need %s open files in all, and the system allows %s more (fs.file-max); raise it, 'sudo sysctl -w fs.file-max=%d', or use fewer --connections"
                .formatted(
                    Figures.count(connections, "connection"),
                    Figures.count(needed),
                    Figures.count(Math.max(0, filesLeft.getAsLong())),
                    2 * needed));
      }
    }
    int share = (connections + servers - 1) / servers;
    long addresses = addresses(share);
    memory(connections, servers);
    return new Spread(connections, servers, (int) addresses);
  }

  private int servers(int connections) throws DataException {
    if (filesOfProcess.isEmpty()) {
      return 1;
    }
    long each = filesOfProcess.getAsLong() - OWN_FILES;
    long servers = each <= 0 ? Long.MAX_VALUE : (connections + each - 1) / each;
    if (servers > MOST_SERVERS) {
      throw new DataException(
          "%s are too many here: a process may open %s files (ulimit -Hn), and they would need more than %d servers; raise it, '%s', or use %s"
              .formatted(
                  Figures.count(connections, "connection"),
                  Figures.count(filesOfProcess.getAsLong()),
                  MOST_SERVERS,
                  command(connections),
                  each <= 0 ? "another system" : "--connections " + MOST_SERVERS * each));
    }
    return (int) servers;
  }

  /** Returns the command that lets one process have all connections. */
  static String command(int connections) {
    int files = connections + OWN_FILES;
    return "sudo prlimit --pid $$ --nofile=" + files + ":" + files;
  }

  private long addresses(int share) throws DataException {
    if (ports.isEmpty()) {
      return 1;
    }
    long each = Math.max(1, (long) (ports.getAsLong() * USABLE_PORTS));
    long addresses = (share + each - 1) / each;
    if (addresses > MOST_ADDRESSES) {
      throw new DataException(
          "%s to a server are too many here: there are %s local ports (net.ipv4.ip_local_port_range) for each of %d loopback addresses; raise it, \"sudo sysctl -w net.ipv4.ip_local_port_range='1024 65535'\", or use fewer --connections"
              .formatted(
                  Figures.count(share, "connection"),
                  Figures.count(ports.getAsLong()),
                  MOST_ADDRESSES));
    }
    return addresses;
  }

  private void memory(int connections, int servers) throws DataException {
    long needed = connections * BYTES_OF_CONNECTION + 2L * servers * BYTES_OF_JVM;
    if (memoryBytes.isPresent() && memoryBytes.getAsLong() < needed) {
      throw new DataException(
          "%s need about %s MB of memory at both ends, and %s MB are available; end other programs, or use fewer --connections"
              .formatted(
                  Figures.count(connections, "connection"),
                  Figures.count(needed >> 20),
                  Figures.count(memoryBytes.getAsLong() >> 20)));
    }
  }
}
