package samples.hangs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Virtual threads that wait inside SQLite, which sleeps in native code until another transaction
 * ends. Java never learns that they wait: no event says so, on any version.
 *
 * <p>Two threads want to write while {@code main} holds the database, and each has a timeout of an
 * hour. The twin has {@code busy} milliseconds (120), asks {@code times} times (20) in all, with
 * {@code pause} milliseconds (20) between two calls, and prints how long it waited: {@code waited
 * NANOS ns in N calls}.
 */
public final class NativeWait {
  private static final int HOUR = 3_600_000;

  public static void main(String[] args) throws Exception {
    Story.carriers(2);
    Path folder = Files.createTempDirectory("native-wait");
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> delete(folder)));
    Path file = folder.resolve("a.db");
    try (Connection main = open(file, 0);
        Connection one = open(file, patience());
        Connection two = open(file, patience())) {
      begin(main);
      if (Story.healthy()) {
        askAgainAndAgain(one);
      } else {
        waitForGood(one, two);
      }
    }
  }

  private static void waitForGood(Connection one, Connection two) {
    var asking = new CountDownLatch(2);
    Thread first = Story.start("first", () -> ask(one, asking));
    Thread second = Story.start("second", () -> ask(two, asking));
    Story.await(asking);
    Story.until(() -> isInside(first) && isInside(second));
    Story.standsStill("both carriers are kept by threads that wait inside SQLite");
  }

  private static void askAgainAndAgain(Connection connection) throws InterruptedException {
    int times = Integer.getInteger("times", 20);
    var waited = new LongAdder();
    Thread thread =
        Story.start(
            "first",
            () -> {
              for (int i = 0; i < times; i++) {
                long start = System.nanoTime();
                ask(connection, new CountDownLatch(0));
                waited.add(System.nanoTime() - start);
                LockSupport.parkNanos(Integer.getInteger("pause", 20) * 1_000_000L);
              }
            });
    thread.join();
    Story.say("waited " + waited + " ns in " + times + " calls");
    Story.ended(thread);
  }

  private static void ask(Connection connection, CountDownLatch asking) {
    asking.countDown();
    try {
      begin(connection);
      throw new IllegalStateException("the database is not held");
    } catch (SQLException e) {
      // Busy: its timeout has passed.
    }
  }

  private static void begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("begin immediate");
    }
  }

  private static boolean isInside(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0 && stack[0].isNativeMethod();
  }

  private static int patience() {
    return Story.healthy() ? Integer.getInteger("busy", 120) : HOUR;
  }

  private static Connection open(Path file, int patience) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=" + patience);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      // It stays in the folder for temporary files.
    }
  }

  private NativeWait() {}
}
