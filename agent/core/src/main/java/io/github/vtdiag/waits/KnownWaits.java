package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.ResourceTable;
import io.github.vtdiag.model.StackTrace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what a stack waits for: a known pool, or what the JDK's methods on top of it wait for. */
public final class KnownWaits {
  private static final String TABLE = "waits.tsv";

  /** The subject of a wait in native code. */
  private static final String NATIVE = "native code";

  /** The number of the last column, which few rows have. */
  private static final int TRAITS = 4;

  private record Row(Awaited.Kind kind, String subject, Set<Awaited.Trait> traits) {}

  /** The rows by class and method. */
  private static final Map<String, Row> ROWS = read();

  private KnownWaits() {}

  /**
   * Returns what a thread with this stack waits for.
   *
   * @param state how it waits
   */
  public static Awaited of(StackTrace stack, Thread.State state) {
    List<Frame> frames = stack.frames();
    boolean blocked = state == Thread.State.BLOCKED;
    if (!blocked || KnownPools.isInObjectWait(frames)) {
      Optional<KnownPools.Asked> pool = KnownPools.askedBy(frames);
      if (pool.isPresent()) {
        return new Awaited(Awaited.Kind.POOL, pool.get().pool(), Optional.of(pool.get().inside()));
      }
    }
    if (blocked) {
      return new Awaited(Awaited.Kind.MONITOR, "monitor", outside(frames));
    }
    Optional<Awaited> take = RedisTakes.calledBy(frames);
    if (take.isPresent()) {
      return take.get();
    }
    Awaited found = Awaited.UNKNOWN;
    for (Frame frame : frames) {
      Row row = ROWS.get(frame.qualifiedMethod());
      if (row == null && !frame.type().isJdk()) {
        break;
      }
      if (row != null) {
        found = new Awaited(row.kind, row.subject, row.traits, Optional.of(frame));
      }
    }
    // Candidates for leadership ask with a timeout again and again, and are idle meanwhile.
    if (state == Thread.State.WAITING && (isPlainSignal(found) || found.isPark())) {
      Optional<Awaited> lock = LibraryLocks.askedFor(frames);
      if (lock.isPresent()) {
        return lock.get();
      }
    }
    if (found.kind() != Awaited.Kind.UNKNOWN) {
      return isPlainSignal(found) ? OwnFutures.notifiedIn(frames).orElse(found) : found;
    }
    return state == Thread.State.RUNNABLE
        ? new Awaited(Awaited.Kind.UNKNOWN, NATIVE, Optional.empty())
        : OwnFutures.awaitedBy(frames).orElse(found);
  }

  /** Returns whether the JDK's method alone is known, by which idle workers wait, too. */
  private static boolean isPlainSignal(Awaited found) {
    return found.isSignalOfWorkers()
        && found.inside().filter(frame -> frame.type().isJdk()).isPresent();
  }

  private static Optional<Frame> outside(List<Frame> frames) {
    return frames.stream()
        .filter(frame -> !frame.type().name().startsWith("java.lang."))
        .findFirst();
  }

  private static Map<String, Row> read() {
    Map<String, Row> rows = new HashMap<>();
    ResourceTable.rows(KnownWaits.class, TABLE)
        .map(line -> line.split("\t", -1))
        .forEach(
            cells -> {
              Row row = new Row(Awaited.Kind.valueOf(cells[0]), cells[1], traits(cells));
              for (String method : cells[3].split(" ", -1)) {
                rows.put(cells[2] + "." + method, row);
              }
            });
    return Map.copyOf(rows);
  }

  private static Set<Awaited.Trait> traits(String[] cells) {
    return cells.length == TRAITS
        ? Set.of()
        : Stream.of(cells[TRAITS].split(" ", -1))
            .map(Awaited.Trait::valueOf)
            .collect(Collectors.toUnmodifiableSet());
  }
}
