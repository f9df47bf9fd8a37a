package samples.libraries;

import java.io.OutputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Queries to a Derby server. */
public final class Derby {
  public static void main(String[] args) throws Exception {
    System.setProperty("derby.stream.error.method", "samples.libraries.Derby.nowhere");
    int port = Ports.free();
    // Started by the first use of the database.
    System.setProperty("derby.drda.startNetworkServer", "true");
    System.setProperty("derby.drda.host", "127.0.0.1");
    System.setProperty("derby.drda.portNumber", Integer.toString(port));
    DriverManager.getConnection("jdbc:derby:memory:test;create=true").close();
    String url = "jdbc:derby://127.0.0.1:" + port + "/memory:test";
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create function think() returns int language java parameter style java no sql"
              + " external name 'samples.libraries.Derby.answer'");
    }
    Queries.run(url, "values think()");
  }

  /** The server says nothing of when it is ready. */
  private static Connection connect(String url) throws SQLException, InterruptedException {
    for (int attempts = 0; ; attempts++) {
      try {
        return DriverManager.getConnection(url);
      } catch (SQLException e) {
        if (attempts == 200) {
          throw e;
        }
        Thread.sleep(20);
      }
    }
  }

  public static int answer() {
    Calls.think();
    return 1;
  }

  public static OutputStream nowhere() {
    return OutputStream.nullOutputStream();
  }

  private Derby() {}
}
