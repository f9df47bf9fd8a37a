import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/**
 * A service on virtual threads: users ask over sockets, again and again; each request is one query
 * that takes a while, over a connection from a pool. {@code Pooled DRIVER POOL USERS MILLIS
 * SECONDS}
 *
 * <p>Drivers: pgjdbc (an embedded PostgreSQL), hsqldb and h2 (a server in this JVM). Pools: own (a
 * connection for each user), one (one for all), hikari:N, commons:N (the one that came back last is
 * handed out first), turns:N (the same, the one that came back first). With -Dper=request each
 * request has a virtual thread of its own, else each user has.
 */
public final class Pooled {
  private static final LongAdder operations = new LongAdder();
  private static final boolean PER_REQUEST = "request".equals(System.getProperty("per"));
  private static volatile boolean over;

  interface Pool {
    Connection take(int user) throws Exception;

    void giveBack(Connection connection) throws Exception;
  }

  /** The function of hsqldb and h2, which the server's threads run. */
  public static int nap(int millis) throws InterruptedException {
    Thread.sleep(millis);
    return millis;
  }

  public static void main(String[] args) throws Exception {
    int users = Integer.parseInt(args[2]);
    int millis = Integer.parseInt(args[3]);
    String url = start(args[0], users);
    String query =
        args[0].equals("pgjdbc")
            ? String.format(Locale.ROOT, "select pg_sleep(%.3f)", millis / 1e3)
            : "call nap(" + millis + ")";
    Pool pool = pool(args[1], url, users);
    try (ServerSocket server = new ServerSocket(0, users, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> accept(server, pool, query));
      for (int i = 0; i < users; i++) {
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        Thread.ofPlatform().daemon().start(() -> ask(socket));
      }
      Thread.sleep(1_000);
      long before = operations.sum();
      long begin = System.nanoTime();
      Thread.sleep((long) (Double.parseDouble(args[4]) * 1e3));
      double rate = (operations.sum() - before) * 1e9 / (System.nanoTime() - begin);
      over = true;
      System.out.printf(Locale.ROOT, "%.1f ops/s%n", rate);
    }
    System.exit(0);
  }

  /** One user, who asks again as soon as there is an answer. */
  private static void ask(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      socket.setTcpNoDelay(true);
      while (!over) {
        out.write('?');
        if (in.read() < 0) {
          throw new IllegalStateException("no answer");
        }
        operations.increment();
      }
    } catch (Exception e) {
      fail(e);
    }
  }

  private static void accept(ServerSocket server, Pool pool, String query) {
    try {
      for (int i = 0; ; i++) {
        int user = i;
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        if (PER_REQUEST) {
          // As a server's poller: it reads what comes, and starts a thread for it.
          Thread.ofPlatform()
              .daemon()
              .start(
                  () ->
                      serve(
                          socket,
                          () -> Thread.startVirtualThread(() -> reply(socket, pool, query, user))));
        } else {
          Thread.startVirtualThread(() -> serve(socket, () -> reply(socket, pool, query, user)));
        }
      }
    } catch (Exception e) {
      fail(e);
    }
  }

  private static void serve(Socket socket, Runnable reply) {
    try {
      while (socket.getInputStream().read() >= 0) {
        reply.run();
      }
    } catch (Exception e) {
      fail(e);
    }
  }

  private static void reply(Socket socket, Pool pool, String query, int user) {
    try {
      Connection connection = pool.take(user);
      try (PreparedStatement statement = connection.prepareStatement(query);
          ResultSet result = statement.executeQuery()) {
        result.next();
      } finally {
        pool.giveBack(connection);
      }
      socket.getOutputStream().write('!');
    } catch (Exception e) {
      fail(e);
    }
  }

  private static void fail(Exception e) {
    if (!over) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static String start(String driver, int users) throws Exception {
    switch (driver) {
      case "pgjdbc" -> {
        samples.pgjdbc.Server server = samples.pgjdbc.Server.start(users + 10);
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      try {
                        server.close();
                      } catch (java.io.IOException e) {
                        // It goes with this JVM.
                      }
                    }));
        return server.url();
      }
      case "hsqldb" -> {
        System.setProperty("hsqldb.method_class_names", "Pooled.nap");
        int port = freePort();
        var server = new org.hsqldb.server.Server();
        server.setSilent(true);
        server.setLogWriter(null);
        server.setErrWriter(null);
        server.setNoSystemExit(true);
        server.setDaemon(true);
        server.setAddress("127.0.0.1");
        server.setPort(port);
        server.setDatabaseName(0, "x");
        server.setDatabasePath(0, "mem:x");
        server.start();
        String url = "jdbc:hsqldb:hsql://127.0.0.1:" + port + "/x;user=SA";
        execute(
            url,
            "create function nap(millis int) returns int language java not deterministic no sql"
                + " external name 'CLASSPATH:Pooled.nap'");
        return url;
      }
      case "h2" -> {
        int port = freePort();
        org.h2.tools.Server.createTcpServer("-tcpPort", "" + port, "-ifNotExists", "-tcpDaemon")
            .start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/mem:x;DB_CLOSE_DELAY=-1;user=SA";
        execute(url, "create alias nap for 'Pooled.nap'");
        return url;
      }
      default -> throw new IllegalArgumentException(driver);
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int freePort() throws java.io.IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Pool pool(String kind, String url, int users) throws Exception {
    String[] words = kind.split(":");
    return switch (words[0]) {
      case "own", "one" -> {
        Connection[] connections = new Connection[words[0].equals("one") ? 1 : users];
        for (int i = 0; i < connections.length; i++) {
          connections[i] = DriverManager.getConnection(url);
        }
        yield new Pool() {
          @Override
          public Connection take(int user) {
            return connections[user % connections.length];
          }

          @Override
          public void giveBack(Connection connection) {}
        };
      }
      case "hikari" -> {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(Integer.parseInt(words[1]));
        HikariDataSource source = new HikariDataSource(config);
        while (source.getHikariPoolMXBean().getTotalConnections() < config.getMaximumPoolSize()) {
          Thread.sleep(10);
        }
        yield new Pool() {
          @Override
          public Connection take(int user) throws SQLException {
            return source.getConnection();
          }

          @Override
          public void giveBack(Connection connection) throws SQLException {
            connection.close();
          }
        };
      }
      case "commons", "turns" -> {
        var pool =
            new GenericObjectPool<>(
                new BasePooledObjectFactory<Connection>() {
                  @Override
                  public Connection create() throws SQLException {
                    return DriverManager.getConnection(url);
                  }

                  @Override
                  public PooledObject<Connection> wrap(Connection connection) {
                    return new DefaultPooledObject<>(connection);
                  }
                });
        int size = Integer.parseInt(words[1]);
        pool.setMaxTotal(size);
        pool.setMaxIdle(size);
        pool.setLifo(words[0].equals("commons"));
        pool.addObjects(size);
        yield new Pool() {
          @Override
          public Connection take(int user) throws Exception {
            return pool.borrowObject();
          }

          @Override
          public void giveBack(Connection connection) {
            pool.returnObject(connection);
          }
        };
      }
      default -> throw new IllegalArgumentException(kind);
    };
  }
}
