package samples.nativeframe;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import samples.Load;
import samples.SlowService;

/** The rate is fetched before the query and given to it as a parameter. */
public final class After {
  static final class Converter {
    private final PreparedStatement query;

    Converter() throws SQLException {
      Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
      query = connection.prepareStatement("select ? * ?");
    }

    double convert(double amount, String currency) throws SQLException {
      double rate = rate(currency);
      query.setDouble(1, amount);
      query.setDouble(2, rate);
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
        "after: " + load.measure(thread -> converters.get(thread).convert(10, "EUR")));
  }

  private After() {}
}
