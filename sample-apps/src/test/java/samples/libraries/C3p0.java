package samples.libraries;

import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;

/** Queries through connections that c3p0 pools. */
final class C3p0 {
  public static void main(String[] args) throws Exception {
    System.setProperty("com.mchange.v2.log.MLog", "com.mchange.v2.log.FallbackMLog");
    System.setProperty("com.mchange.v2.log.FallbackMLog.DEFAULT_CUTOFF_LEVEL", "OFF");
    for (String size : List.of("initialPoolSize", "minPoolSize", "maxPoolSize")) {
      System.setProperty("c3p0." + size, Integer.toString(Calls.THREADS));
    }
    // Its jar names others in its manifest that a compiler does not find where Maven keeps it.
    Class<?> type = Class.forName("com.mchange.v2.c3p0.ComboPooledDataSource");
    var pool = (DataSource) type.getConstructor().newInstance();
    type.getMethod("setJdbcUrl", String.class).invoke(pool, Mysql.url(MysqlServer.start()));
    pool.getConnection().close();
    Calls.run(
        thread -> {
          try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Queries.query(connection, "select sleep(0.05)");
            connection.rollback();
          }
        });
  }

  private C3p0() {}
}
