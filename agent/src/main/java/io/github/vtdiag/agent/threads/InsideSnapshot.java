package io.github.vtdiag.agent.threads;

import io.github.vtdiag.watch.Carriers;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Takes snapshots of all threads for an observer outside, who cannot see the owners of locks. It
 * leaves nothing behind that runs.
 */
public final class InsideSnapshot {
  /**
   * The number of snapshots. The last one is needed because threads are read one after the other,
   * and may only alternate.
   */
  private static final int LOOKS = 3;

  /**
   * The time between two scans: a thread that uses the processor between them is not stuck, and is
   * not read in full.
   */
  private static final Duration SCAN = Duration.ofMillis(100);

  private InsideSnapshot() {}

  /**
   * Writes {@code look-1.json} and so on.
   *
   * @param folder is created for the user alone if it does not exist
   * @param interval the time to wait between the first two snapshots
   * @return whether there are virtual threads
   */
  public static boolean write(
      Path folder, Duration interval, LockMapReader maps, Instrumentation instrumentation)
      throws ReflectiveOperationException, IOException, InterruptedException {
    if (!new FirstThread(new Carriers(), instrumentation).wasMade()) {
      return false;
    }
    if (!Files.exists(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    // Mounts are not counted for it: that would change a class of the JDK.
    try (ThreadSnapshots looks =
        new ThreadSnapshots(instrumentation, maps, false, new Management())) {
      looks.look(ThreadSnapshots.platformThreads(), Set.of());
      Duration pause = SCAN;
      for (int look = 1; look <= LOOKS; look++) {
        Thread.sleep(pause);
        pause = look == 1 ? interval : interval.dividedBy(LOOKS + 1);
        looks.look(ThreadSnapshots.platformThreads(), Set.of());
        Path text = folder.resolve("look-" + look + ".stacks");
        looks.dump(folder.resolve("look-" + look + ".json"), text, List.of());
        Files.delete(text);
      }
    }
    return true;
  }
}
