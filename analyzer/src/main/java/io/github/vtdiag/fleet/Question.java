package io.github.vtdiag.fleet;

import java.util.List;

/**
 * The queries of a fleet, which each {@link LakeEngine} runs as they are. They name the order of
 * all rows and of unknown values, so that each gives the same answer. A column's name is that of
 * the member in JSON; it ends with the unit of its figures. {@code r} has the recordings that were
 * read, {@code f} their findings, of the versions that are wanted.
 */
public enum Question {
  FLEET(
      "Fleet",
      "",
      """
      SELECT count(*) AS recordings, count(DISTINCT jvm) AS jvms,
        count(DISTINCT service) AS services, sum(duration_nanos) AS recorded_nanos,
        sum(pinned_nanos) AS pinned_nanos,
        sum(pinned_nanos) FILTER (WHERE capacity_nanos > 0)
          / CAST(nullif(sum(capacity_nanos), 0) AS DOUBLE)
          AS capacity_share,
        min(date) AS from, max(date) AS to
      FROM r\
      """),
  SITES(
      "What costs the most carrier time",
      "No pins in these recordings.",
      """
      SELECT min(f.title || CASE f.kind WHEN 'UNEXPLAINED' THEN ' (not explained)'
          WHEN 'MONITOR_ENTRY' THEN ' (waits to enter)' ELSE '' END) AS site, min(f.kind) AS kind,
        min(coalesce(f.library || ' ' || coalesce(f.library_version, ''), f.owner)) AS owner,
        sum(f.total_nanos) AS pinned_nanos, sum(f.count) AS pins,
        max(p.p50) AS p50_nanos, max(p.p99) AS p99_nanos, max(f.longest_nanos) AS longest_nanos,
        count(DISTINCT f.service) AS services, max(v.versions) AS first_seen_in,
        f.fingerprint, f.ambiguous, NAMES AS shown_by
      FROM f JOIN r USING (recording)
        LEFT JOIN p ON p.fingerprint = f.fingerprint AND p.ambiguous = f.ambiguous
        LEFT JOIN first_seen v ON v.fingerprint = f.fingerprint AND v.ambiguous = f.ambiguous
      WHERE f.family = 'pin' GROUP BY f.fingerprint, f.ambiguous
      ORDER BY pinned_nanos DESC, fingerprint, ambiguous\
      """),
  GROUPS(
      "By BY",
      "No recordings.",
      """
      SELECT KEYS, count(*) AS recordings, count(DISTINCT jvm) AS jvms,
        sum(pins) AS pins, sum(pinned_nanos) AS pinned_nanos,
        sum(pinned_nanos) FILTER (WHERE capacity_nanos > 0)
          / CAST(nullif(sum(capacity_nanos), 0) AS DOUBLE)
          AS capacity_share,
        max(longest_nanos) AS longest_nanos, count(h.hangs) AS hung, NAMES AS shown_by
      FROM r LEFT JOIN (SELECT recording, count(*) AS hangs FROM hang WHERE ongoing
        GROUP BY recording) h USING (recording)
      GROUP BY ALL ORDER BY ORDER\
      """),
  UPGRADES(
      "Libraries that hold carriers",
      "No library holds a carrier in these recordings.",
      """
      SELECT f.library AS library, f.library_version AS version, max(f.fixed_in) AS fixed_in,
        sum(f.total_nanos) AS pinned_nanos, count(DISTINCT f.service) AS services,
        count(DISTINCT r.jvm) AS jvms, NAMES AS shown_by
      FROM f JOIN r USING (recording)
      WHERE f.family = 'pin' AND f.owner = 'library'
      GROUP BY f.library, f.library_version
      ORDER BY max(f.fixed_in) IS NULL, pinned_nanos DESC, library, version NULLS LAST\
      """),
  JDKS(
      "JDK builds",
      "No recordings.",
      """
      SELECT coalesce(jdk_version, 'unknown') AS jdk, coalesce(vendor, 'unknown') AS vendor,
        count(DISTINCT jvm) AS jvms, count(DISTINCT service) AS services,
        coalesce(max(faults), '') AS can_lose_threads, NAMES AS shown_by
      FROM r GROUP BY ALL ORDER BY can_lose_threads = '', jvms DESC, jdk, vendor\
      """),
  HANGS(
      "Hangs",
      "No program hung in these recordings.",
      """
      SELECT min(h.verdict) AS verdict, min(h.kind) AS kind,
        min(h.identity) AS identity, count(DISTINCT r.jvm) AS jvms,
        count(DISTINCT r.service) AS services, count(*) FILTER (WHERE h.ongoing) AS at_the_end,
        h.fingerprint, NAMES AS shown_by
      FROM hang h JOIN r USING (recording)
      GROUP BY h.fingerprint ORDER BY jvms DESC, fingerprint\
      """),
  STALLS(
      "Threads that stood still at the end",
      "None in these recordings, as far as they tell.",
      """
      SELECT min(s.subject) AS subject, min(s.method) AS method,
        count(DISTINCT r.jvm) AS jvms, count(DISTINCT r.service) AS services,
        sum(s.threads) AS threads, max(s.longest_nanos) AS longest_nanos,
        s.fingerprint, NAMES AS shown_by
      FROM stall s JOIN r USING (recording)
      GROUP BY s.fingerprint ORDER BY jvms DESC, fingerprint\
      """),
  GONE_ON_24(
      "Services whose pins Java 24 and later would not have",
      "None is known: no pin of these recordings on Java 21 to 23 is explained by a monitor.",
      """
      SELECT coalesce(service, 'unknown') AS service, sum(pinned_nanos) AS pinned_nanos,
        sum(gone_on_24_nanos) / CAST(nullif(sum(pinned_nanos), 0) AS DOUBLE) AS gone_share,
        count(DISTINCT jvm) AS jvms, NAMES AS shown_by
      FROM r WHERE gone_on_24_nanos > 0 GROUP BY ALL ORDER BY sum(gone_on_24_nanos) DESC, service\
      """),
  UNTOLD(
      "What could not be told",
      "Every recording could be read, and has all that it should.",
      """
      SELECT what, count(DISTINCT recording) AS recordings,
        count(DISTINCT recording)
          / CAST((SELECT greatest(count(*), 1) FROM recording) AS DOUBLE) AS of_all_share,
        min(detail) AS for_example,
        array_join(slice(array_sort(collect_set(name)), 1, 3), ', ') AS shown_by
      FROM (
        SELECT 'not readable' AS what, failure AS detail, recording, name
          FROM recording WHERE failure IS NOT NULL
        UNION ALL SELECT 'no service name', '', recording, name FROM r WHERE service IS NULL
        UNION ALL SELECT g.kind, g.text, recording, r.name FROM gap g JOIN r USING (recording))
      GROUP BY what ORDER BY recordings DESC, what\
      """);

