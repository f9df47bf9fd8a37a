package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.LinuxTask;
import io.github.vtdiag.agent.threads.ReflectedField;
import io.github.vtdiag.waits.Awaited;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The processes that this JVM has started, according to Linux. A thread that waits for the end of
 * one waits for something outside the JVM, unless that process does nothing, or waits for this JVM:
 * to write into a pipe that nobody empties, or to read from one that nobody fills. The JDK does not
 * say which process a thread waits for, so only what holds for all of them is known.
 */
public final class ChildProcesses {
  /** The number of processes above which reading them would take too long. */
  private static final int MOST = 64;

  private static final Path PROC = Path.of("/proc");
  private static final String PIPE = "pipe:[";

  /** The states of a process that goes on: it runs, sleeps, or waits for a disk. */
  private static final String GOES_ON = "RSDI";

  private final ReflectedField completions =
      ReflectedField.of("java.lang.ProcessHandleImpl", "completions");
  private final FutureWaiters waiters = new FutureWaiters();
  private final Seldom<Set<Object>> exits = new Seldom<>(this::exits);
  private final ProcessActivity activity = new ProcessActivity();
  private final Seldom<Boolean> goOn =
      new Seldom<>(
          () -> {
            Map<Long, List<Long>> started = started();
            return areActive(started)
                && goOn(started.values().stream().flatMap(List::stream).toList());
          });

  /**
   * Returns whether a thread waits for the end of a process that goes on.
   *
   * @param blocker what the thread is parked for; may be null
   */
  public boolean end(Awaited awaited, Object blocker) {
    return (awaited.is(Awaited.Trait.PROCESS) || isExit(awaited, blocker)) && goOn.get();
  }

  /** Returns whether a thread waits for {@code Process.onExit()}. */
  public boolean isExit(Awaited awaited, Object blocker) {
    return awaited.is(Awaited.Trait.COMPLETABLE) && exits.get().contains(blocker);
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

  /** Returns the processes that this JVM has started, each with itself and all below it. */
  static Map<Long, List<Long>> started() {
    ProcessHandle own = ProcessHandle.current();
    Map<Long, Long> parents = new LinkedHashMap<>();
    try (Stream<ProcessHandle> all = own.descendants()) {
      all.limit(MOST + 1L)
          .forEach(each -> each.parent().ifPresent(above -> parents.put(each.pid(), above.pid())));
    }
    Map<Long, List<Long>> started = new LinkedHashMap<>();
    for (long pid : parents.keySet()) {
      long top = pid;
      // Not more often: the numbers may be those of other processes meanwhile.
      for (int i = 0; i < MOST && parents.getOrDefault(top, own.pid()) != own.pid(); i++) {
        top = parents.get(top);
      }
      started.computeIfAbsent(top, same -> new ArrayList<>()).add(pid);
    }
    return started;
  }

  /** Returns whether there are processes, and all of them go on. */
  static boolean goOn(List<Long> pids) {
    if (pids.isEmpty() || pids.size() > MOST || LinuxTask.READ_OR_WRITE.isEmpty()) {
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

  /** Returns whether all of them do something. */
  private boolean areActive(Map<Long, List<Long>> started) {
    activity.retain(started.keySet());
    if (started.size() > MOST) {
      return false;
    }
    try {
      boolean active = true;
      for (Map.Entry<Long, List<Long>> each : started.entrySet()) {
        active &= activity.isActive(each.getKey(), each.getValue());
      }
      return active;
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
    if (GOES_ON.indexOf(LinuxTask.state(Files.readString(process.resolve("stat")))) < 0) {
      return false;
    }
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : threads) {
        OptionalLong file =
            LinuxTask.file(Files.readString(thread.resolve("syscall")), LinuxTask.READ_OR_WRITE);
        if (file.isPresent()
            && own.contains(
                target(process.resolve("fd").resolve(Long.toString(file.getAsLong()))))) {
          return false;
        }
      }
    }
    return true;
  }
}
