package samples.fuzz.run;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Runs generated programs, several at a time, and writes what each answers. */
public final class Runner {
  private final ConcurrentMap<String, Long> running = new ConcurrentHashMap<>();
  private final PrintWriter answers;
  private final long patience;

  private Runner(PrintWriter answers, long patience) {
    this.answers = answers;
    this.patience = TimeUnit.SECONDS.toNanos(patience);
  }

  /**
   * Runs programs.
   *
   * @param arguments the file with their names, the file for the answers, the seconds that each
   *     has, how many run at a time
   */
  public static void main(String[] arguments) throws Exception {
    List<String> names = Files.readAllLines(Path.of(arguments[0]));
    try (PrintWriter answers = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])))) {
      new Runner(answers, Long.parseLong(arguments[2])).run(names, Integer.parseInt(arguments[3]));
    }
    // Threads of a program must not keep the JVM alive.
    Runtime.getRuntime().halt(0);
  }

  private void run(List<String> names, int atATime) throws Exception {
    CountDownLatch left = new CountDownLatch(names.size());
    ExecutorService pool =
        Executors.newFixedThreadPool(
            atATime, Thread.ofPlatform().name("program-", 0).daemon().factory());
    try {
      for (String name : names) {
        pool.execute(
            () -> {
              running.put(name, System.nanoTime());
              String answer = answer(name);
              running.remove(name);
              answers.print(name + '\t' + answer.replace('\n', '|') + '\n');
              answers.flush();
              left.countDown();
            });
      }
      while (!left.await(1, TimeUnit.SECONDS)) {
        long now = System.nanoTime();
        for (var entry : running.entrySet()) {
          if (now - entry.getValue() > patience) {
            hangs(entry.getKey());
          }
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static String answer(String name) {
    try {
      return (String) Class.forName(name + ".Main").getMethod("run").invoke(null);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      StringBuilder text = new StringBuilder("THROWN " + cause);
      for (StackTraceElement frame : cause.getStackTrace()) {
        // The lines of a patched program are others.
        if (frame.getClassName().startsWith(name + ".")) {
          text.append("\n  at ").append(frame.getClassName()).append(frame.getMethodName());
        }
      }
      return text.toString();
    } catch (Throwable e) {
      return "CANNOT RUN " + e;
    }
  }

  private void hangs(String name) {
    answers.print(name + "\tHANGS\n");
    answers.flush();
    try {
      Object stacks =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "threadPrint",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      System.err.println(stacks);
    } catch (Exception e) {
      System.err.println("no stacks: " + e);
    }
    System.err.flush();
    Runtime.getRuntime().halt(3);
  }
}
