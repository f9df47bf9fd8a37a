package io.github.vtdiag.maven;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/**
 * A jar that few commands need, and that is too large to ship with vtdiag. It is taken from the
 * user's repositories when it is first needed, and used only if its content is the expected one.
 *
 * @param coordinates {@code group:artifact:version}
 * @param sha256 of its content, in hexadecimal digits
 * @param size in bytes
 */
public record FetchedJar(String coordinates, String sha256, long size) {

  /**
   * Returns the file, which is complete and checked.
   *
   * @param cache the folder that keeps it
   * @param offline whether to ask the local repository alone
   * @param purpose what it is for, as a clause
   */
  public Path file(Path cache, boolean offline, String purpose) throws DataException {
    String name = coordinates.split(":", -1)[1] + "-" + coordinates.split(":", -1)[2] + ".jar";
    Path kept = cache.resolve(sha256.substring(0, 16)).resolve(name);
    try {
      if (Files.isRegularFile(kept) && Files.size(kept) == size) {
        return kept;
      }
      Path fetched = fetch(offline, purpose);
      String found = sha256(fetched);
      if (!found.equals(sha256)) {
        throw new DataException(
            coordinates
                + " from the repositories is another file than vtdiag expects (SHA-256 "
                + found
                + ", not "
                + sha256
                + "); delete "
                + fetched
                + " and check which repository gave it");
      }
      Files.createDirectories(kept.getParent());
      Path copy = kept.resolveSibling(".vtdiag" + UUID.randomUUID() + ".tmp");
      try {
        Files.copy(fetched, copy);
        Files.move(copy, kept, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(copy);
      }
      return kept;
    } catch (IOException e) {
      throw new DataException(
          coordinates + ", " + purpose + ", cannot be kept in " + cache + ": " + e.getMessage(), e);
    }
  }

  private Path fetch(boolean offline, String purpose) throws DataException {
    MavenRepositories repositories = MavenRepositories.open(offline, 0);
    try {
      return repositories
          .system
          .resolveArtifact(
              repositories.session,
              new ArtifactRequest(new DefaultArtifact(coordinates), repositories.remote, null))
          .getArtifact()
          .getFile()
          .toPath();
    } catch (ArtifactResolutionException e) {
      throw new DataException(
          coordinates
              + " ("
              + (size >> 20)
              + " MB), "
              + purpose
              + ", could not be had: "
              + Failures.why(e.getResult().getExceptions())
              + "; run the command once where your Maven repositories can be reached",
          e);
    }
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return Sha256.of(in);
    }
  }
}
