package io.github.vtdiag.agent.threads;

import io.github.vtdiag.waits.Awaited;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes that this JVM has started, according to Linux. A thread that waits for the end of
 * one waits for something outside the JVM, unless that process itself waits for this JVM: to write
 * into a pipe that nobody empties, or to read from one that nobody fills. The JDK does not say
 * which process a thread waits for, so only what holds for all of them is known.
 */
final class ChildProcesses {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The number of processes above which reading them would take too long. */
  private static final int MOST = 64;

  private static final Path PROC = Path.of("/proc");
  private static final String PIPE = "pipe:[";

  /** The numbers of the system calls that read or write a file; none where they are unknown. */
  private static final Set<String> CALLS =
      switch (System.getProperty("os.arch")) {
        case "amd64" -> Set.of("0", "1", "19", "20");
        case "aarch64" -> Set.of("63", "64", "65", "66");
        default -> Set.of();
      };

  /** The states of a process that goes on: it runs, sleeps, or waits for a disk. */
  private static final String GOES_ON = "RSDI";

  private final ReflectedField completions =
      ReflectedField.of("java.lang.ProcessHandleImpl", "completions");
  private final FutureWaiters waiters = new FutureWaiters();
  private boolean looked;
  private long lookedNanos;
  private boolean goOn;
  private Set<Object> exits = Set.of();

  /**
   * Returns whether a thread waits for the end of a process that goes on.
   *
   * @param blocker what the thread is parked for; may be null
   */
  boolean end(Awaited awaited, Object blocker) {
    if (!awaited.is(Awaited.Trait.PROCESS) && !awaited.is(Awaited.Trait.COMPLETABLE)) {
      return false;
    }
    long now = System.nanoTime();
    if (!looked || now - lookedNanos >= PERIOD_NANOS) {
      looked = true;
      lookedNanos = now;
      exits = exits();
      goOn = goOn(started());
    }
    return goOn && (awaited.is(Awaited.Trait.PROCESS) || exits.contains(blocker));
  }

  /** Returns what threads are parked for that wait for {@code Process.onExit()}. */
  private Set<Object> exits() {
    Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    if (completions.ofClass() instanceof Map<?, ?> all) {
      for (Object each : all.values()) {
        if (each instanceof CompletableFuture<?> exit) {
          waiters.addTo(found, exit);
        }
      }
    }
    return found;
  }

  private static List<Long> started() {
    try (Stream<ProcessHandle> all = ProcessHandle.current().descendants()) {
      return all.limit(MOST + 1L).map(ProcessHandle::pid).toList();
    }
  }

  /** Returns whether there are processes, and all of them go on. */
  static boolean goOn(List<Long> pids) {
    if (pids.isEmpty() || pids.size() > MOST || CALLS.isEmpty()) {
      return false;
    }
    try {
      Set<String> own = ownPipes();
      for (long pid : pids) {
        if (!goesOn(PROC.resolve(Long.toString(pid)), own)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false; // It has ended meanwhile, or belongs to somebody else.
    }
  }

  private static Set<String> ownPipes() throws IOException {
    Set<String> pipes = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve("self/fd"))) {
      for (Path file : files) {
        String target = target(file);
        if (target.startsWith(PIPE)) {
          pipes.add(target);
        }
      }
    }
    return pipes;
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // It was closed meanwhile.
    }
  }

  private static boolean goesOn(Path process, Set<String> own) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    int state = stat.lastIndexOf(") ") + 2;
    if (state < 2 || state >= stat.length() || GOES_ON.indexOf(stat.charAt(state)) < 0) {
      return false;
    }
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : threads) {
        // The number of the call and its arguments, the file first; or the word "running".
        String[] call = Files.readString(thread.resolve("syscall")).split(" ", -1);
        if (call.length > 1
            && CALLS.contains(call[0])
            && own.contains(target(process.resolve("fd").resolve(number(call[1]))))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Parses {@code 0x1f}. */
  private static String number(String hex) {
    return Long.toString(Long.parseUnsignedLong(hex.substring(2), 16));
  }
}
