package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.LinuxTask;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells, according to Linux, whether processes do something: they compute, wait for something from
 * outside, or sleep once. One that sleeps again and again, or whose threads wait for each other,
 * may do so for ever.
 */
final class ProcessActivity {
  private static final Path PROC = Path.of("/proc");

  /** The part of a processor's time below which a process does not compute: 1/50. */
  private static final int SHARE = 50;

  /** Linux counts the times of processes in hundredths of a second. */
  private static final double TICKS_PER_SECOND = 100;

  /** The columns of {@code stat}, from the state on. */
  private static final int FIRST_TIME = 11;

  private static final int TIMES = 4;
  private static final int BEGIN = 19;

  private static final String SWITCHES = "voluntary_ctxt_switches:";

  /**
   * A look at a process and at those that it has started.
   *
   * @param atTicks the time since the system has started
   * @param ticks the processor time of all, also of those that have ended
   * @param sleeps the threads that sleep, with the number of times that each was given a processor
   * @param outside whether a thread waits for something from outside
   */
  private record Seen(double atTicks, long ticks, Map<String, String> sleeps, boolean outside) {}

  private final Map<Long, Seen> last = new HashMap<>();

  /** Forgets all processes but these. */
  void retain(Set<Long> pids) {
    last.keySet().retainAll(pids);
  }

  /**
   * Returns whether a process, or one that it has started, does something, as far as is known: of
   * one that is seen for the first time, the time since its begin counts.
   *
   * @param all the process, and all below it
   */
  boolean isActive(long pid, List<Long> all) throws IOException {
    Seen now = look(pid, all);
    Seen before = last.put(pid, now);
    if (now.outside) {
      return true;
    }
    if (before == null) {
      return now.ticks * SHARE > now.atTicks - Long.parseLong(stat(folder(pid))[BEGIN]);
    }
    return (now.ticks - before.ticks) * SHARE > now.atTicks - before.atTicks
        || now.sleeps.entrySet().stream().anyMatch(before.sleeps.entrySet()::contains);
  }

  private static Path folder(long pid) {
    return PROC.resolve(Long.toString(pid));
  }

  /** Returns the columns of {@code stat}, from the state on; the name before may have blanks. */
  private static String[] stat(Path process) throws IOException {
    String line = Files.readString(process.resolve("stat"));
    return line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
  }

  private static Seen look(long top, List<Long> all) throws IOException {
    double at =
        Double.parseDouble(Files.readString(PROC.resolve("uptime")).split(" ", -1)[0])
            * TICKS_PER_SECOND;
    long ticks = 0;
    boolean outside = false;
    Map<String, String> sleeps = new HashMap<>();
    for (long pid : all) {
      Path process = folder(pid);
      try {
        String[] columns = stat(process);
        for (int i = FIRST_TIME; i < FIRST_TIME + TIMES; i++) {
          ticks += Long.parseLong(columns[i]);
        }
        outside |= readThreads(process, sleeps);
      } catch (IOException e) {
        if (pid == top) {
          throw e;
        }
        // One that it had started has ended meanwhile.
      }
    }
    return new Seen(at, ticks, sleeps, outside);
  }

  /** Returns whether a thread waits for something from outside, and adds those that sleep. */
  private static boolean readThreads(Path process, Map<String, String> sleeps) throws IOException {
    boolean outside = false;
    Set<String> files = files(process);
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : threads) {
        String call = Files.readString(thread.resolve("syscall")).strip();
        if (LinuxTask.isIn(call, LinuxTask.SLEEP)) {
          sleeps.put(thread.getFileName().toString(), switches(thread));
        }
        outside |= isOutside(process, call, files);
      }
    }
    return outside;
  }

  private static boolean isOutside(Path process, String call, Set<String> files) {
    if (!LinuxTask.isCall(call) || LinuxTask.isIn(call, LinuxTask.WAIT)) {
      return false;
    }
    return LinuxTask.file(call, LinuxTask.READ_OR_WRITE).stream()
        .mapToObj(file -> target(process.resolve("fd").resolve(Long.toString(file))))
        .findFirst()
        .map(target -> !target.startsWith("pipe:"))
        .orElseGet(
            () ->
                files.stream()
                    .anyMatch(file -> file.startsWith("socket:") || file.contains("inotify")));
  }

  private static String switches(Path thread) throws IOException {
    return Files.readAllLines(thread.resolve("status")).stream()
        .filter(line -> line.startsWith(SWITCHES))
        .findFirst()
        .orElse("");
  }

  private static Set<String> files(Path process) throws IOException {
    Set<String> all = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      files.forEach(file -> all.add(target(file)));
    }
    return all;
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // It was closed meanwhile.
    }
  }
}
