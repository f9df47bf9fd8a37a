package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.ResourceTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The known pools of connections and other objects, by the method in which a thread waits. */
public final class KnownPools {
  private static final String TABLE = "pools.tsv";

  /** The number of leading names of a package that identify its library. */
  private static final int LIBRARY_NAMES = 3;

  /** The pools by class and method. */
  private static final Map<String, String> NAMES = new HashMap<>();

  /** The prefixes of libraries' classes for which that number of names is not enough. */
  private static final Set<String> LIBRARIES = new HashSet<>();

  static {
    read();
  }

  /**
   * A pool that was asked for an object.
   *
   * @param pool its name
   * @param inside its method
   * @param asked the frame that called it
   */
  public record Asked(String pool, Frame inside, Frame asked) {}

  private KnownPools() {}

  /**
   * Finds the pool on whose behalf a stack waits, and its caller. A pool that waits for a socket,
   * or runs other code, opens a connection. That is no wait for a free one.
   */
  public static Optional<Asked> askedBy(List<Frame> frames) {
    String library = "";
    String pool = "";
    Optional<Frame> inside = Optional.empty();
    for (Frame frame : frames) {
      String type = frame.type().name();
      if (isWaiting(type) && pool.isEmpty()) {
        continue;
      }
      if (library.isEmpty()) {
        library = library(type);
      }
      String named = NAMES.getOrDefault(type + "." + frame.method(), "");
      boolean within = library(type).equals(library) || (!named.isEmpty() && !pool.isEmpty());
      if (!within) {
        return pool.isEmpty()
            ? Optional.empty()
            : Optional.of(new Asked(pool, inside.orElseThrow(), frame));
      }
      if (!named.isEmpty()) {
        inside = Optional.of(frame);
        pool = named; // The outermost: one pool may stand on another.
        library = library(type);
      }
    }
    return pool.isEmpty()
        ? Optional.empty()
        : Optional.of(new Asked(pool, inside.orElseThrow(), frames.getLast()));
  }

  /**
   * Returns whether a thread that waits to enter a monitor returns from {@code Object.wait}. It was
   * notified, and still lacks what it waits for.
   */
  public static boolean isInObjectWait(List<Frame> frames) {
    return !frames.isEmpty()
        && frames.getFirst().type().name().equals("java.lang.Object")
        && frames.getFirst().method().startsWith("wait");
  }

  /**
   * Returns whether a stack belongs to a thread that uses an object of a pool: code of the pool's
   * library, such as the proxy of a connection, is between the application and what the proxy
   * calls. Threads that ask the pool for an object, or run a task of the pool, have none.
   *
   * @param pool a frame of the pool
   */
  public static boolean isUser(List<Frame> frames, Frame pool) {
    String library = library(pool.type().name());
    if (isInside(frames)) {
      return false;
    }
    List<Boolean> within = new ArrayList<>();
    for (Frame frame : frames) {
      if (!frame.type().isJdk()) {
        within.add(library(frame.type().name()).equals(library));
      }
    }
    return within.contains(true) && !within.getFirst() && !within.getLast();
  }

  /** Returns whether a stack is in the method of a pool that gives one of its objects. */
  public static boolean isInside(List<Frame> frames) {
    return frames.stream()
        .anyMatch(frame -> NAMES.containsKey(frame.type().name() + "." + frame.method()));
  }

  private static boolean isWaiting(String type) {
    return type.startsWith("java.util.concurrent.")
        || type.startsWith("java.lang.")
        || type.startsWith("jdk.internal.");
  }

  private static String library(String type) {
    for (String known : LIBRARIES) {
      if (type.startsWith(known)) {
        return known;
      }
    }
    String[] names = type.split("\\.", LIBRARY_NAMES + 1);
    return String.join(".", List.of(names).subList(0, Math.min(LIBRARY_NAMES, names.length - 1)));
  }

  private static void read() {
    ResourceTable.rows(KnownPools.class, TABLE)
        .map(line -> line.split("\t", -1))
        .forEach(
            cells -> {
              NAMES.put(cells[1] + "." + cells[2], cells[0]);
              if (!cells[3].isEmpty()) {
                LIBRARIES.add(cells[3]);
              }
            });
  }
}
