package samples.libraries;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;

/** Pools that open their first connection when they are first asked for one. */
final class Hikari {
  public static void main(String[] args) throws Exception {
    String url = Mysql.url(MysqlServer.start());
    List<HikariDataSource> pools =
        IntStream.range(0, Calls.THREADS)
            .mapToObj(
                number -> {
                  var pool = new HikariDataSource();
                  pool.setJdbcUrl(url);
                  pool.setMaximumPoolSize(1);
                  pool.setConnectionInitSql("select sleep(0.05)");
                  return pool;
                })
            .toList();
    Calls.run(
        thread -> {
          try (Connection connection = pools.get(thread).getConnection()) {
            connection.getAutoCommit();
          }
        });
  }

  private Hikari() {}
}
