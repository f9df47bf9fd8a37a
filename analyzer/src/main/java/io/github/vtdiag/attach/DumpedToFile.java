package io.github.vtdiag.attach;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** A file into which a JVM dumps all its threads, wherever its own files are. */
final class DumpedToFile {
  private final long pid;
  private final RunningJvm jvm;

  DumpedToFile(long pid, RunningJvm jvm) {
    this.pid = pid;
    this.jvm = jvm;
  }

  /**
   * Has the JVM dump all its threads into a file.
   *
   * @param file does not exist yet, in a folder that nobody else can read
   */
  void write(Path file) throws DataException {
    ProcessFiles files = new ProcessFiles(pid);
    boolean shared = !ProcessFiles.areThere() || files.sharesFiles();
    Path there = shared ? file : Path.of("/tmp", "vtdiag-" + UUID.randomUUID() + ".json");
    Path here = shared ? file : files.seenFromHere(there);
    String answer;
    try {
      answer =
          jvm.ask("Thread.dump_to_file -format=json " + quoted(there.toString()), () -> size(here));
    } catch (DataException e) {
      delete(here);
      throw e;
    }
    if (!answer.startsWith("Created")) {
      delete(here);
      throw new DataException(
          "process "
              + pid
              + " could not write its threads to "
              + there
              + " ("
              + answer.strip().lines().findFirst().orElse("no reason given")
              + "); name another folder with --dump");
    }
    if (!shared) {
      try {
        Files.move(here, file);
      } catch (IOException e) {
        delete(here);
        throw new DataException(
            "the dump of process " + pid + " cannot be taken from its files; run vtdiag as root",
            e);
      }
    }
  }

  private static String quoted(String argument) {
    return argument.contains(" ") ? '"' + argument + '"' : argument;
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It stays in the other JVM's folder for temporary files.
    }
  }
}
