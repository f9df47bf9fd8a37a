package samples.libraries;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.hsqldb.server.Server;

/** Queries to an HSQLDB server. */
public final class Hsqldb {
  public static void main(String[] args) throws Exception {
    System.setProperty("hsqldb.method_class_names", "samples.libraries.Hsqldb.*");
    var server = new Server();
    server.setSilent(true);
    server.setLogWriter(null);
    server.setAddress("127.0.0.1");
    server.setPort(Ports.free());
    server.setDatabaseName(0, "test");
    server.setDatabasePath(0, "mem:test");
    server.start();
    String url = "jdbc:hsqldb:hsql://127.0.0.1:" + server.getPort() + "/test";
    try (Connection connection = DriverManager.getConnection(url, "SA", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create function think() returns integer language java deterministic no sql"
              + " external name 'CLASSPATH:samples.libraries.Hsqldb.think'");
    }
    Queries.run(url + "?user=SA", "call think()");
  }

  public static Integer think() {
    Calls.think();
    return 1;
  }

  private Hsqldb() {}
}
