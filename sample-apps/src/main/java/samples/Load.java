package samples;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many virtual threads that repeat one operation for a few seconds. */
public record Load(int threads, Duration length) {
  private static final String USAGE = "usage: [--threads N] [--seconds N]";

  /** One unit of work; {@code thread} says which of the threads does it, from 0. */
  @FunctionalInterface
  public interface Operation {
    void run(int thread) throws Exception;
  }

  /** The number of operations in a measured time. */
  public record Result(long operations, Duration elapsed) {
    @Override
    public String toString() {
      double seconds = elapsed.toNanos() / 1e9;
      return String.format(
          Locale.ROOT,
          "%d operations in %.1f s, %.0f/s",
          operations,
          seconds,
          operations / seconds);
    }
  }

  /** Reads the flags; a wrong one ends the program with one line and exit code 2. */
  public static Load of(String... args) {
    try {
      return parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; " + USAGE);
      System.exit(2);
      throw new AssertionError(e);
    }
  }

  static Load parse(String... args) {
    int threads = 64;
    double seconds = 3;
    for (int i = 0; i < args.length; i += 2) {
      String value = i + 1 < args.length ? args[i + 1] : "";
      switch (args[i]) {
        case "--threads" -> threads = (int) number(args[i], value, 1, 10_000);
        case "--seconds" -> seconds = number(args[i], value, 0.1, 600);
        default -> throw new IllegalArgumentException("unknown flag " + args[i]);
      }
    }
    return new Load(threads, Duration.ofNanos((long) (seconds * 1e9)));
  }

  private static double number(String flag, String value, double least, double most) {
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message is below, as for a number out of range.
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s needs a number from %s to %s, not '%s'",
            flag,
            Double.toString(least).replaceAll("\\.0$", ""),
            Double.toString(most).replaceAll("\\.0$", ""),
            value));
  }

  /**
   * Repeats the operation on every thread until the time is over. Each thread finishes its current
   * operation, so the elapsed time is a little longer than requested.
   */
  public Result measure(Operation operation) throws InterruptedException {
    // Once beforehand, so that loading classes is not measured.
    repeat(1, 0, operation);
    long start = System.nanoTime();
    long operations = repeat(threads, length.toNanos(), operation);
    return new Result(operations, Duration.ofNanos(System.nanoTime() - start));
  }

  private static long repeat(int threads, long nanos, Operation operation)
      throws InterruptedException {
    long start = System.nanoTime();
    var counts = new ArrayList<Future<Long>>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        int thread = i;
        counts.add(
            executor.submit(
                () -> {
                  long count = 0;
                  do {
                    operation.run(thread);
                    count++;
                  } while (System.nanoTime() - start < nanos);
                  return count;
                }));
      }
    }
    long sum = 0;
    for (Future<Long> count : counts) {
      try {
        sum += count.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("an operation failed", e.getCause());
      }
    }
    return sum;
  }
}
