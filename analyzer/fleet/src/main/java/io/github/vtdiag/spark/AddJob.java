package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.Added;
import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.fleet.options.ServiceOptions;
import io.github.vtdiag.model.DataException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds recordings. */
@Command(
    name = "add",
    description =
        "Adds recordings to a lake. One that is in it already changes nothing. One that cannot be"
            + " read is noted, and the rest is added.")
final class AddJob extends LakeJob {
  @Mixin private ServiceOptions service;

  @Parameters(
      paramLabel = "PATH",
      arity = "2..*",
      description =
          "Folders of recordings (.jfr, .jfr.gz), with those below them, or recordings; then the"
              + " lake, which is created if it does not exist.")
  private List<String> names = List.of();

  @Option(
      names = "--batch",
      paramLabel = "COUNT",
      description =
          "The recordings that are in the lake together or not at all, and so the most that are"
              + " read again if the job dies (default: ${DEFAULT-VALUE}).")
  private int batch = 10_000;

  @Override
  void check() {
    service
        .refusal()
        .ifPresent(
            refusal -> {
              throw wrong(refusal);
            });
    if (batch < 1) {
      throw wrong("--batch wants a number of recordings from 1 on");
    }
  }

  @Override
  int run(SparkSession spark) throws DataException, IOException {
    Path to = path(spark, names.getLast());
    List<String> folders = names.subList(0, names.size() - 1);
    List<RecordingFile> recordings = new ArrayList<>();
    for (String name : folders) {
      find(path(spark, name), to, configuration(spark), recordings);
    }
    if (recordings.isEmpty()) {
      throw new DataException(
          "no recordings (*.jfr, *.jfr.gz) in "
              + String.join(", ", folders)
              + "; name files or another folder");
    }
    SparkLake lake = new SparkLake(spark, to);
    Added added = lake.add(recordings, service.given(), batch, FleetJob::say);
    FleetJob.say("%s; the lake has %s".formatted(added, lake.contents()));
    return added.failed() > 0 ? FleetJob.BAD_INPUT : FleetJob.OK;
  }

  /** Finds the recordings at a path, in the order of their names. */
  private static void find(
      Path path, Path lake, Configuration configuration, List<RecordingFile> recordings)
      throws DataException, IOException {
    FileSystem files = path.getFileSystem(configuration);
    Map<String, FileStatus> found = new TreeMap<>();
    try {
      FileStatus top = files.getFileStatus(path);
      if (!top.isDirectory()) {
        if (!isRegular(path, files)) {
          throw new DataException(name(path, files) + ": is no regular file; name a file");
        }
        found.put(name(path, files), top);
      } else {
        RemoteIterator<LocatedFileStatus> all = files.listFiles(path, true);
        while (all.hasNext()) {
          FileStatus file = all.next();
          if (Rows.areIn(file.getPath().getName())
              && isRegular(file.getPath(), files)
              && !file.getPath().toString().startsWith(lake + "/")) {
            found.put(name(file.getPath(), files), file);
          }
        }
      }
    } catch (FileNotFoundException e) {
      throw new DataException(name(path, files) + ": no such file or folder", e);
    }
    found.forEach(
        (name, file) ->
            recordings.add(
                new RecordingFile(
                    recordings.size(), file.getPath().toUri().toString(), name, file.getLen())));
  }

  /** Returns false for a pipe or a device, from which an executor would read for ever. */
  private static boolean isRegular(Path path, FileSystem files) {
    return !(files instanceof LocalFileSystem)
        || Files.isRegularFile(java.nio.file.Path.of(path.toUri().getPath()));
  }

  /** Returns the name that the command line gives it, if it is a file of every machine. */
  private static String name(Path path, FileSystem files) {
    return files instanceof LocalFileSystem ? path.toUri().getPath() : path.toString();
  }
}
