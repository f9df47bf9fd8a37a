package samples.waits;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * 500 virtual threads, queries of 20 ms, and a HikariCP pool of 10 connections ({@code pool}): 500
 * queries a second, whatever the threads do. The twin has a connection for each thread.
 */
public final class ConnectionPool {
  public static void main(String[] args) throws Exception {
    int threads = Integer.getInteger("threads", 500);
    var config = new HikariConfig();
    config.setDataSource(database());
    config.setPoolName("orders");
    int size = Crowd.healthy() ? threads : Integer.getInteger("pool", 10);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(size);
    try (var pool = new HikariDataSource(config)) {
      while (pool.getHikariPoolMXBean().getTotalConnections() < size) {
        Crowd.work(10); // it opens them one after the other
      }
      Crowd.repeat(threads, () -> findOrder(pool));
    }
  }

  private static void findOrder(DataSource orders) throws Exception {
    try (Connection connection = orders.getConnection()) {
      connection.nativeSQL("select * from orders"); // the query
    }
  }

  /** Returns a database whose driver only waits for the answer. */
  private static DataSource database() {
    InvocationHandler connection =
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "nativeSQL" -> Crowd.work(20);
            case "isValid", "getAutoCommit" -> {
              return true;
            }
            case "getTransactionIsolation", "getNetworkTimeout", "getHoldability" -> {
              return 2;
            }
            case "isClosed", "isReadOnly" -> {
              return false;
            }
            default -> {}
          }
          return null;
        };
    return proxy(
        DataSource.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getConnection" -> proxy(Connection.class, connection);
              case "getLoginTimeout" -> 0;
              default -> null;
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            ConnectionPool.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private ConnectionPool() {}
}
