package io.github.vtdiag.spark;

import io.github.vtdiag.spark.Cluster.Running;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * HDFS on this machine: a NameNode and a DataNode, each a process.
 *
 * @param address its root, without a slash at the end
 */
record Hdfs(String address, FileSystem files) {
  private static final long PATIENCE_SECONDS = 600;
  private static final String HERE = "127.0.0.1";

  static Hdfs start(Cluster cluster, java.nio.file.Path folder) throws Exception {
    String address = "hdfs://%s:%d".formatted(HERE, freePort());
    Configuration site = new Configuration(false);
    Map.of(
            "fs.defaultFS",
            address,
            "dfs.namenode.name.dir",
            folder.resolve("names").toUri().toString(),
            "dfs.datanode.data.dir",
            folder.resolve("data").toUri().toString(),
            "dfs.namenode.http-address",
            HERE + ":0",
            "dfs.datanode.address",
            HERE + ":0",
            "dfs.datanode.ipc.address",
            HERE + ":0",
            "dfs.datanode.http.address",
            HERE + ":0",
            "dfs.replication",
            "1")
        .forEach(site::set);
    Files.createDirectories(folder);
    try (OutputStream out = Files.newOutputStream(folder.resolve("hdfs-site.xml"))) {
      site.writeXml(out);
    }
    String names = "server.namenode.NameNode";
    Running formatted = cluster.hdfs("format", folder, names, "-format", "-nonInteractive");
    if (formatted.end().exitCode() != 0) {
      throw new IllegalStateException(formatted.text());
    }
    Running nameNode = cluster.hdfs("names", folder, names);
    Running dataNode = cluster.hdfs("data", folder, "server.datanode.DataNode");
    FileSystem files = FileSystem.newInstance(URI.create(address), new Configuration());
    await(files, nameNode, dataNode);
    return new Hdfs(address, files);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Waits until a file can be written. */
  private static void await(FileSystem files, Running... processes) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      try (OutputStream out = files.create(new Path("/try"))) {
        out.write(1);
        return;
      } catch (IOException e) {
        for (Running process : processes) {
          if (!process.process().isAlive() || System.nanoTime() > end) {
            throw new IllegalStateException(process.text(), e);
          }
        }
        Thread.sleep(200);
      }
    }
  }

  Path at(String path) {
    return new Path(address + path);
  }

  static Path local(String file) {
    return new Path(file);
  }

  /** Returns whether there is a file with this end of its name in a folder. */
  boolean has(String folder, String end) throws IOException {
    if (!files.exists(at(folder))) {
      return false;
    }
    for (var file : files.listStatus(at(folder))) {
      if (file.getPath().getName().endsWith(end)) {
        return true;
      }
    }
    return false;
  }
}
