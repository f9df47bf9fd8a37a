package io.github.vtdiag.cli;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The agent that vtdiag-cli.jar carries inside, as a file that {@code -javaagent} can name. */
final class AgentJar {
  static final String RESOURCE = "/vtdiag.jar";

  private AgentJar() {}

  /** Copies it into the user's cache, unless this very build of it is there already. */
  static Path inCache() throws DataException {
    byte[] bytes;
    try (InputStream in = AgentJar.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new DataException(
            "this vtdiag has no agent inside; run vtdiag-cli.jar as the build made it");
      }
      bytes = in.readAllBytes();
    } catch (IOException e) {
      throw new DataException("the agent inside vtdiag-cli.jar cannot be read; rebuild it", e);
    }
    Path folder = cache("agent").resolve(hash(bytes));
    Path jar = folder.resolve("vtdiag.jar");
    try {
      if (!Files.isRegularFile(jar) || Files.size(jar) != bytes.length) {
        Files.createDirectories(folder);
        Path whole = Files.createTempFile(folder, "vtdiag", ".tmp");
        Files.write(whole, bytes);
        Files.move(whole, jar, ATOMIC_MOVE);
      }
      return jar;
    } catch (IOException e) {
      throw new DataException(
          jar + " cannot be written; point XDG_CACHE_HOME at a folder that can", e);
    }
  }

  /** A folder for what can be made again. */
  static Path cache(String folder) {
    return cache().resolve(folder);
  }

  /** The folder of all of these. */
  static Path cache() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdg == null || xdg.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return base.resolve("vtdiag").toAbsolutePath();
  }

  static String hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
