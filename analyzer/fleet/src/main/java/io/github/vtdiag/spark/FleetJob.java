package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.Added;
import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.ServiceInfo;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.SparkSession;

/** The main class for {@code spark-submit}. */
public final class FleetJob {
  private static final String USAGE =
      """
      usage: spark-submit --class io.github.vtdiag.spark.FleetJob vtdiag-fleet.jar COMMAND
        add [--service S] [--version V] [--environment E] [--namespace N] [--batch COUNT] PATH... LAKE
        compact LAKE
        sql LAKE QUERY\
      """;

  private static final int OK = 0;
  private static final int WRONG_USAGE = 2;
  private static final int BAD_INPUT = 3;

  /** The number of recordings in a batch, and so the most that are read again if the job dies. */
  private static final String BATCH = "10000";

  private static final Set<String> OPTIONS =
      Set.of("service", "version", "environment", "namespace", "batch");

  private FleetJob() {}

  public static void main(String[] arguments) {
    int code = run(List.of(arguments));
    if (code != OK) {
      System.exit(code);
    }
  }

  private static int run(List<String> arguments) {
    Map<String, String> options = new HashMap<>(Map.of("batch", BATCH));
    List<String> names = new ArrayList<>();
    Iterator<String> each = arguments.iterator();
    while (each.hasNext()) {
      String word = each.next();
      if (!word.startsWith("--")) {
        names.add(word);
      } else if (OPTIONS.contains(word.substring(2)) && each.hasNext()) {
        options.put(word.substring(2), each.next());
      } else {
        return refuse("unknown option " + word + "\n" + USAGE);
      }
    }
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (option.getValue().length() > ServiceInfo.LONGEST) {
        return refuse(
            "the %s has more than %d characters".formatted(option.getKey(), ServiceInfo.LONGEST));
      }
    }
    if (!options.get("batch").matches("[1-9]\\d{0,6}")) {
      return refuse("--batch wants a number of recordings from 1 on");
    }
    String command = names.isEmpty() ? "" : names.removeFirst();
    boolean complete =
        switch (command) {
          case "add" -> names.size() > 1;
          case "compact" -> names.size() == 1;
          case "sql" -> names.size() == 2;
          default -> false;
        };
    if (!complete) {
      return refuse(USAGE);
    }
    try (SparkSession spark = SparkSession.builder().appName("vtdiag fleet").getOrCreate()) {
      return switch (command) {
        case "add" -> add(spark, names, options);
        case "compact" -> compact(lake(spark, names.getFirst()));
        default -> ask(lake(spark, names.getFirst()), names.getLast());
      };
    } catch (DataException e) {
      say(e.getMessage());
      return BAD_INPUT;
    } catch (IOException e) {
      say(e.toString());
      return BAD_INPUT;
    }
  }

  private static int refuse(String why) {
    System.err.println("vtdiag: " + why);
    return WRONG_USAGE;
  }

  private static void say(String text) {
    System.err.println("vtdiag: " + Printable.text(text));
  }

  private static SparkLake lake(SparkSession spark, String name) throws IOException {
    return new SparkLake(spark, qualified(name, spark.sparkContext().hadoopConfiguration()));
  }

  private static Path qualified(String name, Configuration configuration) throws IOException {
    Path path = new Path(name);
    return path.getFileSystem(configuration).makeQualified(path);
  }

  private static int add(SparkSession spark, List<String> names, Map<String, String> options)
      throws DataException, IOException {
    Configuration configuration = spark.sparkContext().hadoopConfiguration();
    Path to = qualified(names.removeLast(), configuration);
    List<ReadRecording.Input> recordings = new ArrayList<>();
    for (String name : names) {
      find(qualified(name, configuration), to, configuration, recordings);
    }
    if (recordings.isEmpty()) {
      throw new DataException(
          "no recordings (*.jfr, *.jfr.gz) in "
              + String.join(", ", names)
              + "; name files or another folder");
    }
    SparkLake lake = new SparkLake(spark, to);
    Added added =
        lake.add(
            recordings,
            ServiceInfo.of(name -> options.getOrDefault(name, "")),
            Integer.parseInt(options.get("batch")),
            FleetJob::say);
    say("%s; the lake has %s".formatted(added, lake.contents()));
    return added.failed() > 0 ? BAD_INPUT : OK;
  }

  /** Finds the recordings at a path, in the order of their names. */
  private static void find(
      Path path, Path lake, Configuration configuration, List<ReadRecording.Input> recordings)
      throws DataException, IOException {
    FileSystem files = path.getFileSystem(configuration);
    Map<String, FileStatus> found = new TreeMap<>();
    try {
      FileStatus top = files.getFileStatus(path);
      if (!top.isDirectory()) {
        found.put(name(path, files), top);
      } else {
        RemoteIterator<LocatedFileStatus> all = files.listFiles(path, true);
        while (all.hasNext()) {
          FileStatus file = all.next();
          if (Rows.areIn(file.getPath().getName())
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
                new ReadRecording.Input(
                    recordings.size(), file.getPath().toUri().toString(), name, file.getLen())));
  }

  /** Returns the name that the command line gives it, if it is a file of every machine. */
  private static String name(Path path, FileSystem files) {
    return files instanceof LocalFileSystem ? path.toUri().getPath() : path.toString();
  }

  private static int compact(SparkLake lake) throws DataException {
    lake.compact();
    say("the lake has " + lake.contents());
    return OK;
  }

  /** Prints a line of JSON for each row. */
  private static int ask(SparkLake lake, String query) throws DataException {
    lake.ask(query).toJSON().toLocalIterator().forEachRemaining(System.out::println);
    return OK;
  }
}