  /** The recordings that show a line, the ones that were recorded first. */
  private static final String NAMES =
      "array_join(slice(array_sort(collect_set(r.name)), 1, 3), ', ')"
          + " || CASE WHEN count(DISTINCT r.name) > 3"
          + " THEN ' and ' || (count(DISTINCT r.name) - 3) || ' more' ELSE '' END";

  private final String title;
  private final String none;
  private final String sql;

  Question(String title, String none, String sql) {
    this.title = title;
    this.none = none;
    this.sql = sql;
  }

  /** Returns the title of the answer. */
  public String title(List<String> by) {
    return title.replace("BY", String.join(", ", by));
  }

  /** Returns the text for an empty answer. */
  public String none() {
    return none;
  }

  String sql(List<String> by) {
    String keys =
        String.join(
            ", ",
            by.stream()
                .map(key -> "coalesce(CAST(%s AS STRING), 'unknown') AS %s".formatted(key, key))
                .toList());
    // As text 1.10 is before 1.9.
    String order =
        String.join(
            ", ",
            by.stream()
                .map(key -> key.equals("version") ? "max(version_order) NULLS LAST, version" : key)
                .toList());
    return sql.replace("NAMES", NAMES)
        .replace("KEYS", keys)
        .replace("ORDER BY ORDER", "ORDER BY " + order);
  }
}
