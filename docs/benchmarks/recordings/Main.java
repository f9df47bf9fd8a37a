package load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Makes a recording of a made-up service. {@code load.Main KIND FILE MEGABYTES [EVENTS]}: KIND is
 * one of {@link Kind}; it ends when the file has that size, or with EVENTS once so many pieces of
 * work are done. With the agent in the JVM the recording is the agent's own, and FILE is "-".
 */
public final class Main {
  private static final int HANDLER_CLASSES = Integer.getInteger("handlers");
  private static final int ROUTES = Integer.getInteger("routes", 1_200);
  private static final AtomicLong done = new AtomicLong();
  private static volatile Path file;

  private enum Kind {
    /** Everything is recorded, and little of it is pins. */
    TYPICAL(
        true,
        Map.of(
            Work.PIN,
            12,
            Work.PIN_IN_MAP,
            2,
            Work.ALLOCATE,
            60,
            Work.ENTER,
            40,
            Work.PARK,
            20,
            Work.COMPUTE,
            1,
            Work.READ_FILE,
            4,
            Work.REQUEST,
            60)),
    /** One event of seven is a pin. */
    PINS(
        true,
        Map.of(
            Work.PIN,
            60,
            Work.PIN_IN_MAP,
            10,
            Work.ALLOCATE,
            8,
            Work.ENTER,
            10,
            Work.PARK,
            10,
            Work.READ_FILE,
            3,
            Work.REQUEST,
            60)),
    /** The JDK's profile settings with their thresholds, but sampled more often. */
    SAMPLES(false, Map.of(Work.ALLOCATE, 30, Work.COMPUTE, 1, Work.REQUEST, 1, Work.PARK, 5)),
    ALLOCATIONS(true, Map.of(Work.ALLOCATE, 1)),
    EXECUTIONS(false, Map.of(Work.COMPUTE, 1)),
    MONITORS(true, Map.of(Work.ENTER, 1)),
    PARKS(true, Map.of(Work.PARK, 1)),
    FILES(true, Map.of(Work.READ_FILE, 1)),
    LOOKS(true, Map.of()),
    THREADS(true, Map.of(Work.PARK, 1));

    final boolean everything;
    final Map<Work, Integer> shares;

    Kind(boolean everything, Map<Work, Integer> shares) {
      this.everything = everything;
      this.shares = shares;
    }
  }

  private Main() {}

  static Path file() {
    return file;
  }

  public static void main(String[] arguments) throws Exception {
    Kind kind = Kind.valueOf(arguments[0].toUpperCase());
    long bytes = Long.parseLong(arguments[2]) << 20;
    long events = arguments.length > 3 ? Long.parseLong(arguments[3]) : Long.MAX_VALUE;
    file = Files.createTempFile("load", ".txt");
    Files.write(file, new byte[4_096]);
    try {
      if (arguments[1].equals("-")) {
        // The agent starts JFR beside main; the first virtual thread waits until it records.
        Thread.ofVirtual().start(() -> {}).join();
        Recording agents = FlightRecorder.getFlightRecorder().getRecordings().get(0);
        fill(kind, () -> agents.getSize() >= bytes || done.get() >= events);
      } else {
        record(kind, Path.of(arguments[1]), bytes, events);
      }
    } finally {
      Files.deleteIfExists(file);
    }
    // The time at which the program's own part is over.
    System.out.println(System.currentTimeMillis());
    System.exit(0);
  }

  private static void record(Kind kind, Path to, long bytes, long events) throws Exception {
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      // In the settings file these are bounded, and a recording of this size would take hours.
      recording
          .enable("jdk.ObjectAllocationSample")
          .with("throttle", kind == Kind.EXECUTIONS ? "1/s" : "off");
      recording.enable("jdk.ExecutionSample").with("period", "1 ms");
      if (kind.everything) {
        for (String event : List.of("JavaMonitorEnter", "ThreadPark", "FileRead", "ThreadSleep")) {
          recording.enable("jdk." + event).withoutThreshold();
        }
        recording.enable("jdk.VirtualThreadStart");
        recording.enable("jdk.VirtualThreadEnd");
      }
      recording.setToDisk(true);
      recording.setDestination(to);
      recording.start();
      fill(kind, () -> recording.getSize() >= bytes || done.get() >= events);
    }
  }

  private static void fill(Kind kind, BooleanSupplier full) throws InterruptedException {
    if (kind == Kind.LOOKS) {
      long step = 1_000;
      while (!full.getAsBoolean()) {
        Looks.write(step);
        done.addAndGet(step);
      }
      return;
    }
    Map<Work, Route[]> routes = routes(kind);
    List<Work> drawn = new ArrayList<>();
    kind.shares.forEach((work, share) -> drawn.addAll(java.util.Collections.nCopies(share, work)));
    AtomicBoolean end = new AtomicBoolean();
    Runnable worker =
        () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          while (!end.get()) {
            Route[] all = routes.get(drawn.get(random.nextInt(drawn.size())));
            all[random.nextInt(all.length)].next(0);
            done.incrementAndGet();
          }
        };
    if (kind == Kind.THREADS) {
      Route[] all = routes.get(Work.PARK);
      while (!full.getAsBoolean()) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
          Route route = all[i % all.length];
          threads.add(
              Thread.ofVirtual().name("request-", done.get() + i).start(() -> route.next(0)));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        done.addAndGet(threads.size());
      }
      return;
    }
    int workers = kind == Kind.EXECUTIONS ? 16 : 64;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      threads.add(Thread.ofVirtual().name("request-" + i).start(worker));
    }
    while (!full.getAsBoolean()) {
      Thread.sleep(20);
    }
    end.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** For each work its routes: the same in every run. */
  private static Map<Work, Route[]> routes(Kind kind) {
    Random random = new Random(21);
    Map<Work, Route[]> routes = new EnumMap<>(Work.class);
    for (Work work : kind.shares.keySet().stream().sorted().toList()) {
      Route[] all = new Route[ROUTES];
      for (int i = 0; i < all.length; i++) {
        int length = 12 + random.nextInt(8);
        Handler[] handlers = new Handler[length];
        int[] methods = new int[length];
        for (int depth = 0; depth < length; depth++) {
          handlers[depth] = Handlers.make(random.nextInt(HANDLER_CLASSES));
          methods[depth] = random.nextInt(Handler.PLAIN);
        }
        if (work.holding) {
          for (int held = 0; held <= random.nextInt(2); held++) {
            methods[random.nextInt(length)] = Handler.PLAIN + random.nextInt(Handler.HOLDING);
          }
        }
        all[i] = new Route(handlers, methods, work::once);
      }
      routes.put(work, all);
    }
    return routes;
  }
}
