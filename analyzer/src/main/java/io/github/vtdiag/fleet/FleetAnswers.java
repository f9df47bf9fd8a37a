package io.github.vtdiag.fleet;

import io.github.vtdiag.model.DataException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

  /** Returns why recordings cannot be grouped so; empty if they can. */
  public static Optional<String> refusal(List<String> by) {
    return by.stream()
        .filter(key -> !DIMENSIONS.contains(key))
        .map(
            key ->
                "recordings cannot be grouped by '%s'; use %s"
                    .formatted(key, String.join(", ", DIMENSIONS)))
        .findFirst();
  }

  /**
   * A table.
   *
   * @param rows each with a value for each column: null, a number, a flag or a text
   */
  public record Answer(List<String> columns, List<List<Object>> rows) {
    /** Returns the answer of an engine, whatever types it has for whole numbers. */
    public static Answer of(List<String> columns, List<List<Object>> rows) {
      return new Answer(
          List.copyOf(columns),
          rows.stream()
              .map(row -> row.stream().map(Answer::cell).collect(Collectors.toList()))
              .toList());
    }

    private static Object cell(Object value) {
      return switch (value) {
        case null -> null;
        case Integer number -> number.longValue();
        case BigDecimal number when number.scale() == 0 -> cell(number.toBigInteger());
        case BigInteger number when number.bitLength() < Long.SIZE -> number.longValue();
        case Number number -> number;
        case Boolean flag -> flag;
        default -> value.toString();
      };
    }

    /** Returns the value of a row, by the column's name. */
    public Object value(int row, String column) {
      return rows.get(row).get(columns.indexOf(column));
    }
  }

  /**
   * The views of all questions: the recordings that were read, their findings, the percentiles of a
   * site's pins, and the version of each service in which a site appears for the first time, by
   * Maven's order.
   */
  private static final Map<String, String> VIEWS = new LinkedHashMap<>();

  static {
    VIEWS.put(
        "r",
        "SELECT *, coalesce(instance, pod, container, recording) AS jvm FROM recording"
            + " WHERE failure IS NULL SINCE");
    VIEWS.put("f", "SELECT * FROM finding WHERE true SINCE");
    VIEWS.put(
        "p",
        """
        SELECT fingerprint, ambiguous,
          bucket_nanos(min(bucket) FILTER (WHERE seen >= ceil(total * 0.5))) AS p50,
          bucket_nanos(min(bucket) FILTER (WHERE seen >= ceil(total * 0.99))) AS p99
        FROM (SELECT fingerprint, ambiguous, bucket,
            sum(n) OVER (PARTITION BY fingerprint, ambiguous ORDER BY bucket) AS seen,
            sum(n) OVER (PARTITION BY fingerprint, ambiguous) AS total
          FROM (SELECT fingerprint, ambiguous, u.bucket AS bucket, sum(u.count) AS n
            FROM (SELECT fingerprint, ambiguous, explode(durations) AS u FROM f)
            GROUP BY fingerprint, ambiguous, u.bucket))
        GROUP BY fingerprint, ambiguous\
        """);
    VIEWS.put(
        "first_seen",
        """
        SELECT fingerprint, ambiguous,
          array_join(slice(array_sort(collect_set(service || ' ' || version)), 1, 3), ', ')
            || CASE WHEN count(*) > 3 THEN ' and ' || (count(*) - 3) || ' more' ELSE '' END
            AS versions
        FROM (SELECT fingerprint, ambiguous, coalesce(service, 'unknown') AS service,
            min_by(version, concat(version_order, ' ', version)) AS version
          FROM finding WHERE version IS NOT NULL
          GROUP BY fingerprint, ambiguous, coalesce(service, 'unknown'))
        GROUP BY fingerprint, ambiguous\
        """);
  }

  public FleetAnswers {
    by = List.copyOf(by);
    answers = Map.copyOf(answers);
  }

  /**
   * Asks all questions.
   *
   * @param lake where the lake is, as the user named it
   * @param by of {@link #DIMENSIONS}
   * @param since only versions from this one on, by Maven's order; empty for all
   */
  public static FleetAnswers of(LakeEngine engine, String lake, List<String> by, String since)
      throws DataException {
    views(engine, since);
    Map<Question, Answer> answers = new EnumMap<>(Question.class);
    for (Question question : Question.values()) {
      answers.put(question, engine.query(question.sql(by)));
    }
    return new FleetAnswers(lake, by, since, answers);
  }

  /**
   * Runs a user's query.
   *
   * @param sql one query, which can read the lake's tables and nothing else
   */
  public static Answer of(LakeEngine engine, String sql) throws DataException {
    String query = sql.strip();
    while (query.endsWith(";")) {
      query = query.substring(0, query.length() - 1).strip();
    }
    if (query.isEmpty()) {
      throw new DataException("the query is empty; write one, such as: select * from recording");
    }
    views(engine, "");
    return engine.query("SELECT * FROM (%s%n)".formatted(query));
  }

  static void views(LakeEngine engine, String since) throws DataException {
    // The order of a version has letters and digits only.
    String wanted = since.isEmpty() ? "" : "AND version_order >= '" + VersionOrder.key(since) + "'";
    for (Map.Entry<String, String> view : VIEWS.entrySet()) {
      engine.execute(
          "CREATE OR REPLACE TEMP VIEW %s AS %s"
              .formatted(view.getKey(), view.getValue().replace("SINCE", wanted)));
    }
  }
}
