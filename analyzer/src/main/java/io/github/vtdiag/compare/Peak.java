package io.github.vtdiag.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The peak use of a process, as far as it was sampled.
 *
 * @param threads platform threads, including carriers; without virtual threads
 * @param residentBytes memory of the process, its heap and all else
 */
public record Peak(int threads, long residentBytes) {
  private static final String THREADS = "Threads:";
  private static final String RESIDENT = "VmHWM:";

  /**
   * Returns the figures that Linux reports for a process; empty elsewhere, and once the process has
   * ended.
   */
  static Optional<Peak> now(long pid) {
    int threads = -1;
    long resident = -1;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith(THREADS)) {
          threads = Integer.parseInt(line.substring(THREADS.length()).strip());
        } else if (line.startsWith(RESIDENT)) {
          String kilobytes = line.substring(RESIDENT.length()).replace("kB", "").strip();
          resident = Long.parseLong(kilobytes) * 1_024;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
    return threads < 0 || resident < 0
        ? Optional.empty()
        : Optional.of(new Peak(threads, resident));
  }

  Peak max(Peak other) {
    return new Peak(Math.max(threads, other.threads), Math.max(residentBytes, other.residentBytes));
  }
}
