package io.github.vtdiag.openrewrite;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.openrewrite.ExecutionContext;
import org.openrewrite.marker.Marker;
import org.openrewrite.maven.MavenExecutionContextView;
import org.openrewrite.maven.tree.MavenResolutionResult;
import org.openrewrite.maven.tree.ResolvedDependency;
import org.openrewrite.maven.tree.ResolvedGroupArtifactVersion;
import org.openrewrite.maven.tree.Scope;

/** The jars of a Maven build's libraries. */
final class MavenLibraries {
  private final Path repository;
  private final Set<String> own = new HashSet<>();
  private final Set<String> jars = new LinkedHashSet<>();

  private MavenLibraries(Path repository) {
    this.repository = repository;
  }

  /**
   * Finds the jars of all that the modules of a build need to run, and of what a container gives
   * them.
   *
   * @throws IllegalStateException if one is not in the local repository
   */
  static Set<String> of(List<Marker> poms, ExecutionContext ctx) {
    URI uri = URI.create(MavenExecutionContextView.view(ctx).getLocalRepository().getUri());
    MavenLibraries libraries = new MavenLibraries(Paths.get(uri));
    for (Marker pom : poms) {
      libraries.own.add(name(((MavenResolutionResult) pom).getPom().getGav()));
    }
    for (Marker pom : poms) {
      for (Map.Entry<Scope, List<ResolvedDependency>> scope :
          ((MavenResolutionResult) pom).getDependencies().entrySet()) {
        if (scope.getKey() != Scope.Test) {
          scope.getValue().forEach(libraries::add);
        }
      }
    }
    return libraries.jars;
  }

  private void add(ResolvedDependency library) {
    String type = Optional.ofNullable(library.getType()).orElse("jar");
    if (own.contains(name(library.getGav())) || type.equals("pom")) {
      return;
    }
    ResolvedGroupArtifactVersion gav = library.getGav();
    Path folder =
        repository
            .resolve(gav.getGroupId().replace('.', '/'))
            .resolve(gav.getArtifactId())
            .resolve(gav.getVersion());
    String classifier =
        Optional.ofNullable(library.getClassifier())
            .filter(text -> !text.isEmpty())
            .orElse(type.equals("test-jar") ? "tests" : "");
    String ending =
        (classifier.isEmpty() ? "" : "-" + classifier)
            + (type.toLowerCase(Locale.ROOT).equals("war") ? ".war" : ".jar");
    Path jar = folder.resolve(gav.getArtifactId() + "-" + gav.getVersion() + ending);
    if (!Files.isRegularFile(jar) && gav.getDatedSnapshotVersion() != null) {
      jar = folder.resolve(gav.getArtifactId() + "-" + gav.getDatedSnapshotVersion() + ending);
    }
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(
          jar
              + " is missing, and code in it may lock the same objects; build first, or name all"
              + " classes of the program with the recipe's option classPath");
    }
    jars.add(jar.toString());
  }

  private static String name(ResolvedGroupArtifactVersion gav) {
    return gav.getGroupId() + ":" + gav.getArtifactId() + ":" + gav.getVersion();
  }
}
