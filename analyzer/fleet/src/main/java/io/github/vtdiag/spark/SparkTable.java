package io.github.vtdiag.spark;

import static org.apache.spark.sql.functions.col;

import io.github.vtdiag.analysis.Durations;
import io.github.vtdiag.fleet.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The tables of a lake, in Spark's types. */
final class SparkTable {
  private static final DataType BUCKETS =
      DataTypes.createArrayType(
          new StructType().add("bucket", DataTypes.IntegerType).add("count", DataTypes.LongType));

  private SparkTable() {}

  static StructType schema(Table table) {
    StructType schema = new StructType();
    for (Table.Column column : table.columns()) {
      schema = schema.add(column.name(), type(column));
    }
    return schema;
  }

  private static DataType type(Table.Column column) {
    return switch (column.type()) {
      case TEXT -> DataTypes.StringType;
      case LONG -> DataTypes.LongType;
      case FIGURE -> DataTypes.DoubleType;
      case FLAG -> DataTypes.BooleanType;
      case BUCKETS -> BUCKETS;
    };
  }

  /** Returns rows with whole numbers of 20 digits, whose sums have 30. */
  static Dataset<Row> widened(Dataset<Row> rows) {
    Column[] columns =
        Arrays.stream(rows.schema().fields())
            .map(
                field ->
                    field.dataType().equals(DataTypes.LongType)
                        ? col(field.name())
                            .cast(DataTypes.createDecimalType(20, 0))
                            .as(field.name())
                        : col(field.name()))
            .toArray(Column[]::new);
    return rows.select(columns);
  }

  /** Returns the rows of a table, each with a value for each column. */
  static List<Row> rows(Table table, List<io.github.vtdiag.fleet.Row> rows) {
    List<Table.Column> columns = table.columns();
    return rows.stream()
        .map(
            row -> {
              Map<String, Object> values = row.values();
              return RowFactory.create(
                  columns.stream()
                      .map(column -> value(column, values.get(column.name())))
                      .toArray());
            })
        .toList();
  }

  private static Object value(Table.Column column, Object value) {
    if (value == null) {
      return null;
    }
    return switch (column.type()) {
      case TEXT, FLAG -> value;
      case LONG -> ((Number) value).longValue();
      case FIGURE -> ((Number) value).doubleValue();
      case BUCKETS ->
          ((Durations) value)
              .buckets().stream()
                  .map(bucket -> RowFactory.create(bucket.number(), bucket.count()))
                  .toArray();
    };
  }
}
