import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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

  /**
   * A queue is the pool of new threads, one for each request, that a server starts; those that fail
   * do not put back what they took. Other threads go on.
   */
  @Programs.StandsStill("ArrayBlockingQueue|leakedPoolOfRequests")
  static void leakedPoolOfRequests() {
    ArrayBlockingQueue<Object> pool = new ArrayBlockingQueue<>(SIZE);
    for (int i = 0; i < SIZE; i++) {
      pool.add(i);
    }
    goOn();
    Programs.repeat(
        1,
        () -> {
          Programs.start(
              1,
              () -> {
                for (int exchange = 0; exchange < 2; exchange++) {
                  Object taken = pool.take();
                  Programs.sleep(0.1);
                  if (Math.random() < 0.2) {
                    throw new IllegalStateException("the request fails");
                  }
                  pool.put(taken);
                }
              });
          Programs.sleep(0.2);
        });
  }

  /** A class of its own is the pool; who fails does not give back. Other threads go on. */
  @Programs.StandsStill("LinkedBlockingQueue|claim|leakedPoolOfItsOwn")
  static void leakedPoolOfItsOwn() {
    Places places = new Places();
    goOn();
    Programs.start(
        SIZE + 1,
        () -> {
          while (true) {
            Object place = places.claim();
            Programs.sleep(0.5);
            if (Math.random() < 0.5) {
              continue;
            }
            places.leave(place);
          }
        });
  }

  /** Each request gives up after a second and comes again. Other threads go on. */
  @Programs.StandsStill("LinkedBlockingDeque|leakedPoolWithTimeout")
  static void leakedPoolWithTimeout() {
    LinkedBlockingDeque<Object> pool = new LinkedBlockingDeque<>();
    for (int i = 0; i < SIZE; i++) {
      pool.add(i);
    }
    goOn();
    Programs.start(
        2,
        () -> {
          while (true) {
            Object taken = pool.pollFirst(1, TimeUnit.SECONDS);
            if (taken == null) {
              continue;
            }
            try {
              Programs.sleep(0.2);
              if (Math.random() < 0.2) {
                continue;
              }
            } catch (IllegalStateException e) {
              pool.remove(taken);
            }
            pool.addFirst(taken);
          }
        });
  }

  /** Workers put back a task that failed, and have had nothing to do for long. */
  @Programs.Healthy
  static void workersThatTryAgain() {
    LinkedBlockingQueue<Integer> tasks = new LinkedBlockingQueue<>();
    goOn();
    Programs.start(
        SIZE,
        () -> {
          while (true) {
            Integer task = tasks.take();
            Programs.sleep(0.01);
            if (Math.random() < 0.3) {
              tasks.put(task);
            }
          }
        });
    Programs.start(
        1,
        () -> {
          for (int i = 0; i < 200; i++) {
            tasks.put(i);
            Programs.sleep(0.1);
          }
          Programs.sleepForEver();
        });
  }

  /** Threads that have nothing to do with the pool. */
  private static void goOn() {
    Programs.repeat(2, () -> Programs.sleep(0.05));
  }

  private static final class Places {
    private final LinkedBlockingQueue<Object> free = new LinkedBlockingQueue<>();

    Places() {
      for (int i = 0; i < SIZE; i++) {
        free.add(i);
      }
    }

    Object claim() throws InterruptedException {
      return free.take();
    }

    void leave(Object place) {
      free.add(place);
    }
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
