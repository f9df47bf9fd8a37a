package io.github.vtdiag.agent.threads;

import java.util.OptionalLong;
import java.util.Set;

/** Parses what Linux says of a thread in the files of {@code /proc/PID/task/TID}. */
public final class LinuxTask {
  /** The system call {@code read}; none where its number is unknown. */
  static final Set<String> READ = numbers(Set.of("0"), Set.of("63"));

  /** The system calls {@code read}, {@code write}, {@code readv} and {@code writev}. */
  public static final Set<String> READ_OR_WRITE =
      numbers(Set.of("0", "1", "19", "20"), Set.of("63", "64", "65", "66"));

  /** The system calls that sleep. */
  public static final Set<String> SLEEP = numbers(Set.of("35", "230"), Set.of("101", "115"));

  /**
   * The system calls that wait for time, threads, processes or signals, and for nothing from
   * outside.
   */
  public static final Set<String> WAIT =
      numbers(
          Set.of("24", "34", "35", "61", "128", "130", "202", "219", "230", "247", "449", "455"),
          Set.of("95", "98", "101", "115", "124", "128", "133", "137", "260", "449", "455"));

  private LinuxTask() {}

  private static Set<String> numbers(Set<String> amd64, Set<String> aarch64) {
    return switch (System.getProperty("os.arch")) {
      case "amd64" -> amd64;
      case "aarch64" -> aarch64;
      default -> Set.of();
    };
  }

  /** Returns the state in {@code 4711 (ForkJoi..rker-1) R ...}; a space if there is none. */
  public static char state(String stat) {
    int state = stat.lastIndexOf(") ") + 2;
    return state > 1 && state < stat.length() ? stat.charAt(state) : ' ';
  }

  /**
   * Returns the file of a call, which is its first argument, in {@code 0 0x4 0x7f...}; empty if the
   * thread is in none of these calls.
   */
  public static OptionalLong file(String syscall, Set<String> calls) {
    String[] words = syscall.split(" ", -1);
    return words.length < 2 || !isIn(syscall, calls) || !words[1].startsWith("0x")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseUnsignedLong(words[1].substring(2), 16));
  }

  /** Returns whether a thread is in one of these calls. */
  public static boolean isIn(String syscall, Set<String> calls) {
    return calls.contains(syscall.split(" ", -1)[0]);
  }

  /** Returns whether a thread is in a call; one that runs, or waits for memory, is in none. */
  public static boolean isCall(String syscall) {
    return !syscall.isEmpty() && Character.isDigit(syscall.charAt(0));
  }
}
