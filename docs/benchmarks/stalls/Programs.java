import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;

/**
 * What stalls.py runs: each static method with an annotation is a program. {@code Programs list}
 * prints them; {@code Programs CLASS.METHOD SECONDS} starts one, and ends the JVM after that time.
 */
public final class Programs {
  private static final List<String> CLASSES =
      List.of(
          "Signals",
          "Locks",
          "Queues",
          "Network",
          "Pools",
          "Feeders",
          "Retries",
          "Remote",
          "Others",
          "Asked",
          "Ends",
          "Parties",
          "Reported",
          "Clients",
          "Held",
          "Lent",
          "Libraries",
          "Production",
          "States",
          "Scopes",
          "Natives",
          "Idle",
          "Working",
          "Going",
          "Computing",
          "Quiet",
          "Lively",
          "Attempts",
          "Partners",
          "Briefly",
          "Paused",
          "Mains",
          "Lately",
          "Incidents",
          "Starters",
          "Flows",
          "Sharing",
          "Launches",
          "Exits",
          "Ranges",
          "Until",
          "Endings",
          "Callers",
          "Messages",
          "Clusters",
          "WebClients",
          "Scheduled");

  /** Those that need Java 25: structured task scopes and the interface to native code. */
  private static final Set<String> NEWER = Set.of("Scopes", "Natives", "Ranges");

  private static final int NEWER_JAVA = 25;

  /** Executors whose threads nobody else refers to: the JVM collects such threads as garbage. */
  private static final Set<ExecutorService> KEPT = ConcurrentHashMap.newKeySet();

  private static Duration duration = Duration.ZERO;

  private Programs() {}

  /** A program that stands still until its end. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface StandsStill {
    /** What a diagnosis has to name, each alternative a whole word, with a bar in between. */
    String value();

    /** Where it stands still, if not on each Java. */
    int[] java() default {21, 25};

    /** Whether it takes all processors, so that nothing may run beside it. */
    boolean alone() default false;
  }

  /** A program that is idle or makes progress. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface Healthy {
    /** On which Java it runs, if not on each. */
    int[] java() default {21, 25};

    /** Whether it takes all processors, so that nothing may run beside it. */
    boolean alone() default false;

    /** Whether the script is to suspend the process for a while. */
    boolean suspended() default false;
  }

  interface Body {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args[0].equals("list")) {
      for (String name : CLASSES) {
        if (NEWER.contains(name) && Runtime.version().feature() < NEWER_JAVA) {
          continue; // Was not compiled.
        }
        Arrays.stream(Class.forName(name).getDeclaredMethods())
            .map(Programs::line)
            .filter(line -> !line.isEmpty())
            .sorted()
            .forEach(System.out::println);
      }
      return;
    }
    duration = Duration.ofSeconds(Long.parseLong(args[1]));
    String[] name = args[0].split("\\.");
    long end = System.nanoTime() + duration.toNanos();
    System.out.println("begins");
    Class.forName(name[0]).getDeclaredMethod(name[1]).invoke(null);
    Thread.sleep(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    System.exit(0);
  }

  /** What the script has to know of a program, with tabs in between; empty if it is none. */
  private static String line(Method method) {
    String name = method.getDeclaringClass().getName() + "." + method.getName();
    StandsStill still = method.getAnnotation(StandsStill.class);
    if (still != null) {
      return String.join(
          "\t", name, "stalling", javas(still.java()), how(still.alone(), false), still.value());
    }
    Healthy healthy = method.getAnnotation(Healthy.class);
    return healthy == null
        ? ""
        : String.join(
            "\t",
            name,
            "healthy",
            javas(healthy.java()),
            how(healthy.alone(), healthy.suspended()),
            "");
  }

  private static String javas(int[] javas) {
    return Arrays.stream(javas).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  private static String how(boolean alone, boolean suspended) {
    return alone ? "alone" : suspended ? "suspended" : "beside";
  }

  /** How long the program is to run. */
  static Duration duration() {
    return duration;
  }

  static int carriers() {
    return Integer.getInteger(
        "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
  }

  static void sleep(double seconds) throws InterruptedException {
    Thread.sleep((long) (seconds * 1e3));
  }

  static void sleepForEver() throws InterruptedException {
    Thread.sleep(Duration.ofDays(365));
  }

  static Thread start(Body body) {
    return Thread.ofVirtual().start(() -> run(body));
  }

  static void start(int threads, Body body) {
    for (int i = 0; i < threads; i++) {
      start(body);
    }
  }

  /** Starts one that does the same again and again, until the program ends. */
  static void repeat(int threads, Body body) {
    start(
        threads,
        () -> {
          while (true) {
            body.run();
          }
        });
  }

  static Thread startPlatform(Body body) {
    return Thread.ofPlatform().daemon().start(() -> run(body));
  }

  static void submit(ExecutorService executor, Body task) {
    KEPT.add(executor);
    executor.execute(() -> run(task));
  }

  /** The factory of threads of a platform pool. */
  static Thread daemon(Runnable task) {
    return Thread.ofPlatform().daemon().unstarted(task);
  }

  static void run(Body body) {
    try {
      body.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
