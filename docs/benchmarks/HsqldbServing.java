import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import org.hsqldb.server.Server;

/**
 * A HSQLDB server in this JVM and 200 virtual threads that each call a function of 10 ms over a
 * connection of their own, again and again. {@code HsqldbServing SECONDS}
 */
public final class HsqldbServing {
  private static final int THREADS = 200;
  private static final LongAdder operations = new LongAdder();
  private static volatile boolean over;

  /** The function, which the server's thread runs. */
  public static int nap(int number) throws InterruptedException {
    Thread.sleep(10);
    return number;
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("hsqldb.method_class_names", "HsqldbServing.nap");
    Server server = new Server();
    server.setSilent(true);
    server.setLogWriter(null);
    server.setErrWriter(null);
    server.setNoSystemExit(true);
    server.setDaemon(true);
    server.setAddress("127.0.0.1");
    server.setPort(freePort());
    server.setDatabaseName(0, "x");
    server.setDatabasePath(0, "mem:x");
    server.start();
    String url = "jdbc:hsqldb:hsql://127.0.0.1:" + server.getPort() + "/x";
    try (Connection first = DriverManager.getConnection(url, "SA", "");
        Statement statement = first.createStatement()) {
      statement.execute(
          "create function nap(number int) returns int language java deterministic no sql"
              + " external name 'CLASSPATH:HsqldbServing.nap'");
    }
    Connection[] connections = new Connection[THREADS];
    for (int i = 0; i < THREADS; i++) {
      connections[i] = DriverManager.getConnection(url, "SA", "");
    }
    long begin = System.nanoTime();
    for (Connection connection : connections) {
      Thread.startVirtualThread(() -> repeat(connection));
    }
    Thread.sleep((long) (Double.parseDouble(args[0]) * 1e3));
    over = true;
    System.out.printf("%.1f ops/s%n", operations.sum() * 1e9 / (System.nanoTime() - begin));
    System.exit(0);
  }

  private static int freePort() throws java.io.IOException {
    try (var socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void repeat(Connection connection) {
    try (CallableStatement call = connection.prepareCall("{call nap(?)}")) {
      for (int i = 0; !over; i++) {
        call.setInt(1, i);
        try (ResultSet result = call.executeQuery()) {
          result.next();
          if (result.getInt(1) != i) {
            throw new AssertionError(result.getInt(1) + " instead of " + i);
          }
        }
        operations.increment();
      }
    } catch (Exception e) {
      if (!over) {
        e.printStackTrace();
        System.exit(1);
      }
    }
  }
}
