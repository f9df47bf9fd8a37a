package samples.pgjdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import samples.Load;

/** The program of both variants: each thread sends its queries over a connection of its own. */
final class Queries {
  static void run(String variant, String[] args) throws Exception {
    Load load = Load.of(args);
    if (DriverManager.drivers()
        .noneMatch(driver -> driver.getClass().getName().contains("postgresql"))) {
      System.err.println(
          "no PostgreSQL driver on the class path; add 'sample-apps/target/lib-"
              + variant
              + "/pgjdbc/*'");
      System.exit(2);
    }
    try (Server server = Server.start(load.threads() + 10)) {
      var connections = new ArrayList<Connection>();
      for (int i = 0; i < load.threads(); i++) {
        connections.add(DriverManager.getConnection(server.url()));
      }
      System.err.println(
          "PostgreSQL "
              + connections.getFirst().getMetaData().getDatabaseProductVersion()
              + ", pgjdbc "
              + connections.getFirst().getMetaData().getDriverVersion());
      System.out.println(variant + ": " + load.measure(thread -> query(connections.get(thread))));
      for (Connection connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void query(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select pg_sleep(0.025)");
        ResultSet result = statement.executeQuery()) {
      result.next();
    }
  }

  private Queries() {}
}
