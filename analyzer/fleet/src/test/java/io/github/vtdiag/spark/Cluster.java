package io.github.vtdiag.spark;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.launcher.JavaModuleOptions;

/** A standalone cluster of Spark on this machine: a master and two workers, each a process. */
final class Cluster {
  private static final long PATIENCE_SECONDS = 1200;
  private static final Path JAR = Path.of("target", "vtdiag-fleet.jar").toAbsolutePath();

  /** A process, and the file that it writes to. */
  record Running(Process process, Path said) {
    String text() throws IOException {
      return Files.readString(said);
    }

    /** Waits until it has said something. */
    Matcher await(String pattern) throws Exception {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (System.nanoTime() < end) {
        boolean alive = process.isAlive();
        Matcher said = Pattern.compile(pattern, Pattern.DOTALL).matcher(text());
        if (said.find()) {
          return said;
        }
        if (!alive) {
          break;
        }
        Thread.sleep(20);
      }
      throw new IllegalStateException("never said " + pattern + ":\n" + text());
    }

    /** Its exit code, and what it said to the user. */
    Ended end() throws Exception {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        kill();
        throw new IllegalStateException("killed after all:\n" + text());
      }
      List<String> lines = text().lines().filter(line -> line.startsWith("vtdiag: ")).toList();
      return new Ended(process.exitValue(), lines, text());
    }

    /** Ends it at once, with all that it started. */
    void kill() throws InterruptedException {
      List<ProcessHandle> started = process.descendants().toList();
      process.destroyForcibly().waitFor();
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** What came of a job. */
  record Ended(int exitCode, List<String> lines, String text) {}

  private final Path folder;
  private final Path home;
  private final List<Running> running = new ArrayList<>();
  private final String master;
  private int jobs;

  Cluster(Path folder) throws Exception {
    this.folder = folder;
    this.home = home(folder.resolve("spark"));
    Running started =
        start("master", "-Xmx256m", "master.Master", "--host", "127.0.0.1", "--port", "0");
    this.master = started.await("Starting Spark master at (spark://127\\.0\\.0\\.1:\\d+)").group(1);
  }

  /** The folder by which Spark finds its jars. */
  private static Path home(Path home) throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    String all = Files.readString(Path.of("target", "spark.classpath"));
    for (String jar : all.strip().split(File.pathSeparator, -1)) {
      try {
        Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
      } catch (FileAlreadyExistsException e) {
        throw new IllegalStateException("two jars of one name: " + jar, e);
      }
    }
    return home;
  }

  Running worker(String name) throws Exception {
    Running worker =
        start(
            name,
            "-Xmx256m",
            "worker.Worker",
            "--host",
            "127.0.0.1",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--work-dir",
            folder.resolve(name).toString(),
            master);
    worker.await("Successfully registered with master");
    return worker;
  }

  /** Submits a job of the built jar. */
  Running submit(List<String> options, String... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("--master", master, "--conf", "spark.executor.memory=512m"));
    all.addAll(options);
    all.addAll(List.of("--class", "io.github.vtdiag.spark.FleetJob", JAR.toString()));
    all.addAll(List.of(arguments));
    return start("job-" + ++jobs, "-Xmx512m", "SparkSubmit", all.toArray(String[]::new));
  }

  /** An object store that speaks S3, with a bucket. */
  Running store(String bucket) throws Exception {
    Running store =
        start(
            "store",
            List.of(
                Jdk.JAVA_25.java().toString(),
                Forked.QUICK,
                "-Xmx256m",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("store")),
                "-jar",
                Path.of("target", "s3mock.jar").toAbsolutePath().toString(),
                "--server.port=0",
                "--com.adobe.testing.s3mock.httpPort=0"),
            Map.of("COM_ADOBE_TESTING_S3MOCK_STORE_INITIAL_BUCKETS", bucket));
    store.await("Started S3MockApplication");
    return store;
  }

  /** Starts a program of HDFS, which uses jars that Spark has, too. */
  Running hdfs(String name, Path configuration, String type, String... arguments)
      throws IOException {
    String classPath =
        String.join(
            File.pathSeparator,
            configuration.toString(),
            Path.of("target", "hdfs.jar").toAbsolutePath().toString(),
            home.resolve("jars") + "/*");
    return java(name, "-Xmx256m", classPath, "org.apache.hadoop.hdfs." + type, arguments);
  }

  private Running start(String name, String memory, String type, String... arguments)
      throws IOException {
    String classPath = home.resolve("jars") + "/*";
    return java(name, memory, classPath, "org.apache.spark.deploy." + type, arguments);
  }

  private Running java(
      String name, String memory, String classPath, String type, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Jdk.JAVA_25.java().toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of(memory, "-cp", classPath, type));
    command.addAll(Arrays.asList(arguments));
    return start(
        name,
        command,
        Map.of(
            "SPARK_HOME",
            home.toString(),
            // Spark's own script would find that out.
            "SPARK_SCALA_VERSION",
            "2.13",
            "SPARK_LOCAL_IP",
            "127.0.0.1",
            "SPARK_MASTER_WEBUI_PORT",
            "0",
            "SPARK_WORKER_WEBUI_PORT",
            "0",
            "AWS_ACCESS_KEY_ID",
            "nobody",
            "AWS_SECRET_ACCESS_KEY",
            "nothing"));
  }

  private Running start(String name, List<String> command, Map<String, String> environment)
      throws IOException {
    Path said = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().putAll(environment);
    Running started = new Running(builder.start(), said);
    running.add(started);
    return started;
  }

  /** Ends all its processes. */
  void end() throws InterruptedException {
    for (Running each : running) {
      each.kill();
    }
  }
}
