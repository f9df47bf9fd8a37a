package io.github.vtdiag.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.github.vtdiag.analysis.Durations;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes rows into a lake, in batches. DuckDB reads a batch's rows as JSON lines and writes them as
 * Parquet, a file for each table, service and day.
 */
final class LakeWriter {
  /**
   * The number of recordings in a batch, and so the most that are read again if the process dies.
   */
  static final int BATCH = 500;

  private static final JsonFactory JSON = new JsonFactory();

  private final LakeFiles files;
  private final Path folder;
  private final DuckDb duckDb;
  private final Map<Table, JsonGenerator> staged = new EnumMap<>(Table.class);
  private final Set<Object> dictionary = new HashSet<>();
  private int recordings;
  private String batch = "";

  LakeWriter(LakeFiles files, Path folder, DuckDb duckDb) {
    this.files = files;
    this.folder = folder;
    this.duckDb = duckDb;
  }

  void add(Rows rows) throws DataException {
    try {
      if (batch.isEmpty()) {
        batch = files.nextBatch();
        Files.createDirectories(scratch(batch));
      }
      for (Map.Entry<Table, List<Row>> table : rows.tables().entrySet()) {
        for (Row row : table.getValue()) {
          if (!table.getKey().isDictionary() || dictionary.add(key(row))) {
            write(table.getKey(), row);
          }
        }
      }
      recordings++;
    } catch (IOException e) {
      throw files.cannot("be written", e);
    }
    if (recordings >= BATCH) {
      flush();
    }
  }

  private static Object key(Row row) {
    return List.of(
        row.values().getOrDefault("stack", ""),
        row.values().getOrDefault("position", ""),
        row.values().get("frame"));
  }

  private void write(Table table, Row row) throws IOException {
    JsonGenerator json = staged.get(table);
    if (json == null) {
      json = JSON.createGenerator(Files.newBufferedWriter(staging(table)));
      json.setRootValueSeparator(new SerializedString("\n"));
      staged.put(table, json);
    }
    json.writeStartObject();
    for (Map.Entry<String, Object> value : row.values().entrySet()) {
      json.writeFieldName(value.getKey());
      switch (value.getValue()) {
        case String text -> json.writeString(text);
        case Long number -> json.writeNumber(number);
        case Integer number -> json.writeNumber(number);
        case Double number -> json.writeNumber(number);
        case Boolean flag -> json.writeBoolean(flag);
        case Durations durations -> write(json, durations);
        default -> throw new IllegalArgumentException(value.getKey() + " is " + value.getValue());
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Durations durations) throws IOException {
    json.writeStartArray();
    for (Durations.Bucket bucket : durations.buckets()) {
      json.writeStartObject();
      json.writeNumberField("bucket", bucket.number());
      json.writeNumberField("count", bucket.count());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private Path scratch(String id) {
    return folder.resolve(files.scratch(id));
  }

  private Path staging(Table table) {
    return scratch(batch).resolve(table.view() + ".json");
  }

  /** Makes what was added so far part of the lake. */
  void flush() throws DataException {
    if (batch.isEmpty()) {
      return;
    }
    try {
      for (Map.Entry<Table, JsonGenerator> table : staged.entrySet()) {
        table.getValue().close();
        copy(table.getKey(), staged(table.getKey()), batch);
      }
      files.commit(batch, recordings);
    } catch (IOException e) {
      throw files.cannot("be written", e);
    } catch (DataException e) {
      throw new DataException(files.name() + ": the lake cannot be written: " + e.getMessage(), e);
    } finally {
      staged.clear();
      dictionary.clear();
      recordings = 0;
      batch = "";
    }
  }

  private String staged(Table table) {
    String columns =
        table.columns().stream()
            .map(column -> column.name() + ": " + DuckDb.quoted(column.type().sql))
            .collect(Collectors.joining(", "));
    return "read_json("
        + DuckDb.quoted(staging(table).toString())
        + ", format = 'newline_delimited', maximum_object_size = 67108864, columns = {"
        + columns
        + "})";
  }

  private void copy(Table table, String from, String id) throws DataException, IOException {
    Path to = scratch(id).resolve(table.view());
    String names = table.columns().stream().map(LakeWriter::name).collect(Collectors.joining(", "));
    if (table.isDictionary()) {
      Files.createDirectories(to);
      duckDb.execute(
          "COPY (SELECT DISTINCT %s FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd)"
              .formatted(names, from, DuckDb.quoted(to.resolve(id + ".parquet").toString())));
    } else {
      duckDb.execute(
          ("COPY (SELECT %s FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd,"
                  + " PARTITION_BY (%s), FILENAME_PATTERN %s)")
              .formatted(
                  names,
                  from,
                  DuckDb.quoted(to.toString()),
                  String.join(", ", Table.PARTITIONS),
                  DuckDb.quoted(id + "-{i}")));
    }
  }

  private static String name(Table.Column column) {
    return '"' + column.name() + '"';
  }

  /** Merges all batches if there are many: a query opens each file of each. */
  void compact() throws DataException {
    Optional<LakeFiles.Merge> needed = files.neededMerge();
    if (needed.isEmpty()) {
      return;
    }
    LakeFiles.Merge merge = needed.get();
    String id = files.nextBatch();
    try {
      Files.createDirectories(scratch(id));
      for (Table table : Table.values()) {
        String from = Lake.source(folder, merge.scattered(table), table);
        if (!from.isEmpty()) {
          copy(table, from, id);
        }
      }
      files.commit(id, merge);
    } catch (IOException e) {
      throw files.cannot("be compacted", e);
    }
  }
}
