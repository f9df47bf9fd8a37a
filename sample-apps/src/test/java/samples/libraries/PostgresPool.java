package samples.libraries;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import samples.pgjdbc.Server;

/** Queries to PostgreSQL through a pool that is smaller than the number of threads. */
final class PostgresPool {
  public static void main(String[] args) throws Exception {
    try (Server server = Server.start(20)) {
      var pool = new HikariDataSource();
      pool.setJdbcUrl(server.url());
      pool.setMaximumPoolSize(10);
      Calls.run(
          thread -> {
            try (Connection connection = pool.getConnection()) {
              Queries.query(connection, "select pg_sleep(0.05)");
            }
          });
    }
  }

  private PostgresPool() {}
}
