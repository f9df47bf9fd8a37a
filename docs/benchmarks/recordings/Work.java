package load;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What is done at the end of a route; each makes one event of its kind, or some. */
enum Work {
  /** The handlers on the way hold monitors, so on Java 21 the thread is pinned. */
  PIN(true) {
    @Override
    void once() {
      LockSupport.parkNanos(50_000);
    }
  },
  PIN_IN_MAP(false) {
    @Override
    void once() {
      long key = ThreadLocalRandom.current().nextLong();
      map.computeIfAbsent(
          key,
          absent -> {
            LockSupport.parkNanos(50_000);
            return absent;
          });
      map.remove(key);
    }
  },
  ALLOCATE(false) {
    @Override
    void once() {
      for (int i = 0; i < 4; i++) {
        sink = new byte[700 + i * 100];
        sink = new long[90];
        sink = new StringBuilder(300).append(i);
      }
    }
  },
  COMPUTE(false) {
    @Override
    void once() {
      long until = System.nanoTime() + 1_000_000;
      long sum = 0;
      while (System.nanoTime() < until) {
        for (int i = 0; i < 1_000; i++) {
          sum = sum * 31 + i;
        }
      }
      sink = sum;
    }
  },
  ENTER(false) {
    @Override
    void once() {
      // Few monitors and many threads: most of them have to wait for it.
      synchronized (shared[ThreadLocalRandom.current().nextInt(shared.length)]) {
        Thread.onSpinWait();
        sink = new int[20];
        Thread.yield();
      }
    }
  },
  PARK(false) {
    @Override
    void once() {
      LockSupport.parkNanos(1_000);
    }
  },
  READ_FILE(false) {
    @Override
    void once() {
      byte[] bytes = new byte[512];
      try (FileInputStream file = new FileInputStream(Main.file().toFile())) {
        sink = file.read(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  },
  REQUEST(false) {
    @Override
    void once() {
      Request request = new Request();
      request.number = requests.incrementAndGet();
      request.path = "/orders/" + request.number % 1_000;
      request.commit();
    }
  };

  private static final ConcurrentHashMap<Long, Long> map = new ConcurrentHashMap<>();
  private static final Object[] shared = {new Object(), new Object(), new Object(), new Object()};
  private static final AtomicLong requests = new AtomicLong();
  private static volatile Object sink;

  /** Whether the handlers on the way hold monitors. */
  final boolean holding;

  Work(boolean holding) {
    this.holding = holding;
  }

  abstract void once();

  /** An event of the application itself. */
  @Name("load.Request")
  @StackTrace(true)
  static final class Request extends Event {
    long number;
    String path;
  }
}
