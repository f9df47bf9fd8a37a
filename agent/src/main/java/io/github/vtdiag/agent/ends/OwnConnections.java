package io.github.vtdiag.agent.ends;

import io.github.vtdiag.waits.LongWait;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The TCP connections of this JVM to itself, according to Linux. A client may wait to read while
 * the other end is in this JVM and no thread waits to read there. Then it waits for a thread that
 * is busy or stuck. A server's thread that waits for the next request is no such client.
 */
public final class OwnConnections {
  private static final Path FOLDER = Path.of("/proc/self");

  /** The number of open files above which reading them would take too long. */
  private static final int MOST = 4_096;

  /** Shorter than any wait that is asked for. */
  private static final long PERIOD_NANOS = LongWait.SHORTEST_AT_END_NANOS / 2;

  private static final String SOCKET = "socket:[";
  private static final String POLL = "anon_inode:[eventpoll]";

  /** The target of an io_uring descriptor; reads through it cannot be seen. */
  private static final String RING = "anon_inode:[io_uring]";

  private static final String ESTABLISHED = "01";
  private static final String LISTENING = "0A";
  private static final int HEX = 16;

  /** The bit in {@code events} of a poll that stands for readable data. */
  private static final long READABLE = 1;

  /** The columns of the table of connections. */
  private static final int LOCAL = 1;

  private static final int REMOTE = 2;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int RETRANSMIT_TIMEOUT = 12;

  /** The column of the time by which acknowledgements are delayed, 0 until data has come. */
  private static final int DELAY = 13;

  /** The number in a column of which the system knows nothing, or that is not set yet. */
  private static final String NO_TIME = "0";

  /** Tells of the files that this process has open, by their numbers. */
  public interface OfFiles {
    /** Returns whether it is a connection that this program has made to another one. */
    boolean isMade(int file);

    /** The same, of one from which nothing has ever come. */
    boolean isSilent(int file);
  }

  private record Ends(String local, String remote) {
    Ends turned() {
      return new Ends(/* local= */ remote, /* remote= */ local);
    }

    int remotePort() {
      return port(remote);
    }
  }

  private final Map<String, Integer> descriptors = new HashMap<>();
  private final Map<Integer, String> inodes = new HashMap<>();
  private final Set<Integer> awaited = new HashSet<>();
  private final Map<String, Ends> byInode = new HashMap<>();
  private final Map<Ends, String> byEnds = new HashMap<>();
  private final Set<Integer> served = new HashSet<>();

  /** The connections from whose other end no data has ever come. */
  private final Set<String> silent = new HashSet<>();

  private final Set<Integer> polled = new HashSet<>();

  private OwnConnections() {}

