package io.github.vtdiag.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.size;

import io.github.vtdiag.analysis.Durations;
import io.github.vtdiag.fleet.Added;
import io.github.vtdiag.fleet.LakeEngine;
import io.github.vtdiag.fleet.LakeFiles;
import io.github.vtdiag.fleet.LakeFiles.Batch;
import io.github.vtdiag.fleet.LakeFiles.Merge;
import io.github.vtdiag.fleet.Table;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.ServiceInfo;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.SerializableConfiguration;

/** A lake that Spark writes and queries. Its files are those that {@code vtdiag fleet} has, too. */
final class SparkLake {
  /** The bytes of recordings in a task, where there are more tasks than processors. */
  private static final long TASK_BYTES = 64L << 20;

  private static final int TASKS_A_PROCESSOR = 4;

  /** Spark's setting of how many tasks each step of a query has at most, which is 200. */
  private static final String SHUFFLE = "spark.sql.shuffle.partitions";

  private static final int LEAST_SHUFFLE = 16;

  private final SparkSession spark;
  private final JavaSparkContext context;
  private final Configuration configuration;
  private final Path lake;
  private final LakeFiles files;

  SparkLake(SparkSession spark, Path lake) throws IOException {
    this.spark = tuned(spark);
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.configuration = context.hadoopConfiguration();
    this.lake = lake;
    this.files = new LakeFiles(HadoopStore.of(lake, configuration));
  }

  /**
   * Returns a session whose queries have fewer tasks, unless the user has set their number: a lake
   * is small beside its recordings, and a task costs more than its rows.
   */
  private static SparkSession tuned(SparkSession session) {
    if (!session.sparkContext().getConf().contains(SHUFFLE)) {
      int tasks = Math.max(LEAST_SHUFFLE, session.sparkContext().defaultParallelism());
      session.conf().set(SHUFFLE, tasks);
    }
    return session;
  }

  /** Work on the lake that must be exclusive. */
  private interface Exclusive<T> {
    T run() throws DataException;
  }

  private <T> T alone(Exclusive<T> work) throws DataException {
    Closeable lock = files.lock();
    try {
      files.sweep();
      return work.run();
    } finally {
      files.release(lock);
    }
  }

  /**
   * Adds recordings that are not there yet.
   *
   * @param batch the number of recordings that are in the lake together or not at all
   * @param warnings is told what could not be read as a whole, and why
   */
  Added add(List<RecordingFile> recordings, ServiceInfo given, int batch, Consumer<String> warnings)
      throws DataException {
    files.create();
    return alone(
        () -> {
          Set<String> known = keys();
          Added added = new Added(0, 0, 0);
          for (int i = 0; i < recordings.size(); i += batch) {
            List<RecordingFile> some =
                recordings.subList(i, Math.min(recordings.size(), i + batch));
            added = added.plus(addBatch(some, given, known, warnings));
          }
          Optional<Merge> merge = files.neededMerge();
          if (merge.isPresent()) {
            compact(merge.get());
          }
          return added;
        });
  }

  /** Returns the keys of all recordings of the lake. */
  private Set<String> keys() throws DataException {
    Set<String> keys = new HashSet<>();
    List<String> paths = paths(files.batches(), Table.RECORDING);
    rows(spark, Table.RECORDING, paths)
        .select("recording")
        .toLocalIterator()
        .forEachRemaining(row -> keys.add(row.getString(0)));
    return keys;
  }

  private static List<String> paths(List<Batch> batches, Table table) {
    return batches.stream().flatMap(batch -> batch.files(table).stream()).toList();
  }

  /** Merges all batches into one. */
  void compact() throws DataException {
    files.check();
    alone(
        () -> {
          List<Batch> all = files.batches();
          if (all.size() > 1) {
            compact(new Merge(all));
          }
          return all;
        });
  }

  String contents() throws DataException {
    return files.size();
  }

  private Added addBatch(
      List<RecordingFile> recordings,
      ServiceInfo given,
      Set<String> known,
      Consumer<String> warnings)
      throws DataException {
    Broadcast<SerializableConfiguration> hadoop =
        context.broadcast(new SerializableConfiguration(configuration));
    try {
      List<RecordingFile> unknown = unknown(recordings, known, hadoop);
      Added here = new Added(0, 0, recordings.size() - unknown.size());
      return unknown.isEmpty() ? here : here.plus(read(unknown, given, known, warnings, hadoop));
    } finally {
      hadoop.destroy();
    }
  }

  /** Returns the recordings that the lake does not have. */
  private List<RecordingFile> unknown(
      List<RecordingFile> recordings,
      Set<String> known,
      Broadcast<SerializableConfiguration> hadoop) {
    if (known.isEmpty()) {
      return recordings;
    }
    List<String> keys = distributed(recordings).map(new RecordingKey(hadoop)).collect();
    return IntStream.range(0, recordings.size())
        .filter(i -> !known.contains(keys.get(i)))
        .mapToObj(recordings::get)
        .toList();
  }

  private JavaRDD<RecordingFile> distributed(List<RecordingFile> recordings) {
    return context.parallelize(new ArrayList<>(recordings), tasks(recordings));
  }

