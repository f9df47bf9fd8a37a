package samples.web;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Many shops, each with a repository of its own in front of one database: {@code database=PORT},
 * {@code shops=N}, {@code pool=N} connections, {@code millis=N} a query, and {@code orders=}
 * synchronized, locked or stateless.
 */
public final class Shops {
  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import(Endpoint.class)
  public static class Application {
    /** Returns the pool of connections. */
    @Bean
    public HikariDataSource database(Environment environment) {
      int size = environment.getRequiredProperty("pool", Integer.class);
      var config = new HikariConfig();
      config.setPoolName("orders");
      config.setJdbcUrl(
          "jdbc:postgresql://127.0.0.1:%s/postgres?user=postgres"
              .formatted(environment.getRequiredProperty("database")));
      config.setMaximumPoolSize(size);
      config.setMinimumIdle(size);
      return new HikariDataSource(config);
    }
  }

  /** The endpoint. */
  @RestController
  public static class Endpoint {
    private final List<Orders> shops;
    private final AtomicInteger next = new AtomicInteger();

    /** Opens the shops. */
    public Endpoint(HikariDataSource database, Environment environment) {
      var query =
          new Orders.Query(database, environment.getRequiredProperty("millis", Integer.class));
      String kind = environment.getRequiredProperty("orders");
      shops =
          IntStream.range(0, environment.getRequiredProperty("shops", Integer.class))
              .mapToObj(shop -> orders(kind, query))
              .toList();
    }

    private static Orders orders(String kind, Orders.Query query) {
      return switch (kind) {
        case "synchronized" -> new Orders.Synchronized(query);
        case "locked" -> new Orders.Locked(query);
        case "stateless" -> new Orders.Stateless(query);
        default -> throw new IllegalArgumentException("no such orders: " + kind);
      };
    }

    /** Returns the newest order of one shop after the other. */
    @GetMapping("/order")
    public String order() throws SQLException {
      return shops.get(Math.floorMod(next.getAndIncrement(), shops.size())).newest();
    }
  }

  public static void main(String[] args) throws Exception {
    WebServer.Options options = WebServer.Options.of(args);
    var settings = OnTomcat.threads(options);
    settings.put("database", options.number("database", 5432));
    settings.put("shops", options.number("shops", 64));
    settings.put("pool", options.number("pool", 64));
    settings.put("millis", options.number("millis", 50));
    settings.put("orders", options.text("orders", "synchronized"));
    WebServer.run(Application.class, settings);
  }

  private Shops() {}
}
