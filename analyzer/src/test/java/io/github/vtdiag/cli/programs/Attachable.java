package io.github.vtdiag.cli.programs;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;

/**
 * Lets others attach, and says on each line that it reads what is in it: threads, files, class
 * loaders, recordings, what JFR calls back, shutdown hooks. Ends with its standard input. Needs
 * {@code java.lang}, {@code jdk.jfr.internal.periodic} and {@code jdk.internal.vm} to be open.
 */
public final class Attachable {
  private Attachable() {}

  public static void main(String[] args) throws Exception {
    Thread.startVirtualThread(Attachable::keepPinning);
    // Whoever asks needs it: it is there before anything is counted.
    ManagementFactory.getPlatformMBeanServer();
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      System.out.println(counts());
    }
    Runtime.getRuntime().halt(0);
  }

  private static void keepPinning() {
    Object own = new Object();
    while (true) {
      synchronized (own) {
        LockSupport.parkNanos(5_000_000);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static Map<String, Object> counts() throws Exception {
    Map<String, Object> counts = new TreeMap<>();
    counts.put("threads", threads());
    String[] files = new File("/proc/self/fd").list();
    counts.put("files", files == null ? -1 : files.length);
    Object stats =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "vmClassloaderStats",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
    counts.put(
        "loaders",
        stats
            .toString()
            .lines()
            .filter(line -> line.startsWith("0x"))
            // Those of JMX come and go.
            .filter(line -> !line.contains("sun.reflect") && !line.contains("jmx"))
            .count());
    counts.put("recordings", FlightRecorder.getFlightRecorder().getRecordings().size());
    counts.put("periodic", periodic());
    counts.put("hooks", hooks());
    return counts;
  }

  /** All platform threads, by name: those that the JVM hides come and go. */
  private static List<String> threads() {
    List<String> names = new ArrayList<>();
    Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
    names.removeIf(name -> name.startsWith("ForkJoinPool") || name.startsWith("JFR"));
    names.sort(null);
    return names;
  }

  private static int periodic() throws Exception {
    Class<?> type = Class.forName("jdk.jfr.internal.periodic.PeriodicEvents");
    Field repository = type.getDeclaredField("taskRepository");
    repository.setAccessible(true);
    Method tasks = repository.get(null).getClass().getDeclaredMethod("getTasks");
    tasks.setAccessible(true);
    return ((Collection<?>) tasks.invoke(repository.get(null))).size();
  }

  private static int hooks() throws Exception {
    Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
    hooks.setAccessible(true);
    return ((Map<?, ?>) hooks.get(null)).size();
  }
}
