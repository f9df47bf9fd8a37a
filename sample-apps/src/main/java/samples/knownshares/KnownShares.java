package samples.knownshares;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import org.sqlite.Function;

/**
 * As many virtual threads as carriers, each of which spends known parts of its time in Java code,
 * in native code, in file I/O, pinned and unmounted. Prints what it really did: {@code from=..
 * to=.. capacity=.. java=.. native=.. file=.. pinned=.. idle=..}, times in nanoseconds by the
 * clock. Options are system properties:
 *
 * <ul>
 *   <li>{@code seconds=N}: for how long (5)
 *   <li>{@code carriers=N}: the number of carriers (2)
 *   <li>{@code shares=java,native,file,pinned}: in percent (30,20,10,25); the rest is idle
 * </ul>
 *
 * A share is of time on the carrier. If more carriers compute than there are processors, they
 * alternate on these, and the shares stay the same.
 *
 * <p>It is pinned by a callback from SQLite, which pins on every Java; {@code monitor=true} makes
 * it a monitor, which pins on 21 to 23.
 */
public final class KnownShares {
  private static final int JAVA = 0;
  private static final int NATIVE = 1;
  private static final int FILE = 2;
  private static final int PINNED = 3;
  private static final long CYCLE = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * A few microseconds of computing: a thread that reads the clock all the time is hard to sample.
   */
  private static final int SOME = 10_000;

  private static final int BYTES = 1 << 24;

  private final int[] percent = new int[4];
  private final long[] spent = new long[4];
  private final SplittableRandom random;
  private final Path data;
  private final PreparedStatement pause;
  private final Deflater deflater = new Deflater(9);
  private final ByteBuffer input = ByteBuffer.allocateDirect(1 << 16);
  private final ByteBuffer output = ByteBuffer.allocateDirect(1 << 17);
  private final ByteBuffer read = ByteBuffer.allocateDirect(BYTES);
  private final Object monitor = new Object();
  private int kept;
  private long paused;

  public static void main(String[] args) throws Exception {
    int carriers = Integer.getInteger("carriers", 2);
    String scheduler = "jdk.virtualThreadScheduler.";
    System.setProperty(scheduler + "parallelism", Integer.toString(carriers));
    System.setProperty(scheduler + "maxPoolSize", Integer.toString(carriers));
    Path data = Files.createTempFile("known-shares", ".data");
    data.toFile().deleteOnExit();
    Files.write(data, new byte[BYTES]);
    List<KnownShares> workers = new ArrayList<>();
    for (int i = 0; i < carriers; i++) {
      workers.add(new KnownShares(i, data, System.getProperty("shares", "30,20,10,25")));
    }
    // The slow start is over when the measured time begins.
    run(workers, TimeUnit.SECONDS.toNanos(1));
    workers.forEach(worker -> Arrays.fill(worker.spent, 0));
    Instant from = Instant.now();
    long begin = System.nanoTime();
    run(workers, TimeUnit.SECONDS.toNanos(Integer.getInteger("seconds", 5)));
    long capacity = carriers * (System.nanoTime() - begin);
    Instant to = Instant.now();
    long[] sum = new long[4];
    for (KnownShares worker : workers) {
      for (int use = 0; use < sum.length; use++) {
        sum[use] += worker.spent[use];
      }
    }
    System.out.printf(
        "from=%s to=%s capacity=%d java=%d native=%d file=%d pinned=%d idle=%d%n",
        from,
        to,
        capacity,
        sum[JAVA],
        sum[NATIVE],
        sum[FILE],
        sum[PINNED],
        capacity - sum[JAVA] - sum[NATIVE] - sum[FILE] - sum[PINNED]);
  }

  private static void run(List<KnownShares> workers, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    List<Thread> threads = new ArrayList<>();
    for (KnownShares worker : workers) {
      threads.add(Thread.ofVirtual().name("worker").start(() -> worker.work(end)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private KnownShares(int number, Path data, String shares) throws SQLException {
    String[] texts = shares.split(",", -1);
    for (int use = 0; use < percent.length; use++) {
      percent[use] = Integer.parseInt(texts[use]);
    }
    this.random = new SplittableRandom(number);
    this.data = data;
    new SplittableRandom(7).ints(input.capacity() / 4).forEach(input::putInt);
    Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    Function.create(
        connection,
        "pause",
        new Function() {
          @Override
          protected void xFunc() throws SQLException {
            pause(Long.parseLong(value_text(0)));
            result(1);
          }
        });
    pause = connection.prepareStatement("select pause(?)");
  }

  private void work(long end) {
    try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
      while (System.nanoTime() < end) {
        // The length varies, so that samples at fixed times do not always see the same part.
        long cycle = CYCLE / 2 + random.nextLong(CYCLE);
        int[] order = {JAVA, NATIVE, FILE, PINNED};
        long begin = System.nanoTime();
        for (int use : order) {
          paused = 0;
          long from = System.nanoTime();
          use(use, from + cycle * percent[use] / 100, channel);
          long took = System.nanoTime() - from;
          // Entering and leaving the callback is not part of the pin.
          spent[use] += use == PINNED ? paused : took;
          spent[NATIVE] += use == PINNED ? took - paused : 0;
        }
        sleep(begin + cycle - System.nanoTime());
      }
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void use(int use, long until, FileChannel channel) throws IOException, SQLException {
    if (percent[use] == 0) {
      return;
    }
    switch (use) {
      case JAVA -> {
        while (System.nanoTime() < until) {
          for (int i = 0; i < SOME; i++) {
            kept = kept * 31 + i;
          }
        }
      }
      case NATIVE -> {
        while (System.nanoTime() < until) {
          deflater.reset();
          deflater.setInput(input.clear());
          deflater.finish();
          deflater.deflate(output.clear());
        }
      }
      case FILE -> {
        while (System.nanoTime() < until) {
          channel.read(read.clear(), 0);
        }
      }
      default -> {
        long nanos = until - System.nanoTime();
        if (Boolean.getBoolean("monitor")) {
          synchronized (monitor) {
            pause(nanos);
          }
        } else {
          pause.setString(1, Long.toString(nanos));
          pause.executeQuery().close();
        }
      }
    }
  }

  private void pause(long nanos) {
    long from = System.nanoTime();
    sleep(nanos);
    paused += System.nanoTime() - from;
  }

  private static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
