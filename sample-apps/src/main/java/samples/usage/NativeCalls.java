package samples.usage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Four threads that wait inside SQLite for another transaction, 150 ms ({@code patience}) at a
 * time. Java never learns that they wait, so they do not unmount.
 *
 * <p>The twin asks on platform threads, and waits for the answer.
 */
public final class NativeCalls {
  private static final int CLIENTS = 4;
  private static final int PATIENCE = Integer.getInteger("patience", 150);

  private static final LongAdder CALLS = new LongAdder();

  public static void main(String[] args) throws IOException, SQLException {
    Setup.twoCarriers();
    Path folder = Files.createTempDirectory("native-calls");
    Path file = folder.resolve("a.db");
    try (Connection owner = open(file);
        ExecutorService platform = Executors.newFixedThreadPool(CLIENTS)) {
      begin(owner);
      Setup.join(Setup.start(CLIENTS, "client", () -> ask(file, platform)));
    } finally {
      Files.deleteIfExists(folder.resolve("a.db-journal"));
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
    Setup.done(CALLS + " calls");
  }

  private static void ask(Path file, ExecutorService platform) {
    try (Connection connection = open(file)) {
      while (Setup.timeLeft()) {
        if (Setup.healthy()) {
          platform.submit(() -> isHeld(connection)).get();
        } else {
          isHeld(connection);
        }
        CALLS.increment();
        Setup.pause(5);
      }
    } catch (SQLException | InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isHeld(Connection connection) {
    try {
      begin(connection);
      return false;
    } catch (SQLException e) {
      return true; // Busy: its timeout has passed.
    }
  }

  private static void begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("begin immediate");
    }
  }

  private static Connection open(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=" + PATIENCE);
  }

  private NativeCalls() {}
}
