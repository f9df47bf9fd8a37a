package io.github.vtdiag.agent.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.Log;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.function.IntToLongFunction;

/**
 * Writes to a file how often methods have returned: one line with the nanoseconds since the agent
 * started and the counts so far. If the program is killed, the last tenth of a second is missing.
 */
final class CountFile {
  private static final long INTERVAL_MILLIS = 100;

  private final FileOutputStream file;
  private final long startNanos;
  private final int methods;
  private IntToLongFunction count;

  /** Opens the file, so that an error shows before anything is changed. */
  CountFile(String name, long startNanos, int methods) throws IOException {
    this.file = new FileOutputStream(name);
    this.startNanos = startNanos;
    this.methods = methods;
  }

  /**
   * Starts writing, which goes on until the JVM ends.
   *
   * @param count returns how often the method at an index has returned
   */
  void start(IntToLongFunction count) {
    this.count = count;
    AgentThread.daemon("vtdiag count", this::write).start();
    // The daemon counts what the program's own hooks and daemons still do.
    AgentThread.atExit("vtdiag count exit", this::writeLast);
  }

  private void write() {
    try {
      while (true) {
        try {
          writeLine();
        } catch (OutOfMemoryError e) {
          // The next line has these counts too.
          Log.outOfMemory();
        }
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (IOException e) {
      Log.failure("cannot write any more counts", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeLast() {
    try {
      writeLine();
    } catch (IOException e) {
      Log.failure("cannot write the last counts", e);
    }
  }

  /** Writes the line in one unbuffered write: a reader sees the whole line or nothing of it. */
  private synchronized void writeLine() throws IOException {
    StringBuilder line = new StringBuilder();
    line.append(System.nanoTime() - startNanos);
    for (int method = 0; method < methods; method++) {
      line.append(' ').append(count.applyAsLong(method));
    }
    file.write(line.append('\n').toString().getBytes(US_ASCII));
  }
}
