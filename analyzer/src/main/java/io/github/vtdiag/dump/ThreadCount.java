package io.github.vtdiag.dump;

import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Counts the virtual threads of a JVM, by a dump of all. */
public final class ThreadCount {
  private ThreadCount() {}

  /** Asks a JVM, which starts one thread for that and prints nothing. */
  public static long virtualThreads(long pid, Duration patience) throws DataException {
    try (RunningJvm jvm = RunningJvm.attach(pid, patience)) {
      Path folder = Files.createTempDirectory("vtdiag-ps");
      Path file = folder.resolve("threads.json");
      try {
        DumpRisk.dump(pid, jvm, jvm.properties().getProperty("java.version", ""), false, file);
        return count(file);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      throw new DataException("the folder for temporary files cannot be written; set TMPDIR", e);
    }
  }

  /** Counts the stacks, as on Java 21; a thread that has not begun yet has none, nor a name. */
  private static long count(Path file) throws IOException, DataException {
    long[] count = {0};
    try (InputStream in = Files.newInputStream(file)) {
      DumpReader.read(
          in,
          file.toString(),
          new StackLines(),
          thread -> {
            boolean virtual =
                thread.virtual()
                    || (thread.state().isEmpty()
                        && (thread.frames().isEmpty()
                            ? thread.name().isEmpty()
                            : thread.frames().getLast().is("java.lang.VirtualThread", "run")));
            count[0] += virtual ? 1 : 0;
          });
    }
    return count[0];
  }
}
