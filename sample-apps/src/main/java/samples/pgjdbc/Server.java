package samples.pgjdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.tukaani.xz.XZInputStream;

/**
 * A PostgreSQL server that lives as long as this object, at most as long as this JVM, in a folder
 * of its own that is deleted with it.
 *
 * <p>It is a process of its own, and no thread of this JVM serves it.
 */
public final class Server implements AutoCloseable {
  /**
   * Guards the server. It waits for the end of its standard input, which comes even when this JVM
   * is killed and no shutdown hook runs. Then it stops the server and removes the folder. Until
   * then nothing may end it: neither a Ctrl-C meant for this JVM, nor a closed output.
   */
  private static final String GUARD =
      """
      trap '' HUP INT PIPE TERM
      name=samples-postgresql.XXXXXX
      folder=$(mktemp -d "${TMPDIR:-/tmp}/$name" 2>/dev/null || mktemp -d "/tmp/$name") || exit
      echo "$folder"
      cd "$folder"
      read -r unpacked &&
        bin/initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log &&
        { bin/pg_ctl start -w -D data -l log -o "$1" >>log || { cat log; false; }; } &&
        echo ready &&
        read -r over
      bin/pg_ctl stop -m immediate -D data >/dev/null 2>&1
      cd /
      rm -rf "$folder"
      """;

  /**
   * Ways to become a user that PostgreSQL starts for: it refuses root. Ordinary users need none; in
   * a container one or another is usually missing or forbidden.
   */
  private static final List<List<String>> USERS =
      List.of(
          List.of(),
          List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
          List.of("runuser", "-u", "nobody", "--"),
          List.of("unshare", "-U"));

  private final Process guard;
  private final Path folder;
  private final int port;

  private Server(Process guard, Path folder, int port) {
    this.guard = guard;
    this.folder = folder;
    this.port = port;
  }

  /** Starts a server on a free port of this machine and waits until it takes connections. */
  public static Server start(int maxConnections) throws IOException, InterruptedException {
    List<String> user = user();
    int port = freePort();
    String options =
        "-F -h 127.0.0.1 -p %d -c max_connections=%d -c unix_socket_directories="
            .formatted(port, maxConnections);
    Process guard = process(user, "sh", "-c", GUARD, "guard", options).start();
    BufferedReader output = guard.inputReader();
    String folder = output.readLine();
    if (folder == null || !folder.startsWith("/")) {
      throw new IOException("PostgreSQL has no folder to run in: " + folder);
    }
    var server = new Server(guard, Path.of(folder), port);
    try {
      server.unpack(user);
      OutputStream input = guard.getOutputStream();
      input.write('\n');
      input.flush();
      var messages = new StringJoiner("\n");
      for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
        if (line == null) {
          throw new IOException("PostgreSQL does not start: " + messages);
        }
        messages.add(line);
      }
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Returns the port on which it takes connections, on 127.0.0.1. */
  public int port() {
    return port;
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  /** Stops the server; its folder is gone when this returns. */
  @Override
  public void close() throws IOException {
    guard.getOutputStream().close();
    try {
      guard.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void unpack(List<String> user) throws IOException, InterruptedException {
    // The server's user unpacks, so that the folder is that user's and can be removed by it.
    Process tar = process(user, "tar", "-x", "-C", folder.toString(), "-f", "-").start();
    IOException failure = null;
    try (InputStream binaries = new XZInputStream(binaries());
        OutputStream input = tar.getOutputStream()) {
      binaries.transferTo(input);
    } catch (IOException e) {
      failure = e; // tar itself knows best why
    }
    String messages = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (tar.waitFor() != 0 || failure != null) {
      throw new IOException("PostgreSQL cannot be unpacked: " + messages.strip(), failure);
    }
  }

  private static InputStream binaries() throws IOException {
    String system =
        System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
    String processor =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64" -> "arm_64";
          case String other -> other;
        };
    String name = "/postgres-" + system + "-" + processor + ".txz";
    InputStream binaries = Server.class.getResourceAsStream(name);
    if (binaries == null) {
      throw new IOException("PostgreSQL for this machine, " + name + ", is not on the class path");
    }
    return binaries;
  }

  /** Returns the words before a command with which it does not run as root. */
  private static List<String> user() throws IOException, InterruptedException {
    for (List<String> user : USERS) {
      try {
        Process id = process(user, "id", "-u").start();
        String uid = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (id.waitFor() == 0 && !uid.equals("0")) {
          return user;
        }
      } catch (IOException e) {
        // There is no such program here.
      }
    }
    throw new IOException(
        "PostgreSQL refuses to run as root, and neither setpriv, runuser nor unshare can start it"
            + " as another user here; run this as an ordinary user");
  }

  private static ProcessBuilder process(List<String> user, String... command) {
    var words = new ArrayList<>(user);
    words.addAll(List.of(command));
    // The root folder: the other user may not be allowed into the one we are in.
    var builder = new ProcessBuilder(words).directory(Path.of("/").toFile());
    builder.redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Runs a server to look at by hand, until standard input ends. */
  public static void main(String[] args) throws Exception {
    try (Server server = start(100)) {
      System.out.println(
          server.url() + " in " + server.folder + "; ends with this program's input");
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
