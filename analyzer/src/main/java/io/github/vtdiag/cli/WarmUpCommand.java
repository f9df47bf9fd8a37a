package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.Recordings;
import io.github.vtdiag.report.Style;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import picocli.CommandLine.Command;

/**
 * {@code vtdiag warm-up}, which the launcher runs once with {@code -XX:ArchiveClassesAtExit}: it
 * loads the classes of the usual commands, by running them on a recording of its own.
 */
@Command(name = "warm-up", hidden = true)
final class WarmUpCommand implements Callable<Integer> {
  private static final long PIN_NANOS = 1_000_000;

  /** Its initializer pins on every JDK. */
  private static final class Initializer {
    static final long AT;

    static {
      LockSupport.parkNanos(PIN_NANOS);
      AT = System.nanoTime();
    }
  }

  WarmUpCommand(Console console) {}

  @Override
  public Integer call() throws IOException, InterruptedException, DataException {
    Path file = Files.createTempFile("vtdiag-warm-up", ".jfr");
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
      record(file);
      Console console = new Console(nowhere, nowhere, Style.PLAIN);
      Main.run(console, "analyze", file.toString());
      Main.run(console, "analyze", file.toString(), "--json");
      Main.run(console, "advise", file.toString());
      groupAsOn21(Recordings.read(file));
      // The verdict on this recording does not matter, and is no reason to do without an archive.
      Main.run(console, "gate", file.toString(), "--max-pin", "1h");
      return Exit.OK;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Groups as on Java 21. Since 24 monitors do not pin, so their code would not be loaded. */
  private static void groupAsOn21(RecordingData data) throws DataException {
    new Pipeline(List.of(), Optional.empty()).findings(List.of(data.asOn(21)));
  }

  private void record(Path file) throws IOException, InterruptedException {
    try (Recording recording = new Recording()) {
      for (String event : Events.EPISODES) {
        recording.enable(event).withoutThreshold().withStackTrace();
      }
      recording.enable(Events.JVM);
      recording.enable(Events.CPU);
      recording.enable(Events.SETTING);
      recording.start();
      Thread.ofVirtual().start(this::pin).join();
      recording.dump(file);
    }
  }

  private synchronized void pin() {
    LockSupport.parkNanos(PIN_NANOS);
    if (Initializer.AT == 0) {
      LockSupport.parkNanos(PIN_NANOS);
    }
  }
}
