package io.github.vtdiag.junit.inside;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import io.github.vtdiag.hang.DumpFault;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds virtual threads that their test has left behind, waiting for another thread. Only dumps
 * have the stacks of all of them, so they are made only while such threads exist.
 */
final class StalledThreads {
  private static final int LOOKS = 4;

  /** The number of frames among which one of the JDK's says that the thread waits. */
  private static final int TOP_FRAMES = 4;

  /** The JDK's methods on top of the stack of a thread that waits. */
  private static final Set<String> WAITS =
      Set.of("park", "parkNanos", "parkOnCarrierThread", "sleep", "sleep0", "wait", "wait0");

  private static final String UNSURE =
      "Not known whether a virtual thread of this test still waits: it may be of this test or of"
          + " one that ran at the same time. Run it on its own, with @Isolated.\n\n";

  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String NOT_KNOWN =
      "Not known whether virtual threads of this test wait for other threads: Java 25 tells it only"
          + " while no virtual thread runs (JDK-8364343, fixed in 26), and others did all the time."
          + " Run it on its own, with @Isolated.";

  /** The form {@code #31 "name" virtual WAITING ...}; Java 21 says no more than virtual. */
  private static final Pattern HEAD = Pattern.compile("#(\\d+) \"(.*)\" virtual\\b.*");

  /**
   * The form {@code java.base/java.lang.Thread.join(Thread.java:1234)}; from Java 25 on after "at".
   */
  private static final Pattern LINE =
      Pattern.compile(
          "(?:at )?(?:[^\\s/(]*/)*([^\\s/(]+)\\.([^\\s.(]+)\\(([^():]*)(?::(\\d+))?\\)");

  /** The suffix of the name of a hidden class. */
  private static final Pattern HIDDEN = Pattern.compile("[/+.]0x[0-9a-f]+");

  private StalledThreads() {}

  /**
   * Finds threads that still wait for others a time after the test's end: those of the test, or
   * else those that may be.
   *
   * @param living the threads with this share in the test that have not ended
   * @return the failure in words
   */
  static Optional<String> find(Function<LivePins.Share, Set<Long>> living, long nanos) {
    return find(() -> living.apply(LivePins.Share.OWN), nanos, "")
        .or(() -> find(() -> living.apply(LivePins.Share.UNSURE), nanos, UNSURE));
  }

  private static Optional<String> find(Supplier<Set<Long>> living, long nanos, String head) {
    long end = System.nanoTime() + nanos;
    Set<Long> moved = new HashSet<>();
    Map<Long, StackTrace> waiting = null;
    while (true) {
      Set<Long> ids = living.get();
      if (!ids.isEmpty() && !mayDump()) {
        return Optional.of(NOT_KNOWN);
      }
      List<String> dump = ids.isEmpty() ? List.of() : dump();
      Map<Long, StackTrace> stacks = read(dump);
      stacks.keySet().retainAll(ids);
      Map<Long, StackTrace> now = waiting(stacks);
      boolean last = waiting != null && System.nanoTime() - end >= 0;
      if (waiting == null) {
        waiting = new HashMap<>(now);
      }
      waiting.forEach(
          (id, stack) -> {
            if (!stack.equals(now.get(id))) {
              moved.add(id);
            }
          });
      waiting.keySet().removeAll(moved);
      if (last || (waiting.isEmpty() && !mayWaitLater(stacks))) {
        return waiting.isEmpty()
            ? Optional.empty()
            : Optional.of(head + words(waiting, names(dump), nanos));
      }
      // On a busy machine a thread may begin to run only when its test has ended.
      waiting.putAll(now);
      waiting.keySet().removeAll(moved);
      long left = Math.max(SHORTEST_NANOS, end - System.nanoTime());
      LockSupport.parkNanos(Math.min(left, Math.max(SHORTEST_NANOS, nanos / LOOKS)));
    }
  }

  /**
   * Returns whether a dump cannot crash the JVM. With {@link DumpFault} it cannot once no carrier
   * runs.
   */
  private static boolean mayDump() {
    if (!DumpFault.isIn(Runtime.version().feature())) {
      return true;
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    Map<Long, Long> before = KeptCarriers.processorNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(SHORTEST_NANOS);
      Map<Long, Long> now = KeptCarriers.processorNanos();
      if (areIdle(before, now)) {
        return true;
      }
      before = now;
    }
    return false;
  }

