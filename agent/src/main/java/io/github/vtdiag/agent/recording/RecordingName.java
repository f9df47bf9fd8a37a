package io.github.vtdiag.agent.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** The name of a recording's file. */
final class RecordingName {
  private static final int LONGEST_HOST = 100;

  private RecordingName() {}

  /** Returns whether a folder was named, which collects files of many JVMs. */
  static boolean isFolder(String output) {
    return output.endsWith("/");
  }

  /**
   * Returns the file that the user means: its name with the process id and the time. In a folder,
   * the name also has the host, which in a container is the pod's name.
   */
  static String of(String output) {
    String file = isFolder(output) ? output + host() + "-%p-%t.jfr" : output;
    String ofProcess = file.replace("%p", Long.toString(ProcessHandle.current().pid()));
    // Not asked for where no name has it: the first use of the time zone takes longer than all
    // else.
    return ofProcess.contains("%t") ? ofProcess.replace("%t", now()) : ofProcess;
  }

  private static String now() {
    return DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
        .withZone(ZoneId.systemDefault())
        .format(Instant.now());
  }

  /** Returns this machine's name, without using the network. */
  private static String host() {
    for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
      String name = System.getenv(variable);
      if (name != null && !name.isBlank()) {
        return plain(name);
      }
    }
    try {
      return plain(Files.readString(Path.of("/proc/sys/kernel/hostname")));
    } catch (IOException | RuntimeException e) {
      return "host";
    }
  }

  /** Returns the name with the characters that a file name may have. */
  static String plain(String name) {
    String plain = name.strip().replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^\\.+", "");
    return plain.isEmpty() ? "host" : plain.substring(0, Math.min(plain.length(), LONGEST_HOST));
  }
}
