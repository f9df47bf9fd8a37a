package samples.nativeframe;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import org.sqlite.Function;
import samples.Load;
import samples.SlowService;

/** A Java function that SQLite calls from its native code, and that waits there for a rate. */
public final class Before {
  static final class Converter {
    private final PreparedStatement query;

    Converter() throws SQLException {
      Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
      Function.create(
          connection,
          "rate",
          new Function() {
            @Override
            protected void xFunc() throws SQLException {
              result(rate(value_text(0)));
            }
          });
      query = connection.prepareStatement("select ? * rate(?)");
    }

    double convert(double amount, String currency) throws SQLException {
      query.setDouble(1, amount);
      query.setString(2, currency);
      try (ResultSet result = query.executeQuery()) {
        result.next();
        return result.getDouble(1);
      }
    }

    private static double rate(String currency) {
      try {
        Thread.sleep(SlowService.DELAY); // stands for a call to the service that knows the rates
        return currency.length();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var converters = new ArrayList<Converter>();
    for (int i = 0; i < load.threads(); i++) {
      converters.add(new Converter());
    }
    System.out.println(
        "before: " + load.measure(thread -> converters.get(thread).convert(10, "EUR")));
  }

  private Before() {}
}
