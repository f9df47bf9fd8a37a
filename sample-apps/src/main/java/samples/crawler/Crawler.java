package samples.crawler;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Each task fetches a page, follows one of its links, and one of the next page's. Its arguments:
 *
 * <ul>
 *   <li>{@code url=http://127.0.0.1:PORT}: the {@link Server}
 *   <li>{@code threads=virtual}, or {@code pool} for as many platform threads as processors
 *   <li>{@code tasks=N} and {@code delay=MICROS}, which the server waits before each answer
 *   <li>{@code sites=free}, {@code monitor} or {@code lock}: see {@link Site}
 *   <li>{@code connections=N}: at most so many at a time, since each takes a file descriptor here
 *       and a place in the server's backlog; fewer if this process may not open so many files
 *   <li>{@code warmup=N}: tasks without delay beforehand, which do not count
 * </ul>
 */
public final class Crawler {
  private static final int GETS = 3;
  private static final int OTHER_FILES = 300;

  private final String url;
  private final Site[] sites;
  private final Semaphore connections;
  private final LongAdder done = new LongAdder();
  private final LongAdder pages = new LongAdder();
  private final LongAdder links = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final AtomicReference<Throwable> firstError = new AtomicReference<>();

  private Crawler(String url, String sites, int connections) {
    this.url = url;
    this.connections = new Semaphore(connections);
    this.sites =
        Stream.generate(
                () ->
                    switch (sites) {
                      case "free" -> new Site.Free();
                      case "monitor" -> new Site.Monitored();
                      case "lock" -> new Site.Locked();
                      default -> throw new IllegalArgumentException("no such sites: " + sites);
                    })
            .limit(Page.SITES)
            .toArray(Site[]::new);
  }

  public static void main(String[] args) throws Exception {
    Options options =
        Options.of(
            args,
            "url=",
            "threads=virtual",
            "tasks=20000",
            "delay=0",
            "sites=free",
            "connections=4000",
            "warmup=2000");
    Crawler warmUp = of(options);
    warmUp.crawl(executor(options), options.number("warmup", 0), 0);
    Crawler crawler = of(options);
    int tasks = options.number("tasks", 1);
    Map<String, Long> before = crawler.statistics();
    long processor = processorNanos();
    long start = System.nanoTime();
    crawler.crawl(executor(options), tasks, options.number("delay", 0));
    long nanos = System.nanoTime() - start;
    processor = processorNanos() - processor;
    Map<String, Long> after = crawler.statistics();
    after.replaceAll((key, value) -> value - before.get(key));
    for (Crawler each : new Crawler[] {warmUp, crawler}) {
      if (each.firstError.get() != null) {
        each.firstError.get().printStackTrace();
      }
    }
    long delayed = Math.max(1, after.get("delayed"));
    // In one write, so that nothing from the other stream stands within.
    System.out.println(
        String.format(
            Locale.ROOT,
            "RESULT millis=%.3f tasks=%d pages=%d links=%d errors=%d cpuMillis=%d served=%d"
                + " serverCpuMillis=%d serverErrors=%d connections=%d atMost=%d delayMicros=%d",
            nanos / 1e6,
            crawler.done.sum(),
            crawler.pages.sum(),
            crawler.links.sum(),
            crawler.errors.sum() + warmUp.errors.sum(),
            TimeUnit.NANOSECONDS.toMillis(processor),
            after.get("requests"),
            after.get("cpuMillis"),
            after.get("errors"),
            after.get("connections"),
            crawler.connections.availablePermits(),
            after.get("delayedMicros") / delayed));
  }

  private static Crawler of(Options options) {
    int connections = Math.min(options.number("connections", 1), descriptors() - OTHER_FILES);
    return new Crawler(options.text("url"), options.text("sites"), Math.max(1, connections));
  }

  /** Returns the most files that this process may open, and most likely the server too. */
  private static int descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? (int) Math.min(Integer.MAX_VALUE, system.getMaxFileDescriptorCount())
        : Integer.MAX_VALUE;
  }

  private static ExecutorService executor(Options options) {
    return switch (options.text("threads")) {
      case "virtual" -> Executors.newVirtualThreadPerTaskExecutor();
      case "pool" -> Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
      default -> throw new IllegalArgumentException("threads=virtual or threads=pool");
    };
  }

  /** Crawls until all tasks have ended. */
  private void crawl(ExecutorService executor, int tasks, int delayMicros) {
    try (executor) {
      for (int i = 0; i < tasks; i++) {
        int task = i;
        executor.execute(() -> task(task, delayMicros));
      }
    }
  }

  private void task(int task, int delayMicros) {
    try {
      String path = Page.path(task);
      for (int i = 0; i < GETS; i++) {
        Page page = fetch(path, delayMicros);
        pages.increment();
        links.add(page.links().size());
        path = page.links().get(link(task * GETS + i));
      }
      done.increment();
    } catch (IOException | InterruptedException | RuntimeException e) {
      errors.increment();
      firstError.compareAndSet(null, e);
    }
  }

  /** Returns the link to follow: any, but the same in each run, and all sites equally often. */
  private static int link(int step) {
    return (int) (((step * 0x9E3779B97F4A7C15L) >>> 33) % Page.LINKS);
  }

  private Page fetch(String path, int delayMicros) throws IOException, InterruptedException {
    connections.acquire();
    try {
      Site site = sites[Page.number(path) % Page.SITES];
      return site.fetch(url + path + "?delay=" + delayMicros, path);
    } finally {
      connections.release();
    }
  }

  /** Returns the statistics of the server so far. */
  private Map<String, Long> statistics() throws IOException {
    Map<String, Long> values = new HashMap<>();
    String text = new String(Get.bytes(url + "/stats"), StandardCharsets.UTF_8);
    for (String each : text.split(" ", -1)) {
      int equals = each.indexOf('=');
      values.put(each.substring(0, equals), Long.valueOf(each.substring(equals + 1)));
    }
    return values;
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
