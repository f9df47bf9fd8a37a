package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The measured process, and all processes that it starts. */
public final class MeasuredProcess implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;

  /** The time for shutdown hooks, one of which writes the recording. */
  private static final long GRACE_SECONDS = 10;

  /** The same at Ctrl-C, when the user does not want to wait. */
  private static final long GRACE_AT_EXIT_SECONDS = 2;

  private static final long OUTPUT_GRACE_MILLIS = 2_000;

  private final Process process;
  private final OutputEnd output;
  private final Thread reader;
  private final Thread watcher;
  private final long startNanos = System.nanoTime();

  /** All children so far, because a child whose parent has ended cannot be found any more. */
  private final Set<ProcessHandle> children = new LinkedHashSet<>();

  private Optional<Peak> peak = Optional.empty();
  private volatile long endNanos;

  private MeasuredProcess(Process process, Consumer<String> lines) {
    this.process = process;
    output = new OutputEnd(lines);
    reader =
        Thread.ofPlatform()
            .daemon()
            .name("application-output")
            .start(() -> output.read(process.inputReader(Charset.defaultCharset())));
    watcher = Thread.ofPlatform().daemon().name("application-watcher").start(this::watch);
  }

  /**
   * Starts a command, without standard input.
   *
   * @param lines is told every line that it prints, to either stream
   */
  static MeasuredProcess start(List<String> command, Consumer<String> lines) throws DataException {
    MeasuredProcess application = startWithInput(command, lines);
    application.closeInput();
    return application;
  }

  /** Starts a command whose standard input stays open until {@link #closeInput()}. */
  public static MeasuredProcess startWithInput(List<String> command, Consumer<String> lines)
      throws DataException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new MeasuredProcess(process, lines);
    } catch (IOException e) {
      throw new DataException(
          "cannot run " + command.getFirst() + "; name a Java home with --jdk or --jdk-after", e);
    }
  }

  private void watch() {
    try {
      while (process.isAlive()) {
        look();
        process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      endNanos = System.nanoTime();
    } catch (InterruptedException e) {
      // Closed.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void look() {
    process.descendants().forEach(children::add);
    Optional<Peak> now = Peak.now(process.pid());
    peak = peak.isPresent() && now.isPresent() ? now.map(peak.get()::max) : now.or(() -> peak);
  }

  /** Closes the standard input, which asks the program to end. */
  public void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended and reads no more.
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the process to end; false if it does not end in time. */
  public boolean waitFor(long nanos) throws InterruptedException {
    if (!process.waitFor(nanos, TimeUnit.NANOSECONDS)) {
      return false;
    }
    // Its last output may still be in the pipe, which a child may hold open forever.
    reader.join(OUTPUT_GRACE_MILLIS);
    return true;
  }

  /** Returns the time from start to end; only for a process that has ended. */
  long wallNanos() {
    // The caller and the watcher learn of the exit in no particular order.
    return (endNanos == 0 ? System.nanoTime() : endNanos) - startNanos;
  }

  /** Returns the exit code; only for a process that has ended. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Returns the end of what it printed. */
  List<String> outputEnd() {
    return output.lines();
  }

  public synchronized Optional<Peak> peak() {
    return peak;
  }

  /** Asks it and its children to end, and kills those that do not. */
  @Override
  public void close() {
    end(GRACE_SECONDS);
  }

  /** Does the same with less patience, for when vtdiag itself is being stopped. */
  public void closeQuickly() {
    end(GRACE_AT_EXIT_SECONDS);
  }

  private void end(long graceSeconds) {
    look();
    boolean interrupted = false;
    process.destroy();
    try {
      process.waitFor(graceSeconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (process.isAlive()) {
      look();
      process.destroyForcibly();
    }
    watcher.interrupt();
    List<ProcessHandle> left = left();
    left.forEach(ProcessHandle::destroy);
    try {
      for (ProcessHandle child : left) {
        child.onExit().completeOnTimeout(child, GRACE_AT_EXIT_SECONDS, TimeUnit.SECONDS).join();
      }
    } finally {
      // Including grandchildren that were left behind just now.
      left.stream().flatMap(ProcessHandle::descendants).forEach(ProcessHandle::destroyForcibly);
      left.forEach(ProcessHandle::destroyForcibly);
    }
    try {
      process.waitFor(graceSeconds, TimeUnit.SECONDS);
      reader.join(OUTPUT_GRACE_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized List<ProcessHandle> left() {
    return children.stream().filter(ProcessHandle::isAlive).toList();
  }
}