  private static boolean areIdle(Map<Long, Long> before, Map<Long, Long> now) {
    return now.entrySet().stream()
        .allMatch(
            each ->
                before.containsKey(each.getKey())
                    && each.getValue() - before.get(each.getKey()) < DumpFault.IDLE_NANOS);
  }

  private static String words(Map<Long, StackTrace> waiting, Map<Long, String> names, long nanos) {
    Map<String, Set<Long>> places = new LinkedHashMap<>();
    waiting.forEach(
        (id, stack) -> places.computeIfAbsent(place(stack), p -> new TreeSet<>()).add(id));
    return Figures.count(waiting.size(), "virtual thread")
        + " of this test still "
        + (waiting.size() == 1 ? "waits" : "wait")
        + " for another thread, "
        + Figures.duration(nanos)
        + " after its end:\n"
        + places.entrySet().stream()
            .map(
                each ->
                    "\n  "
                        + Printable.text(each.getKey())
                        + ": "
                        + each.getValue().stream()
                            .limit(LOOKS)
                            .map(id -> "#" + id + names.getOrDefault(id, ""))
                            .collect(Collectors.joining(", "))
                        + (each.getValue().size() > LOOKS ? ", ..." : ""))
            .collect(Collectors.joining());
  }

  private static String place(StackTrace stack) {
    Awaited awaited = awaited(stack);
    return awaited.subject()
        + stack.frames().stream()
            .filter(frame -> frame.type().isWritten())
            .findFirst()
            .map(
                frame ->
                    " in "
                        + frame.qualifiedMethod()
                        + " ("
                        + Figures.position(frame.type(), frame.line())
                        + ")")
            .orElse("");
  }

  private static Awaited awaited(StackTrace stack) {
    return KnownWaits.of(stack, Thread.State.WAITING);
  }

  /** Returns the stacks of those of these threads that wait for others. */
  private static Map<Long, StackTrace> waiting(Map<Long, StackTrace> stacks) {
    Map<Long, StackTrace> waiting = new HashMap<>(stacks);
    waiting.values().removeIf(stack -> !awaited(stack).isNeverOfIdle());
    return waiting;
  }

  private static List<String> dump() {
    try {
      Path folder = Files.createTempDirectory("vtdiag");
      Path file = folder.resolve("threads.txt");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
        return Files.readAllLines(file);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException | LinkageError | UnsupportedOperationException e) {
      throw new IllegalStateException("cannot tell which threads the test left: " + e, e);
    }
  }

  /**
   * Returns whether one of these threads still has to run: it has no stack, or waits for nothing.
   */
  private static boolean mayWaitLater(Map<Long, StackTrace> stacks) {
    return stacks.values().stream()
        .anyMatch(
            stack -> stack.frames().stream().limit(TOP_FRAMES).noneMatch(StalledThreads::waits));
  }

  private static boolean waits(Frame frame) {
    return WAITS.contains(frame.method());
  }

  /** Returns the names of virtual threads that have one, quoted, by their numbers. */
  static Map<Long, String> names(List<String> dump) {
    Map<Long, String> names = new HashMap<>();
    for (String line : dump) {
      Matcher head = HEAD.matcher(line);
      if (head.matches() && !head.group(2).isEmpty()) {
        names.put(Long.parseLong(head.group(1)), " " + Printable.quoted(head.group(2)));
      }
    }
    return names;
  }

  /** Returns the stacks of virtual threads, by their numbers. */
  static Map<Long, StackTrace> read(List<String> dump) {
    Map<Long, List<Frame>> frames = new HashMap<>();
    List<Frame> stack = new ArrayList<>();
    for (String line : dump) {
      if (line.startsWith("#")) {
        stack = new ArrayList<>();
        Matcher head = HEAD.matcher(line);
        if (head.matches()) {
          frames.put(Long.parseLong(head.group(1)), stack);
        }
      } else {
        Matcher frame = LINE.matcher(HIDDEN.matcher(line.strip()).replaceAll(""));
        if (frame.matches()) {
          int number = frame.group(4) == null ? -1 : Integer.parseInt(frame.group(4));
          ClassRef type = new ClassRef(frame.group(1), "");
          stack.add(new Frame(type, frame.group(2), "", 0, -1, number, Frame.Kind.UNKNOWN));
        }
      }
    }
    Map<Long, StackTrace> stacks = new HashMap<>();
    frames.forEach((id, each) -> stacks.put(id, new StackTrace(each, false)));
    return stacks;
  }
}
