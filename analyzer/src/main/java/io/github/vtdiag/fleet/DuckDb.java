package io.github.vtdiag.fleet;

import io.github.vtdiag.fleet.FleetAnswers.Answer;
import io.github.vtdiag.maven.FetchedJar;
import io.github.vtdiag.model.DataException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * DuckDB in this JVM, with a database in memory. It is not part of the command line, which would be
 * four times as large. It is a jar of its own with a class loader of its own.
 */
final class DuckDb implements LakeEngine, AutoCloseable {
  static final FetchedJar JAR =
      new FetchedJar(
          "org.duckdb:duckdb_jdbc:2.0.0.1",
          "6cb8b0e0fc51b2e45aead2d2c1e1fd09dd10267db2966e69aaab0de67319f826",
          80_297_452);

  static final String PURPOSE = "which reads and writes the lake";

  /** The functions of queries that DuckDB does not have by these names. */
  private static final List<String> MACROS =
      List.of(
          // The middle of a bucket, as Durations.middle computes it.
          "bucket_nanos(b) AS CASE WHEN b < 128 THEN b::BIGINT ELSE"
              + " ((b - 64 * (b // 64 - 1))::BIGINT << (b // 64 - 1)::BIGINT)"
              + " + ((1::BIGINT << (b // 64 - 1)::BIGINT) >> 1) END",
          "explode(list) AS unnest(list)",
          "collect_set(value) AS list(DISTINCT value) FILTER (WHERE value IS NOT NULL)",
          "slice(list, first, number) AS list_slice(list, first, first + number - 1)",
          "array_join(list, separator) AS array_to_string(list, separator)");

  private final Connection connection;

  private DuckDb(Connection connection) {
    this.connection = connection;
  }

  /**
   * Loads DuckDB.
   *
   * @param jar its driver, checked
   */
  @SuppressWarnings("BanClassLoader") // The jar was checked, and sees no class of ours.
  static DuckDb open(Path jar) throws DataException {
    try {
      // Never closed: its native code stays as long as the JVM does.
      URLClassLoader loader =
          new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
      Driver driver =
          Class.forName("org.duckdb.DuckDBDriver", true, loader)
              .asSubclass(Driver.class)
              .getDeclaredConstructor()
              .newInstance();
      DuckDb opened = new DuckDb(driver.connect("jdbc:duckdb:", new Properties()));
      opened.execute("SET autoinstall_known_extensions = false");
      opened.execute("SET autoload_known_extensions = false");
      opened.execute("SET preserve_insertion_order = false");
      for (String macro : MACROS) {
        opened.execute("CREATE MACRO " + macro);
      }
      return opened;
    } catch (MalformedURLException | SQLException e) {
      throw new DataException("DuckDB does not start: " + reason(e), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new DataException(
          "DuckDB does not run on this machine ("
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + "): "
              + cause
              + "; it comes for Linux, macOS on ARM and Windows",
          e);
    }
  }

  @Override
  public void execute(String sql) throws DataException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new DataException(reason(e), e);
    }
  }

  @Override
  public Answer query(String sql) throws DataException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData meta = result.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        columns.add(meta.getColumnLabel(i));
      }
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
          row.add(result.getObject(i));
        }
        rows.add(row);
      }
      return Answer.of(columns, rows);
    } catch (SQLException e) {
      throw new DataException(reason(e), e);
    }
  }

  /** Returns a text as SQL has it. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** Returns the first line; the following ones show the statement. */
  private static String reason(Exception e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse(message).strip();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // The database is in memory: nothing of it is kept.
    }
  }
}
