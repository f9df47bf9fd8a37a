package samples.libraries;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Prepared statements through MySQL's driver, which hold other monitors than its plain ones. */
final class MysqlPrepared {
  public static void main(String[] args) throws Exception {
    List<Connection> connections = Queries.connect(Mysql.url(MysqlServer.start()));
    Calls.run(thread -> query(connections.get(thread)));
  }

  private static void query(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select sleep(0.05)");
        ResultSet rows = statement.executeQuery()) {
      rows.next();
    }
  }

  private MysqlPrepared() {}
}
