package io.github.vtdiag.maven;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;

/** A Maven repository on loopback, which remembers what it was asked for. */
final class RepositoryServer implements Closeable {
  /** What is answered with a status of its own. */
  final Map<String, Integer> statuses = new ConcurrentHashMap<>();

  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** {@code user:password} that is wanted; empty for none. */
  volatile String credentials = "";

  private final HttpServer server;

  RepositoryServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/maven";
  }

  /** A library with a jar for each version, checksums and the list of versions. */
  void put(String group, String artifact, Map<String, byte[]> jars) {
    String folder = group.replace('.', '/') + "/" + artifact + "/";
    jars.forEach(
        (version, jar) -> {
          String file = folder + version + "/" + artifact + "-" + version;
          put(file + ".jar", jar);
          put(file + ".pom", pom(group, artifact, version, ""));
        });
    String versions =
        jars.keySet().stream()
            .map(version -> "<version>" + version + "</version>")
            .collect(Collectors.joining());
    put(
        folder + "maven-metadata.xml",
        bytes(
            "<metadata><groupId>"
                + group
                + "</groupId><artifactId>"
                + artifact
                + "</artifactId><versioning><versions>"
                + versions
                + "</versions></versioning></metadata>"));
  }

  void put(String file, byte[] content) {
    files.put(file, content);
    files.put(file + ".sha1", bytes(sha1(content)));
  }

  /** The same as files, for a repository without a server. */
  void write(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }

  long jarsAsked() {
    return asked.stream().filter(path -> path.endsWith(".jar")).count();
  }

  static byte[] pom(String group, String artifact, String version, String more) {
    return bytes(
        "<project><modelVersion>4.0.0</modelVersion><groupId>"
            + group
            + "</groupId><artifactId>"
            + artifact
            + "</artifactId><version>"
            + version
            + "</version>"
            + more
            + "</project>");
  }

  static byte[] jar(Map<String, byte[]> classes) {
    return jar(classes, LocalDate.now(ZoneId.systemDefault()));
  }

  /** A jar whose entries are of that day. */
  static byte[] jar(Map<String, byte[]> classes, LocalDate day) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        JarEntry entry = new JarEntry(each.getKey().replace('.', '/') + ".class");
        entry.setTimeLocal(day.atTime(12, 0));
        jar.putNextEntry(entry);
        jar.write(each.getValue());
        jar.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring("/maven/".length());
      asked.add(path);
      String authorization = exchange.getRequestHeaders().getFirst("Authorization");
      String wanted = "Basic " + Base64.getEncoder().encodeToString(bytes(credentials));
      byte[] file = files.get(path);
      if (!credentials.isEmpty() && !wanted.equals(authorization)) {
        exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"jars\"");
        exchange.sendResponseHeaders(401, -1);
      } else if (statuses.containsKey(path)) {
        exchange.sendResponseHeaders(statuses.get(path), -1);
      } else if (file == null) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        exchange.sendResponseHeaders(200, file.length);
        exchange.getResponseBody().write(file);
      }
    }
  }

  private static String sha1(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
