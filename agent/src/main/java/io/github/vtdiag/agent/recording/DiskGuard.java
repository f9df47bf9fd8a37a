package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.pin.ChunkEnd.Why;
import java.io.File;
import java.util.concurrent.TimeUnit;

/**
 * Ends the recording while there is still room on the disk. If JFR cannot write it ends the JVM,
 * and no recording is worth that.
 */
public final class DiskGuard implements Runnable {
  /** The space that JFR needs to finish a recording is a few megabytes. */
  private static final long LOW_BYTES = 16_000_000;

  /** A system property with another number of bytes. */
  private static final String PROPERTY = "vtdiag.mindisk";

  private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final Recorder recorder;

  private DiskGuard(Recorder recorder) {
    this.recorder = recorder;
  }

  public static void start(Recorder recorder) {
    AgentThread.daemon("vtdiag disk", new DiskGuard(recorder)).start();
  }

  @Override
  public void run() {
    String repository = System.getProperty("jdk.jfr.repository");
    if (repository == null) {
      return;
    }
    // Not Files.getFileStore, which fails where no mount entry has the folder, as in containers.
    File disk = new File(repository);
    try {
      long low = Long.getLong(PROPERTY, LOW_BYTES);
      long left = disk.getUsableSpace();
      while (left >= low && !recorder.isOver()) {
        Thread.sleep(PERIOD_MILLIS);
        left = disk.getUsableSpace();
      }
      // Without a total the folder is gone, because the JVM ends, or the size is unknown.
      if (!recorder.isOver() && disk.getTotalSpace() > 0) {
        recorder.finish(Why.DISK_FULL);
        Log.line(
            "only "
                + left / 1_000_000
                + " MB left on the disk of "
                + repository
                + ": the recording ends here, because JFR ends the JVM when that disk is full");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      Log.failure("cannot see how much room is left on the disk of " + repository, e);
    }
  }
}
