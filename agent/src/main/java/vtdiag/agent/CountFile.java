package vtdiag.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileOutputStream;
import java.io.IOException;
import java.util.function.IntToLongFunction;

/**
 * Tells in a file how often methods have returned: in each line the nanoseconds since the agent
 * began, and the counts so far. When the program is killed, the last tenth of a second is missing.
 */
final class CountFile {
  private static final long INTERVAL_MILLIS = 100;

  private final FileOutputStream file;
  private final long startNanos;
  private final int methods;
  private IntToLongFunction count;

  /** Opens the file, so that what is wrong with it is known before anything is changed. */
  CountFile(String name, long startNanos, int methods) throws IOException {
    this.file = new FileOutputStream(name);
    this.startNanos = startNanos;
    this.methods = methods;
  }

  /**
   * Writes from now on, until the JVM is gone.
   *
   * @param count tells how often the method at a place has returned
   */
  void start(IntToLongFunction count) {
    this.count = count;
    AgentThread.daemon("vtdiag count", this::write).start();
    // What the program's own hooks and daemons still do is the daemon's to tell.
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
      Log.failure("the counts end here", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeLast() {
    try {
      writeLine();
    } catch (IOException e) {
      Log.failure("the last counts are missing", e);
    }
  }

  /** In one write, past no buffer: a reader sees all of the line or nothing of it. */
  private synchronized void writeLine() throws IOException {
    StringBuilder line = new StringBuilder();
    line.append(System.nanoTime() - startNanos);
    for (int method = 0; method < methods; method++) {
      line.append(' ').append(count.applyAsLong(method));
    }
    file.write(line.append('\n').toString().getBytes(US_ASCII));
  }
}
