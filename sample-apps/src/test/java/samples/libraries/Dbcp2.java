package samples.libraries;

import java.sql.Connection;
import org.apache.commons.dbcp2.BasicDataSource;

/** Connections that go back to their pool with a transaction that the server has to roll back. */
final class Dbcp2 {
  public static void main(String[] args) throws Exception {
    var pool = new BasicDataSource();
    pool.setUrl(Mysql.url(MysqlServer.start()));
    pool.setMaxTotal(Calls.THREADS);
    pool.setMaxIdle(Calls.THREADS);
    pool.setInitialSize(Calls.THREADS);
    pool.setDefaultAutoCommit(false);
    pool.getConnection().close();
    Calls.run(
        thread -> {
          try (Connection connection = pool.getConnection()) {
            Queries.query(connection, "select 1");
          }
        });
  }

  private Dbcp2() {}
}