  /** Returns the current connections; empty if they cannot be known. */
  public static Optional<OwnConnections> look() {
    OwnConnections found = new OwnConnections();
    try {
      if (!Files.isReadable(FOLDER.resolve("net/tcp")) || !found.readDescriptors()) {
        return Optional.empty();
      }
      found.readConnections(FOLDER.resolve("net/tcp"));
      found.readConnections(FOLDER.resolve("net/tcp6"));
      return Optional.of(found);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns these for threads that have waited for longer than what it knows is old. */
  public static OfFiles seldom() {
    Seldom<Optional<OwnConnections>> known = new Seldom<>(PERIOD_NANOS, OwnConnections::look);
    return new OfFiles() {
      @Override
      public boolean isMade(int file) {
        return known.get().filter(connections -> connections.isMade(file)).isPresent();
      }

      @Override
      public boolean isSilent(int file) {
        return known.get().filter(connections -> connections.isSilent(file)).isPresent();
      }
    };
  }

  private boolean readDescriptors() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER.resolve("fd"))) {
      for (Path file : files) {
        String target = target(file);
        int number = Integer.parseInt(file.getFileName().toString());
        if (target.equals(RING) || inodes.size() == MOST) {
          return false;
        }
        if (target.startsWith(SOCKET)) {
          String inode = target.substring(SOCKET.length(), target.length() - 1);
          descriptors.put(inode, number);
          inodes.put(number, inode);
        } else if (target.equals(POLL)) {
          readPoll(FOLDER.resolve("fdinfo").resolve(file.getFileName()));
        }
      }
    }
    return true;
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // It was closed meanwhile.
    }
  }

  /** Parses lines such as {@code tfd: 11 events: 40000019 data: b pos:0 ino:772f08 sdev:9}. */
  private void readPoll(Path file) {
    for (String line : lines(file)) {
      String[] words = line.trim().split("\\s+", -1);
      if (words.length > STATE
          && words[0].equals("tfd:")
          && (Long.parseLong(words[STATE], HEX) & READABLE) != 0) {
        awaited.add(Integer.parseInt(words[1]));
      }
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of(); // It was closed meanwhile, or there is no IPv6.
    }
  }

  private void readConnections(Path file) {
    for (String line : lines(file)) {
      String[] words = line.trim().split("\\s+", -1);
      if (words.length <= INODE) {
        continue;
      }
      if (words[STATE].equals(LISTENING) && descriptors.containsKey(words[INODE])) {
        served.add(port(words[LOCAL]));
        if (awaited.contains(descriptors.get(words[INODE]))) {
          polled.add(port(words[LOCAL]));
        }
      } else if (words[STATE].equals(ESTABLISHED)) {
        Ends ends = new Ends(words[LOCAL], words[REMOTE]);
        byInode.put(words[INODE], ends);
        byEnds.put(ends, words[INODE]);
        if (words.length > DELAY
            && !words[RETRANSMIT_TIMEOUT].equals(NO_TIME) // Some systems write 0 in all columns.
            && words[DELAY].equals(NO_TIME)) {
          silent.add(words[INODE]);
        }
      }
    }
  }

  /** Returns the ports on which this JVM listens, and for whose connections a selector waits. */
  public Set<Integer> polled() {
    return Set.copyOf(polled);
  }

  /** Returns whether this JVM has made that connection, and the other end is not in this JVM. */
  boolean isMade(int descriptor) {
    Ends ends = byInode.get(inodes.getOrDefault(descriptor, ""));
    return ends != null
        && !served.contains(port(ends.local()))
        && !served.contains(ends.remotePort())
        && !descriptors.containsKey(byEnds.getOrDefault(ends.turned(), ""));
  }

  /** The same of a connection from whose other end no data has ever come. */
  boolean isSilent(int descriptor) {
    return silent.contains(inodes.getOrDefault(descriptor, "")) && isMade(descriptor);
  }

  /**
   * Returns the one port of this JVM from which selectors wait for answers while no thread waits
   * there to read; empty if they also wait for another program, or for several ports.
   */
  OptionalInt unansweredOfSelectors() {
    if (awaited.stream().anyMatch(this::isMade)) {
      return OptionalInt.empty();
    }
    int[] ports =
        awaited.stream()
            .map(this::unanswered)
            .flatMapToInt(OptionalInt::stream)
            .distinct()
            .toArray();
    return ports.length == 1 ? OptionalInt.of(ports[0]) : OptionalInt.empty();
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEX);
  }

  /**
   * Returns the port of this JVM to which that descriptor is connected, if no thread waits there to
   * read; empty if one does, or if the other end is unknown.
   */
  OptionalInt unanswered(int descriptor) {
    Ends ends = byInode.get(inodes.getOrDefault(descriptor, ""));
    if (ends == null || !served.contains(ends.remotePort())) {
      return OptionalInt.empty();
    }
    String other = byEnds.get(ends.turned());
    if (other == null) {
      return OptionalInt.empty();
    }
    // A connection that was not accepted yet has no descriptor, and inode 0.
    boolean accepted = !other.equals("0");
    Integer there = descriptors.get(other);
    return accepted && (there == null || awaited.contains(there))
        ? OptionalInt.empty()
        : OptionalInt.of(ends.remotePort());
  }
}
