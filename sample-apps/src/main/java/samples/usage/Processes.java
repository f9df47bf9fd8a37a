package samples.usage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Eight threads that run a program again and again. Starting a process occupies the carrier until
 * the system has made it.
 *
 * <p>The twin has one platform thread start them; waiting for their end takes no carrier.
 */
public final class Processes {
  private static final int CLIENTS = 8;

  private static final LongAdder RUN = new LongAdder();

  public static void main(String[] args) {
    Setup.twoCarriers();
    try (ExecutorService starter = Executors.newSingleThreadExecutor()) {
      Setup.join(Setup.start(CLIENTS, "client", () -> convert(starter)));
    }
    Setup.done(RUN + " processes");
  }

  private static void convert(ExecutorService starter) {
    try {
      while (Setup.timeLeft()) {
        Process process = Setup.healthy() ? starter.submit(Processes::begin).get() : begin();
        process.waitFor();
        RUN.increment();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Process begin() throws IOException {
    return new ProcessBuilder("true").start();
  }

  private Processes() {}
}
