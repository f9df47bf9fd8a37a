package io.github.vtdiag.agent.threads;

import io.github.vtdiag.watch.Carried;
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
 * Looks at all threads for somebody outside, who cannot see who has a lock, and leaves nothing that
 * runs.
 */
public final class InsideSnapshot {
  /** The last is there because threads are read one after the other, and may only take turns. */
  private static final int LOOKS = 3;

  /** Who uses the processor between two scans is not stuck, and not read in full. */
  private static final Duration SCAN = Duration.ofMillis(100);

  private InsideSnapshot() {}

  /**
   * Writes {@code look-1.json} and so on.
   *
   * @param folder is made for the user alone if it is not there
   * @param interval how long to wait between the first two looks
   * @return whether there are virtual threads to look at
   */
  public static boolean write(
      Path folder, Duration interval, LockMapReader maps, Instrumentation instrumentation)
      throws ReflectiveOperationException, IOException, InterruptedException {
    if (!new Carriers().everRan() && !isCarriedElsewhere(instrumentation)) {
      return false;
    }
    if (!Files.exists(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    // Nobody counts mounts for it: that would change a class of the JDK.
    ThreadSnapshots looks = new ThreadSnapshots(instrumentation, maps, false, new Management());
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
    return true;
  }

  /** Whether a thread carries a virtual one for another scheduler than the JDK's. */
  private static boolean isCarriedElsewhere(Instrumentation instrumentation)
      throws ReflectiveOperationException {
    ThreadInternals.open(instrumentation, "java.lang", "jdk.internal.vm");
    Carried carried = new Carried();
    for (Thread thread : ThreadSnapshots.platformThreads()) {
      if (carried.isCarrying(thread)) {
        return true;
      }
    }
    return false;
  }
}
