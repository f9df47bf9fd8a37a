package vtdiag.dump;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import vtdiag.hang.SeenThread;
import vtdiag.hang.ThreadWait;
import vtdiag.model.Frame;

/** The known pools of connections and other objects, told by the method in which a thread waits. */
final class Pools {
  private static final String TABLE = "pools.tsv";

  /** So many names of a package are its library's. */
  private static final int LIBRARY_NAMES = 3;

  /** By class and method. */
  private static final Map<String, String> NAMES = read();

  private record Key(String pool, Frame asked) {}

  private Pools() {}

  /** The pools for which threads wait, and from where; the largest crowd first. */
  static List<PoolCrowd> crowds(List<SeenThread> threads) {
    Map<Key, Long> counts = new LinkedHashMap<>();
    Map<List<Frame>, Optional<Key>> known = new HashMap<>();
    for (SeenThread thread : threads) {
      if (thread.virtual() && waits(thread)) {
        known
            .computeIfAbsent(thread.frames(), Pools::waitedFor)
            .ifPresent(key -> counts.merge(key, 1L, Long::sum));
      }
    }
    return counts.entrySet().stream()
        .map(each -> new PoolCrowd(each.getKey().pool(), each.getKey().asked(), each.getValue()))
        .sorted(Comparator.comparingLong(crowd -> -crowd.threads()))
        .toList();
  }

  private static boolean waits(SeenThread thread) {
    return switch (thread.waitsFor()) {
      case ThreadWait.Park park -> true;
      case ThreadWait.ObjectWait object -> true;
      case ThreadWait.Sleep sleep -> true;
      case ThreadWait.MonitorEntry entry -> false;
      case ThreadWait.Nothing nothing -> false;
      case ThreadWait.ClassInitialization awaited -> false;
      case ThreadWait.NativeCode code -> false;
      case ThreadWait.NotKnown unknown -> false;
    };
  }

  /**
   * The pool on whose behalf a stack waits, and who asked it. A pool that waits for a socket, or
   * runs other code, opens a connection: that is no wait for a free one.
   */
  private static Optional<Key> waitedFor(List<Frame> frames) {
    String library = "";
    String pool = "";
    for (Frame frame : frames) {
      String type = frame.type().name();
      if (isWaiting(type) && pool.isEmpty()) {
        continue;
      }
      if (library.isEmpty()) {
        library = library(type);
      }
      String named = NAMES.getOrDefault(type + "." + frame.method(), "");
      boolean inside = library(type).equals(library) || (!named.isEmpty() && !pool.isEmpty());
      if (!inside) {
        return pool.isEmpty() ? Optional.empty() : Optional.of(new Key(pool, frame));
      }
      if (!named.isEmpty()) {
        pool = named; // The outermost: one pool may stand on another.
        library = library(type);
      }
    }
    return pool.isEmpty() ? Optional.empty() : Optional.of(new Key(pool, frames.getLast()));
  }

  private static boolean isWaiting(String type) {
    return type.startsWith("java.util.concurrent.")
        || type.startsWith("java.lang.")
        || type.startsWith("jdk.internal.");
  }

  private static String library(String type) {
    String[] names = type.split("\\.", LIBRARY_NAMES + 1);
    return String.join(".", List.of(names).subList(0, Math.min(LIBRARY_NAMES, names.length - 1)));
  }

  private static Map<String, String> read() {
    try (InputStream in = Pools.class.getResourceAsStream(TABLE)) {
      Map<String, String> names = new HashMap<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .forEach(cells -> names.put(cells[1] + "." + cells[2], cells[0]));
      return Map.copyOf(names);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
