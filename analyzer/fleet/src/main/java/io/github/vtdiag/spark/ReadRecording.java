package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.fleet.Table;
import io.github.vtdiag.model.ServiceInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
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
final class ReadRecording implements Function<RecordingFile, Row> {
  static final String NUMBER = "number";
  static final String KEY = "key";
  static final String FAILURE = "failure";
  static final String PROBLEMS = "problems";

  private final Broadcast<SerializableConfiguration> configuration;
  private final HashMap<String, String> given;

  ReadRecording(Broadcast<SerializableConfiguration> configuration, ServiceInfo given) {
    this.configuration = configuration;
    this.given = new HashMap<>(given.values());
  }

  static StructType schema() {
    StructType schema =
        new StructType()
            .add(NUMBER, DataTypes.LongType)
            .add(KEY, DataTypes.StringType)
            .add(FAILURE, DataTypes.StringType)
            .add(PROBLEMS, DataTypes.StringType);
    for (Table table : Table.values()) {
      schema = schema.add(table.view(), DataTypes.createArrayType(SparkTable.schema(table)));
    }
    return schema;
  }

  @Override
  public Row call(RecordingFile file) {
    Configuration hadoop = configuration.value().value();
    Rows rows =
        Rows.toAdd(() -> file.open(hadoop), file.name(), ServiceInfo.of(given::get), Set.of());
    List<Object> values =
        new ArrayList<>(List.of(file.number(), rows.key(), rows.failure(), rows.problems()));
    Map<Table, List<io.github.vtdiag.fleet.Row>> tables = rows.tables();
    for (Table table : Table.values()) {
      values.add(SparkTable.rows(table, tables.getOrDefault(table, List.of())).toArray());
    }
    return RowFactory.create(values.toArray());
  }
}
