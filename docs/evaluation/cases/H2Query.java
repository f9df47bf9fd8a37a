/// story: A query calls a slow function of the application, inside the database's lock on its session.
/// java: 21
/// kind: pin
/// holder: org.h2.command.Command.executeQuery org.h2.jdbc.JdbcStatement.executeQuery
/// needs: com.h2database:h2:2.2.220
/// truth: bytecode: executeQuery of both classes has monitorenter around the query; either pins
/// advice: upgrade 2.2.222
/// proof: run with com.h2database:h2:2.2.222
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;

class H2Query {
  public static class Functions {
    public static int nap() throws Exception {
      Thread.sleep(40);
      return 1;
    }
  }

  private static void query() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ALIAS NAP FOR 'H2Query$Functions.nap'");
      statement.executeQuery("SELECT NAP()").close();
    }
  }

  public static void main(String[] args) throws Exception {
    query();
    Case.repeat(H2Query::query);
  }
}
