import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Makes a recording like that of a busy service: the JDK's profile settings, hardly anything but
 * allocation events, and pinned virtual threads among them. It ends when the recording has both the
 * size and the pins. {@code MakeRecording FILE MEGABYTES PINS}; for Java 21, where monitors pin.
 */
public final class MakeRecording {
  private static final int PINNERS = 24;
  private static final int PIN_PATHS = 400;
  private static final int ALLOCATION_PATHS = 1_500;
  private static final AtomicLong pins = new AtomicLong();
  private static volatile boolean enoughPins;
  private static volatile Object sink;

  /** Different locks, so that there is something to attribute and to group. */
  interface Step {
    void go(int path);
  }

  static class Method implements Step {
    @Override
    public synchronized void go(int path) {
      deeper(path);
    }
  }

  static class Block implements Step {
    private final Object lock = new Object();

    @Override
    public void go(int path) {
      synchronized (lock) {
        deeper(path);
      }
    }
  }

  static class Nested implements Step {
    private final List<String> list = new ArrayList<>();

    @Override
    public void go(int path) {
      synchronized (this) {
        list.clear();
        synchronized (list) {
          deeper(path);
        }
      }
    }
  }

  static class Computed implements Step {
    private final java.util.concurrent.ConcurrentHashMap<Integer, Integer> map =
        new java.util.concurrent.ConcurrentHashMap<>();

    @Override
    public void go(int path) {
      map.computeIfAbsent(path, key -> deeper(key));
      map.clear();
    }
  }

  /** Parks some way down one of many paths, so that stacks differ as those of a service do. */
  static int deeper(int path) {
    return walk(path % 40, path, () -> LockSupport.parkNanos(20_000));
  }

  private static int walk(int depth, int path, Runnable end) {
    if (depth == 0) {
      end.run();
      return 0;
    }
    int turn = Integer.rotateLeft(path * 0x9E3779B9, depth) & 3;
    return switch (turn) {
      case 0 -> walk(depth - 1, path, end);
      case 1 -> left(depth - 1, path, end);
      case 2 -> right(depth - 1, path, end);
      default -> 1 + walk(depth - 1, path, end);
    };
  }

  private static int left(int depth, int path, Runnable end) {
    return walk(depth, path, end);
  }

  private static int right(int depth, int path, Runnable end) {
    return walk(depth, path, end);
  }

  private static void pin(long wanted) {
    Step[] steps = {new Method(), new Block(), new Nested(), new Computed()};
    ThreadLocalRandom random = ThreadLocalRandom.current();
    while (pins.incrementAndGet() <= wanted) {
      steps[random.nextInt(steps.length)].go(random.nextInt(PIN_PATHS));
    }
    enoughPins = true;
  }

  private static void allocate() {
    for (int i = 0; i < 20; i++) {
      sink = new byte[2_000];
      sink = new int[200];
      sink = new HashMap<>(Map.of("a", i));
      sink = "text " + i;
    }
  }

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    long bytes = Long.parseLong(args[1]) << 20;
    long wanted = Long.parseLong(args[2]);
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.enable("jdk.ObjectAllocationInNewTLAB").withStackTrace();
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      recording.setToDisk(true);
      recording.setDestination(file);
      recording.start();
      for (int i = 0; i < PINNERS; i++) {
        Thread.ofVirtual().name("request-" + i).start(() -> pin(wanted));
      }
      Thread allocator = null;
      while (recording.getSize() < bytes || !enoughPins) {
        if (allocator == null && recording.getSize() < bytes) {
          allocator =
              Thread.ofPlatform()
                  .daemon()
                  .start(
                      () -> {
                        ThreadLocalRandom random = ThreadLocalRandom.current();
                        while (recording.getSize() < bytes) {
                          int path = random.nextInt(ALLOCATION_PATHS);
                          walk(10 + path % 50, path, MakeRecording::allocate);
                        }
                      });
        }
        Thread.sleep(20);
      }
    }
    System.exit(0);
  }
}
