package io.github.vtdiag.fleet;

import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The answers of a lake.
 *
 * @param lake where it is
 * @param by the properties by which the recordings are grouped
 * @param since only versions from this one on; empty for all
 * @param answers by question
 */
public record FleetAnswers(
    String lake, List<String> by, String since, Map<Question, Answer> answers) {
  /** The properties by which recordings can be grouped. */
  public static final List<String> DIMENSIONS =
      List.of(
          "service",
          "version",
          "jdk",
          "jdk_version",
          "vendor",
          "instance",
          "pod",
          "namespace",
          "environment",
          "date");

  /**
   * A table.
   *
   * @param rows each with a value for each column: null, a number, a flag or a text
   */
  public record Answer(List<String> columns, List<List<Object>> rows) {
    static Answer of(DuckDb.Answer answer) {
      return new Answer(answer.columns(), answer.rows());
    }

    /** Returns the value of a row, by the column's name. */
    public Object value(int row, String column) {
      return rows.get(row).get(columns.indexOf(column));
    }
  }

  /** Returns the nanoseconds in the middle of a bucket. */
  private static final String BUCKET =
      "CREATE MACRO bucket_nanos(b) AS CASE WHEN b < 128 THEN b::BIGINT ELSE"
          + " ((b - 64 * (b // 64 - 1))::BIGINT << (b // 64 - 1)::BIGINT)"
          + " + ((1::BIGINT << (b // 64 - 1)::BIGINT) >> 1) END";

  private static final String SITES =
      """
      CREATE TEMP VIEW buckets AS
      SELECT fingerprint, ambiguous, u.bucket AS bucket, sum(u.count) AS n
      FROM (SELECT fingerprint, ambiguous, unnest(durations) AS u FROM f) GROUP BY ALL\
      """;

  private static final String PERCENTILES =
      """
      CREATE TEMP VIEW p AS
      SELECT fingerprint, ambiguous,
        bucket_nanos(min(bucket) FILTER (seen >= ceil(total * 0.5))) AS p50,
        bucket_nanos(min(bucket) FILTER (seen >= ceil(total * 0.99))) AS p99
      FROM (SELECT fingerprint, ambiguous, bucket,
          sum(n) OVER (PARTITION BY fingerprint, ambiguous ORDER BY bucket) AS seen,
          sum(n) OVER (PARTITION BY fingerprint, ambiguous) AS total
        FROM buckets) GROUP BY ALL\
      """;

  /**
   * Finds the version of each service in which a site appears for the first time, by Maven's order.
   */
  private static final String FIRST =
      """
      CREATE TEMP VIEW first AS
      SELECT fingerprint, ambiguous,
        array_to_string(list_slice(list(service || ' ' || version ORDER BY service), 1, 3), ', ')
          || CASE WHEN count(*) > 3 THEN ' and ' || (count(*) - 3) || ' more' ELSE '' END
          AS versions
      FROM (SELECT fingerprint, ambiguous, coalesce(service, 'unknown') AS service,
          min_by(version, version_order) AS version
        FROM finding WHERE version IS NOT NULL GROUP BY ALL)
      GROUP BY fingerprint, ambiguous\
      """;

  private static final String JVM = "coalesce(instance, pod, container, recording)";

  public FleetAnswers {
    by = List.copyOf(by);
    answers = Map.copyOf(answers);
  }

  /**
   * Queries a lake.
   *
   * @param by of {@link #DIMENSIONS}
   * @param since only versions from this one on, by Maven's order; empty for all
   */
  public static FleetAnswers of(Lake lake, String name, List<String> by, String since)
      throws DataException {
    return lake.ask(
        duckDb -> {
          views(duckDb, since);
          Map<Question, Answer> answers = new EnumMap<>(Question.class);
          for (Question question : Question.values()) {
            answers.put(question, Answer.of(duckDb.query(question.sql(by))));
          }
          return new FleetAnswers(name, by, since, answers);
        });
  }

  /**
   * Runs a user's query on a lake.
   *
   * @param sql one query, which can read the lake's tables and nothing else
   */
  public static Answer of(Lake lake, String sql) throws DataException {
    String query = sql.strip();
    while (query.endsWith(";")) {
      query = query.substring(0, query.length() - 1).strip();
    }
    String asked = query;
    return lake.ask(
        duckDb -> {
          views(duckDb, "");
          boolean describes = asked.toLowerCase(Locale.ROOT).startsWith("describe");
          return Answer.of(
              duckDb.query(describes ? asked : "SELECT * FROM (%s%n)".formatted(asked)));
        });
  }

  static void views(DuckDb duckDb, String since) throws DataException {
    String wanted =
        since.isEmpty() ? "" : " AND version_order >= " + DuckDb.quoted(VersionOrder.key(since));
    List<String> views = new ArrayList<>();
    views.add(BUCKET);
    views.add(
        "CREATE TEMP VIEW r AS SELECT *, "
            + JVM
            + " AS jvm FROM recording WHERE failure IS NULL"
            + wanted);
    views.add("CREATE TEMP VIEW f AS SELECT * FROM finding WHERE true" + wanted);
    views.add(SITES);
    views.add(PERCENTILES);
    views.add(FIRST);
    for (String view : views) {
      duckDb.execute(view);
    }
  }
}
