package samples.usage;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * A buffer of 128 KB in a {@code ThreadLocal}, so that it need not be made for each request. But
 * each request has a thread of its own here: each makes the buffer, uses it once and drops it, and
 * those that wait keep it meanwhile.
 *
 * <p>The twin lends out 32 buffers, as many as are in use at a time.
 */
public final class ThreadBuffers {
  private static final int BYTES = 128 * 1024;
  private static final int BUFFERS = 32;
  private static final int AT_ONCE = 500;

  private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[BYTES]);

  private static final ArrayBlockingQueue<byte[]> LENT = new ArrayBlockingQueue<>(BUFFERS);
  private static final LongAdder SERVED = new LongAdder();

  public static void main(String[] args) throws InterruptedException {
    Setup.twoCarriers();
    for (int i = 0; i < BUFFERS; i++) {
      LENT.add(new byte[BYTES]);
    }
    var open = new Semaphore(AT_ONCE);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      int requests = Integer.getInteger("requests", 5_000);
      for (int i = 0; i < requests || Setup.timeLeft(); i++) {
        open.acquire();
        executor.execute(
            () -> {
              serve();
              open.release();
            });
      }
    }
    Setup.done(SERVED + " requests");
  }

  private static void serve() {
    if (Setup.healthy()) {
      try {
        byte[] buffer = LENT.take();
        encode(buffer);
        LENT.put(buffer);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    } else {
      encode(BUFFER.get());
    }
    Setup.pause(100);
    SERVED.increment();
  }

  private static void encode(byte[] buffer) {
    for (int i = 0; i < buffer.length; i += 64) {
      buffer[i]++;
    }
  }

  private ThreadBuffers() {}
}
