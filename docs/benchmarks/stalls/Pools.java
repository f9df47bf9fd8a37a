import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** Pools whose objects are borrowed and never returned, and one that is only busy. */
final class Pools {
  private static final int SIZE = 4;
  private static final int CLIENTS = 20;
  private static final String URL = "jdbc:h2:mem:pools";

  private Pools() {}

  /** Clients keep all connections, and others come. */
  private static void leak(DataSource pool) {
    Programs.start(
        CLIENTS,
        () -> {
          while (true) {
            try {
              Connection kept = pool.getConnection();
              Programs.sleepForEver();
              kept.close();
            } catch (SQLException e) {
              // The pool's timeout: it asks again.
              Programs.sleep(0.1);
            }
          }
        });
  }

  private static HikariDataSource hikari(long timeoutMillis) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(URL);
    config.setMaximumPoolSize(SIZE);
    config.setConnectionTimeout(timeoutMillis);
    return new HikariDataSource(config);
  }

  /** HikariCP's connections leak, and requests for one never time out. */
  @Programs.StandsStill("HikariCP|HikariPool")
  static void leakedHikari() {
    leak(hikari(0));
  }

  /** HikariCP's connections leak, and requests for one time out after 30 s, as by default. */
  @Programs.StandsStill("HikariCP|HikariPool")
  static void leakedHikariWithTimeout() {
    leak(hikari(30_000));
  }

  /** HikariCP's connections leak, and requests for one time out after 3 s. */
  @Programs.StandsStill("HikariCP|HikariPool")
  static void leakedHikariWithShortTimeout() {
    leak(hikari(3_000));
  }

  /** Agroal's connections leak, and requests for one never time out. */
  @Programs.StandsStill("Agroal")
  static void leakedAgroal() throws SQLException {
    leak(
        AgroalDataSource.from(
            new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(
                    pool ->
                        pool.maxSize(SIZE)
                            .acquisitionTimeout(Duration.ZERO)
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(URL)))));
  }

  /** The connections of c3p0 leak, and requests for one never time out, as by default. */
  @Programs.StandsStill("c3p0")
  static void leakedC3p0() {
    ComboPooledDataSource pool = new ComboPooledDataSource();
    pool.setJdbcUrl(URL);
    pool.setMinPoolSize(1);
    pool.setMaxPoolSize(SIZE);
    leak(pool);
  }

  private static GenericObjectPool<Object> commons(Duration timeout) {
    GenericObjectPool<Object> pool =
        new GenericObjectPool<>(
            new BasePooledObjectFactory<>() {
              @Override
              public Object create() {
                return new Object();
              }

              @Override
              public PooledObject<Object> wrap(Object object) {
                return new DefaultPooledObject<>(object);
              }
            });
    pool.setMaxTotal(SIZE);
    pool.setMaxWait(timeout);
    return pool;
  }

  /** The objects of a commons-pool leak, and requests for one never time out, as by default. */
  @Programs.StandsStill("commons-pool2|GenericObjectPool")
  static void leakedCommonsPool() {
    Programs.repeat(CLIENTS, commons(Duration.ofSeconds(-1))::borrowObject);
  }

  /** The objects of a commons-pool leak, and requests for one time out after 20 s. */
  @Programs.StandsStill("commons-pool2|GenericObjectPool")
  static void leakedCommonsPoolWithTimeout() {
    GenericObjectPool<Object> pool = commons(Duration.ofSeconds(20));
    Programs.repeat(
        CLIENTS,
        () -> {
          try {
            pool.borrowObject();
          } catch (java.util.NoSuchElementException e) {
            Programs.sleep(0.1);
          }
        });
  }

  /** A pool of its own over a queue leaks its objects. */
  @Programs.StandsStill("ArrayBlockingQueue|leakedPoolOverQueue")
  static void leakedPoolOverQueue() {
    ArrayBlockingQueue<Object> pool = new ArrayBlockingQueue<>(SIZE);
    for (int i = 0; i < SIZE; i++) {
      pool.add(i);
    }
    Programs.repeat(
        CLIENTS,
        () -> {
          Object taken = pool.take();
          Programs.sleep(0.2);
          if (Math.random() < 0.8) {
            pool.put(taken);
          }
        });
  }

  /** A pool of its own over a semaphore leaks its permits when a request fails. */
  @Programs.StandsStill("Semaphore")
  static void leakedPoolOverSemaphore() {
    Semaphore pool = new Semaphore(SIZE, true);
    Programs.repeat(
        CLIENTS,
        () -> {
          pool.acquire();
          Programs.sleep(0.2);
          if (Math.random() < 0.8) {
            pool.release();
          }
        });
  }

  /** Twenty clients share four connections and keep each for a second. */
  @Programs.Healthy
  static void busyPool() {
    HikariDataSource pool = hikari(30_000);
    Programs.repeat(
        CLIENTS,
        () -> {
          try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
            Programs.sleep(1);
          }
        });
  }
}
