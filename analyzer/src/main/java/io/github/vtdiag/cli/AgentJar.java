package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Sha256;
import io.github.vtdiag.model.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The agent that vtdiag-cli.jar carries inside, as a file that {@code -javaagent} can name. */
final class AgentJar {
  static final String RESOURCE = "/vtdiag.jar";

  /** The number of digits that tell the builds on one machine apart. */
  private static final int HASH = 16;

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
    Path folder = cached("agent", bytes);
    Path jar = folder.resolve("vtdiag.jar");
    try {
      if (!Files.isRegularFile(jar) || Files.size(jar) != bytes.length) {
        Files.createDirectories(folder);
        WholeFile.write(jar, bytes);
      }
      return jar;
    } catch (IOException e) {
      throw new DataException(
          jar + " cannot be written; point XDG_CACHE_HOME at a folder that can", e);
    }
  }

  /** Returns the place in the cache of what has these bytes, in a folder of its kind. */
  static Path cached(String sort, byte[] bytes) {
    return cache().resolve(sort).resolve(Sha256.of(bytes).substring(0, HASH));
  }

  /** Returns the folder for what can be made again. */
  static Path cache() {
    return cache(System.getenv(), System.getProperty("user.home"));
  }

  /**
   * Returns the folder that the launcher uses with this environment. {@code HOME} comes first: in a
   * container it often differs from the home of the user database, which Java reports.
   */
  static Path cache(Map<String, String> environment, String userHome) {
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    String home = environment.getOrDefault("HOME", "");
    Path base = xdg.isEmpty() ? Path.of(home.isEmpty() ? userHome : home, ".cache") : Path.of(xdg);
    return base.resolve("vtdiag").toAbsolutePath();
  }
}
