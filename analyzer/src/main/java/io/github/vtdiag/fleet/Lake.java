package io.github.vtdiag.fleet;

import io.github.vtdiag.fleet.LakeFiles.Batch;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.ServiceInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** The rows of many recordings, in a folder of Parquet files; DuckDB writes and queries it. */
public final class Lake {
  private final Path folder;
  private final LakeFiles files;
  private final Path cache;
  private final boolean offline;

  /**
   * @param folder where it is
   * @param cache where DuckDB is kept once it was downloaded
   * @param offline whether DuckDB has to be there already
   */
  public Lake(Path folder, Path cache, boolean offline) {
    this.folder = folder.toAbsolutePath().normalize();
    this.files = new LakeFiles(new FolderStore(folder));
    this.cache = cache;
    this.offline = offline;
  }

  /** The progress while recordings are added. */
  public interface Progress {
    /** Reports a recording that was read, or was there already. */
    void read(Path file, long bytes);

    /**
     * Reports a recording that could not be read, or not all of it; the reason is a sentence that
     * names it.
     */
    void warn(String reason);
  }

  private DuckDb duckDb() throws DataException {
    return DuckDb.open(DuckDb.JAR.file(cache, offline, DuckDb.PURPOSE));
  }

  /** Adds recordings that are not there yet. If it ends early, the complete batches stay. */
  public Added add(List<Path> recordings, ServiceInfo given, Progress progress)
      throws DataException {
    files.create();
    Closeable lock = files.lock();
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService readers =
        Executors.newFixedThreadPool(
            threads, task -> Thread.ofPlatform().name("vtdiag-fleet").daemon().unstarted(task));
    try (DuckDb duckDb = duckDb()) {
      files.sweep();
      return new Adding(new LakeWriter(files, folder, duckDb), keys(duckDb), given, progress)
          .all(recordings, readers, threads);
    } finally {
      readers.shutdownNow();
      files.release(lock);
    }
  }

  /** Returns the keys of all recordings of the lake. */
  private Set<String> keys(DuckDb duckDb) throws DataException {
    Set<String> keys = ConcurrentHashMap.newKeySet();
    String from = source(folder, paths(files.batches(), Table.RECORDING), Table.RECORDING);
    if (!from.isEmpty()) {
      duckDb
          .query("SELECT recording FROM " + from)
          .rows()
          .forEach(row -> keys.add(row.getFirst().toString()));
    }
    return keys;
  }

  private static List<String> paths(List<Batch> batches, Table table) {
    return batches.stream().flatMap(batch -> batch.files(table).stream()).toList();
  }

  private static final class Adding {
    private final LakeWriter writer;
    private final Set<String> known;
    private final ServiceInfo given;
    private final Progress progress;
    private int added;
    private int failed;
    private int repeated;

    Adding(LakeWriter writer, Set<String> known, ServiceInfo given, Progress progress) {
      this.writer = writer;
      this.known = known;
      this.given = given;
      this.progress = progress;
    }

    /** A file that is being read, and its future rows. */
    private record Reading(Path file, Future<Rows> rows) {}

    Added all(List<Path> recordings, ExecutorService readers, int threads) throws DataException {
      Deque<Reading> readings = new ArrayDeque<>();
      for (Path file : recordings) {
        readings.add(
            new Reading(
                file,
                readers.submit(
                    () ->
                        Rows.toAdd(
                            () -> Files.newInputStream(file), file.toString(), given, known))));
        if (readings.size() > 2 * threads) {
          take(readings.remove());
        }
      }
      while (!readings.isEmpty()) {
        take(readings.remove());
      }
      writer.flush();
      writer.compact();
      return new Added(added, failed, repeated);
    }

    private void take(Reading reading) throws DataException {
      try {
        Rows rows = reading.rows().get();
        progress.read(
            reading.file(), Files.isReadable(reading.file()) ? Files.size(reading.file()) : 0);
        if (!rows.key().isEmpty() && !known.add(rows.key())) {
          repeated++;
          return;
        }
        if (!rows.failure().isEmpty()) {
          failed++;
          progress.warn(rows.failure());
        } else {
          added++;
          if (!rows.problems().isEmpty()) {
            progress.warn(rows.problems());
          }
        }
        if (!rows.key().isEmpty()) {
          writer.add(rows);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DataException("interrupted; add the rest by the same command", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(reading.file() + " was not read", e.getCause());
      } catch (IOException e) {
        throw new DataException(reading.file() + ": cannot be read: " + e.getMessage(), e);
      }
    }
  }

  /** Queries of the lake, whose tables are views. */
  public interface Queries<T> {
    T run(LakeEngine engine) throws DataException;
  }

  /** Runs queries, which can read only the lake, and write nothing. */
  public <T> T ask(Queries<T> queries) throws DataException {
    files.check();
    List<Batch> batches = files.batches();
    try (DuckDb duckDb = duckDb()) {
      for (Table table : Table.values()) {
        String from = source(folder, paths(batches, table), table);
        String rows = from.isEmpty() ? empty(table) : from;
        duckDb.execute(
            "CREATE VIEW %s AS SELECT %s FROM %s"
                .formatted(
                    table.view(),
                    table.isDictionary()
                        ? "DISTINCT *"
                        : "service_name AS service, * EXCLUDE (service_name, service)",
                    rows));
      }
      duckDb.execute("SET allowed_directories = [%s]".formatted(DuckDb.quoted(folder.toString())));
      duckDb.execute("SET enable_external_access = false");
      duckDb.execute("SET lock_configuration = true");
      return queries.run(duckDb);
    }
  }

  private static String empty(Table table) {
    String columns =
        table.columns().stream()
            .map(column -> "NULL::%s AS %s".formatted(column.type().sql, column.name()))
            .collect(Collectors.joining(", "));
    return "(SELECT %s WHERE false)".formatted(columns);
  }

  /** Returns files of a table as SQL reads them; empty if there are none. */
  static String source(Path folder, List<String> files, Table table) {
    String all =
        files.stream()
            .map(file -> DuckDb.quoted(folder.resolve(file).toString()))
            .collect(Collectors.joining(", "));
    return all.isEmpty()
        ? ""
        : "read_parquet([%s], hive_partitioning = %s, hive_types_autocast = false, union_by_name = true)"
            .formatted(all, !table.isDictionary());
  }

  /** Returns the number of files of its tables, and of recordings. */
  public String size() throws DataException {
    return files.size();
  }
}
