package io.github.vtdiag.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of a lake. This is the only place that names their columns. */
public enum Table {
  /** The recordings; one that could not be read has a failure, and nothing else. */
  RECORDING(
      "name TEXT, bytes LONG, failure TEXT, problems TEXT, instance TEXT, namespace TEXT,"
          + " environment TEXT, pod TEXT, container TEXT, vendor TEXT, jdk_version TEXT, jdk LONG,"
          + " faults TEXT, agent TEXT, launched TEXT, start_nanos LONG, duration_nanos LONG,"
          + " carriers LONG, verdict TEXT, pins LONG, pinned_nanos LONG, longest_nanos LONG,"
          + " capacity_nanos LONG, gone_on_24_nanos LONG, queue_mean FIGURE,"
          + " monopolized_share FIGURE, longest_wait_nanos LONG, durations BUCKETS"),
  /** The pins, waits and misuse. */
  FINDING(
      "family TEXT, kind TEXT, fingerprint TEXT, ambiguous FLAG, identity TEXT, title TEXT, place"
          + " TEXT, owner TEXT, inside_jdk FLAG, library TEXT, library_version TEXT, fixed_in TEXT,"
          + " limits FLAG, count LONG, total_nanos LONG, longest_nanos LONG, threads FIGURE, unit"
          + " TEXT, amount FIGURE, goes_on_24 FLAG, stack TEXT, durations BUCKETS"),
  /** The time of the carriers, a row for each use. */
  ACCOUNT("use TEXT, nanos LONG, error_nanos LONG, at_least FLAG"),
  /** The agent's hang findings. */
  HANG(
      "fingerprint TEXT, identity TEXT, kind TEXT, deadlock FLAG, ongoing FLAG, certain FLAG,"
          + " at_nanos LONG, verdict TEXT"),
  /** Threads that stood still at the end. */
  STALL(
      "fingerprint TEXT, subject TEXT, method TEXT, threads LONG, longest_nanos LONG, stack TEXT"),
  /** The gaps of a recording. */
  GAP("kind TEXT, text TEXT"),
  /** The frames of stacks, innermost first. */
  STACK("stack TEXT, position LONG, frame TEXT"),
  FRAME("frame TEXT, class TEXT, method TEXT, descriptor TEXT, line LONG");

  /**
   * The columns of all tables but the dictionaries. A file's folder is given by {@link
   * #PARTITIONS}, which are not in the file.
   */
  private static final String COMMON =
      "recording TEXT, service_name TEXT, version TEXT, version_order TEXT, service TEXT, date"
          + " TEXT, ";

  /** The columns by whose values the files of a table lie in folders, the outer one first. */
  public static final List<String> PARTITIONS = List.of("service", "date");

  /** The type of a column. */
  public enum Type {
    TEXT("VARCHAR"),
    LONG("BIGINT"),
    FIGURE("DOUBLE"),
    FLAG("BOOLEAN"),
    /** A histogram of durations; docs/fleet.md says which durations a bucket has. */
    BUCKETS("STRUCT(bucket INTEGER, count BIGINT)[]");

    final String sql;

    Type(String sql) {
      this.sql = sql;
    }
  }

  /** A column. */
  public record Column(String name, Type type) {}

  private final String own;

  Table(String own) {
    this.own = own;
  }

  /** Returns whether its rows belong to no recording: what many recordings have is stored once. */
  public boolean isDictionary() {
    return this == STACK || this == FRAME;
  }

  /** Returns the name of the folder and the view. */
  public String view() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns its columns, in their order. */
  public List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    for (String column : (isDictionary() ? own : COMMON + own).split(", *", -1)) {
      String[] words = column.split(" ", -1);
      columns.add(new Column(words[0], Type.valueOf(words[1])));
    }
    return columns;
  }
}
