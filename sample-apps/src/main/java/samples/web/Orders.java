package samples.web;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/** The repository of one shop's orders. */
interface Orders {
  /** Asks the database, which takes its time. */
  String newest() throws SQLException;

  /** The usual form: no other thread may use the object meanwhile. */
  final class Synchronized implements Orders {
    private final Query query;
    private String newest = "";

    Synchronized(Query query) {
      this.query = query;
    }

    @Override
    public synchronized String newest() throws SQLException {
      newest = query.run(newest);
      return newest;
    }
  }

  /** The same with a lock, for which no carrier waits. */
  final class Locked implements Orders {
    private final Query query;
    private final Lock lock = new ReentrantLock();
    private String newest = "";

    Locked(Query query) {
      this.query = query;
    }

    @Override
    public String newest() throws SQLException {
      lock.lock();
      try {
        newest = query.run(newest);
        return newest;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Orders without state, which need no exclusion. */
  record Stateless(Query query) implements Orders {
    @Override
    public String newest() throws SQLException {
      return query.run("");
    }
  }

  /** The query of all of them. */
  record Query(DataSource database, int millis) {
    String run(String previous) throws SQLException {
      try (Connection connection = database.getConnection();
          PreparedStatement statement =
              connection.prepareStatement("select 'order after ' || ? from pg_sleep(?)")) {
        statement.setInt(1, previous.length());
        statement.setDouble(2, millis / 1e3);
        try (ResultSet result = statement.executeQuery()) {
          result.next();
          return result.getString(1);
        }
      }
    }
  }
}
