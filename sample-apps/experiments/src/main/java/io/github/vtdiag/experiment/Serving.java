package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Attempt;
import io.github.vtdiag.compare.MeasuredProcess;
import io.github.vtdiag.compare.Peak;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A running program. */
public final class Serving implements AutoCloseable {
  private static final long START_NANOS = 120_000_000_000L;
  private static final long STOP_NANOS = 60_000_000_000L;
  private static final long LOOK_NANOS = 20_000_000;

  private final Attempt attempt;
  private final ProgramOutput output;
  private final Optional<Path> recording;
  private final Consumer<Serving> closed;
  private int port;

  Serving(
      Attempt attempt, ProgramOutput output, Optional<Path> recording, Consumer<Serving> closed) {
    this.attempt = attempt;
    this.output = output;
    this.recording = recording;
    this.closed = closed;
  }

  /** Waits until it says that it accepts connections. */
  void awaitReady() throws DataException, InterruptedException {
    long start = System.nanoTime();
    while (output.port().isEmpty()) {
      if (process().waitFor(LOOK_NANOS)) {
        throw attempt.ended(" before it accepted connections");
      }
      if (System.nanoTime() - start > START_NANOS) {
        throw attempt.failed("accepted no connections within " + Figures.duration(START_NANOS));
      }
    }
    port = output.port().getAsInt();
  }

  /** Waits for it to end without an error. */
  Printed await(long nanos) throws DataException, InterruptedException {
    process().closeInput();
    if (!process().waitFor(nanos)) {
      throw attempt.failed("did not end within " + Figures.duration(nanos));
    }
    if (process().exitCode() != 0) {
      throw attempt.ended("");
    }
    Map<String, String> values =
        output.result().orElseThrow(() -> attempt.failed("printed no result"));
    if (recording.isPresent() && Files.notExists(recording.get())) {
      throw attempt.failed("left no recording");
    }
    return new Printed(attempt.name(), values, peak());
  }

  private MeasuredProcess process() {
    return attempt.application();
  }

  /** Returns the port of a server on the loopback address. */
  public int port() {
    return port;
  }

  public boolean isAlive() {
    return process().isAlive();
  }

  /** Returns the peak so far; empty where the system does not tell. */
  public Optional<Peak> peak() {
    return process().peak();
  }

  /** Asks a server to end, and returns its results. */
  public Printed stop() throws DataException, InterruptedException {
    return await(STOP_NANOS);
  }

  void closeQuickly() {
    process().closeQuickly();
  }

  @Override
  public void close() {
    attempt.close();
    closed.accept(this);
  }
}
