package io.github.vtdiag.experiment;

import io.github.vtdiag.program.JdkClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.OptionalLong;

/**
 * The machine on which an experiment ran.
 *
 * @param processor its name; empty where the system does not tell
 * @param memoryBytes empty where the system does not tell
 * @param java the version that ran the programs; empty if it is not known
 */
public record Machine(
    int processors,
    String processor,
    OptionalLong memoryBytes,
    String system,
    String java,
    LocalDate day) {

  /** Returns this machine, today. */
  public static Machine here(Path java) {
    String memory = value("/proc/meminfo", "MemTotal").replace("kB", "").strip();
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        value("/proc/cpuinfo", "model name"),
        memory.matches("\\d{1,15}")
            ? OptionalLong.of(Long.parseLong(memory) * 1_024)
            : OptionalLong.empty(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        version(java),
        LocalDate.now(ZoneId.systemDefault()));
  }

  private static String version(Path java) {
    try {
      return JdkClasses.version(java);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the value of the first line with that key; empty if there is none. */
  private static String value(String file, String key) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
