package io.github.vtdiag.maven;

import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;

/** A program in the user's Maven repositories, with all the jars that it needs to run. */
public final class RunnableJars {
  private RunnableJars() {}

  /**
   * Returns its jars.
   *
   * @param coordinates {@code group:artifact:version}
   * @param offline whether to ask the local repository alone
   * @throws DataException if one of them is missing; its message has the reason
   */
  public static List<Path> of(String coordinates, boolean offline) throws DataException {
    MavenRepositories repositories = MavenRepositories.open(offline, 0);
    try {
      Dependency program = new Dependency(new DefaultArtifact(coordinates), "runtime");
      return repositories
          .system
          .resolveDependencies(
              repositories.session,
              new DependencyRequest(new CollectRequest(program, repositories.remote), null))
          .getArtifactResults()
          .stream()
          .map(ArtifactResult::getArtifact)
          .map(artifact -> artifact.getFile().toPath())
          .toList();
    } catch (DependencyResolutionException e) {
      throw new DataException(coordinates + " could not be had: " + e.getMessage(), e);
    }
  }
}