  private Added read(
      List<RecordingFile> recordings,
      ServiceInfo given,
      Set<String> known,
      Consumer<String> warnings,
      Broadcast<SerializableConfiguration> hadoop)
      throws DataException {
    Dataset<Row> read =
        spark
            .createDataFrame(
                distributed(recordings).map(new ReadRecording(hadoop, given)),
                ReadRecording.schema())
            .persist(StorageLevel.MEMORY_AND_DISK());
    try {
      return keep(read, known, warnings);
    } finally {
      read.unpersist();
    }
  }

  private int tasks(List<RecordingFile> recordings) {
    long bytes = recordings.stream().mapToLong(RecordingFile::bytes).sum();
    long tasks =
        Math.max((long) TASKS_A_PROCESSOR * context.defaultParallelism(), bytes / TASK_BYTES);
    return (int) Math.min(recordings.size(), tasks);
  }

  /** Writes the rows of new recordings. */
  private Added keep(Dataset<Row> read, Set<String> known, Consumer<String> warnings)
      throws DataException {
    int added = 0;
    List<Object> repeated = new ArrayList<>();
    int failures = 0;
    List<Column> summary =
        new ArrayList<>(
            List.of(
                col(ReadRecording.NUMBER),
                col(ReadRecording.KEY),
                col(ReadRecording.FAILURE),
                col(ReadRecording.PROBLEMS)));
    for (Table table : Table.values()) {
      summary.add(size(col(table.view())).as(table.view()));
    }
    List<Row> summaries =
        read.select(summary.toArray(Column[]::new)).collectAsList().stream()
            .sorted(Comparator.comparingLong(row -> row.getLong(0)))
            .toList();
    Set<Table> tables = EnumSet.noneOf(Table.class);
    for (Row row : summaries) {
      String key = row.getString(1);
      if (!key.isEmpty() && !known.add(key)) {
        repeated.add(row.getLong(0));
        continue;
      }
      if (!row.getString(2).isEmpty()) {
        failures++;
        warnings.accept(row.getString(2));
      } else if (!row.getString(3).isEmpty()) {
        warnings.accept(row.getString(3));
      }
      if (!key.isEmpty()) {
        added++;
      }
      for (Table table : Table.values()) {
        if (row.<Integer>getAs(table.view()) > 0) {
          tables.add(table);
        }
      }
    }
    if (added > 0) {
      write(read.filter(not(col(ReadRecording.NUMBER).isin(repeated.toArray()))), tables, added);
    }
    return new Added(summaries.size() - repeated.size() - failures, failures, repeated.size());
  }

  private void write(Dataset<Row> recordings, Set<Table> tables, int count) throws DataException {
    String id = files.nextBatch();
    for (Table table : tables) {
      write(table, recordings.select(explode(col(table.view())).as("row")).select("row.*"), id);
    }
    // If an executor was lost, its recordings were read again, so they must still be there.
    long written =
        spark.read().parquet(at(files.scratch(id) + "/" + Table.RECORDING.view())).count();
    if (written != count) {
      throw new DataException(
          files.name()
              + ": recordings changed while they were read, and their batch is left out; add them"
              + " again");
    }
    files.commit(id, count);
  }

  private void write(Table table, Dataset<Row> rows, String id) {
    Column[] partitions = Table.PARTITIONS.stream().map(name -> col(name)).toArray(Column[]::new);
    DataFrameWriter<Row> writer =
        table.isDictionary()
            ? rows.distinct().write()
            : rows.repartition(partitions)
                .write()
                .partitionBy(Table.PARTITIONS.toArray(String[]::new));
    writer.option("compression", "zstd").parquet(at(files.scratch(id) + "/" + table.view()));
  }

  private Dataset<Row> rows(SparkSession session, Table table, List<String> paths) {
    return paths.isEmpty()
        ? session.createDataFrame(List.of(), SparkTable.schema(table))
        : session
            .read()
            .schema(SparkTable.schema(table))
            .option("basePath", at(table.view()))
            .parquet(paths.stream().map(this::at).toArray(String[]::new));
  }

  private String at(String path) {
    return new Path(lake, path).toString();
  }

  private void compact(Merge merge) throws DataException {
    String id = files.nextBatch();
    for (Table table : Table.values()) {
      List<String> scattered = merge.scattered(table);
      if (!scattered.isEmpty()) {
        write(table, rows(spark, table, scattered), id);
      }
    }
    files.commit(id, merge);
  }

  /** Returns the rows of a query, whose tables are those of {@code vtdiag fleet sql}. */
  Dataset<Row> ask(String query) throws DataException {
    return views(rows -> rows).rows("SELECT * FROM (" + query + "\n)");
  }

  /**
   * Returns the engine of the questions of a fleet. In their tables whole numbers are wider: the
   * times of many recordings together are more nanoseconds than a long has, which DuckDB's sums can
   * have.
   */
  LakeEngine engine() throws DataException {
    return views(SparkTable::widened);
  }

  private SparkEngine views(UnaryOperator<Dataset<Row>> columns) throws DataException {
    files.check();
    List<Batch> batches = files.batches();
    SparkSession session = tuned(spark.newSession());
    for (Table table : Table.values()) {
      Dataset<Row> rows = columns.apply(rows(session, table, paths(batches, table)));
      (table.isDictionary()
              ? rows.distinct()
              : rows.drop("service").withColumnRenamed("service_name", "service"))
          .createOrReplaceTempView(table.view());
    }
    session
        .udf()
        .register(
            "bucket_nanos",
            (UDF1<Integer, Long>) bucket -> bucket == null ? null : Durations.middle(bucket),
            DataTypes.LongType);
    return new SparkEngine(session);
  }
}
