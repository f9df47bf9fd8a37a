package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.fleet.Table;
import io.github.vtdiag.model.ServiceInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The work of an executor: it opens a recording where it lies, and makes its rows. One recording is
 * one row here, whose columns have those of each table.
 */
final class ReadRecording implements Function<ReadRecording.Input, Row> {
  static final String NUMBER = "number";
  static final String KEY = "key";
  static final String FAILURE = "failure";

  /**
   * A recording to read.
   *
   * @param number its place among those that are added
   * @param path where it is, as a URI
   * @param name as rows and messages name it
   */
  record Input(long number, String path, String name, long bytes) implements Serializable {}

  private final Broadcast<SerializableConfiguration> configuration;
  private final Broadcast<Set<String>> known;
  private final HashMap<String, String> given;

  ReadRecording(
      Broadcast<SerializableConfiguration> configuration,
      Broadcast<Set<String>> known,
      ServiceInfo given) {
    this.configuration = configuration;
    this.known = known;
    this.given = new HashMap<>(given.values());
  }

  static StructType schema() {
    StructType schema =
        new StructType()
            .add(NUMBER, DataTypes.LongType)
            .add(KEY, DataTypes.StringType)
            .add(FAILURE, DataTypes.StringType);
    for (Table table : Table.values()) {
      schema = schema.add(table.view(), DataTypes.createArrayType(SparkTable.schema(table)));
    }
    return schema;
  }

  private static InputStream open(Path path, Configuration hadoop) throws IOException {
    FileSystem files = path.getFileSystem(hadoop);
    try {
      // The raw file system has no checksums. The other one looks for a file beside it, and fails
      // if a name has a colon.
      return (files instanceof LocalFileSystem local ? local.getRawFileSystem() : files).open(path);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public Row call(Input input) {
    Configuration hadoop = configuration.value().value();
    Rows rows =
        Rows.toAdd(
            () -> open(new Path(URI.create(input.path())), hadoop),
            input.name(),
            ServiceInfo.of(given::get),
            known.value());
    List<Object> values = new ArrayList<>(List.of(input.number(), rows.key(), rows.failure()));
    Map<Table, List<io.github.vtdiag.fleet.Row>> tables = rows.tables();
    for (Table table : Table.values()) {
      values.add(SparkTable.rows(table, tables.getOrDefault(table, List.of())).toArray());
    }
    return RowFactory.create(values.toArray());
  }
}
