package samples.libraries;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A query on each thread, over a connection of its own. */
final class Queries {
  static List<Connection> connect(String url) throws SQLException {
    var connections = new ArrayList<Connection>();
    for (int i = 0; i < Calls.THREADS; i++) {
      connections.add(DriverManager.getConnection(url));
    }
    return connections;
  }

  static void run(String url, String sql) throws SQLException, InterruptedException {
    List<Connection> connections = connect(url);
    Calls.run(thread -> query(connections.get(thread), sql));
  }

  static void query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
    }
  }

  private Queries() {}
}
