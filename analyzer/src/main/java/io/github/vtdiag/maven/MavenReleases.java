package io.github.vtdiag.maven;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.Coordinates;
import io.github.vtdiag.program.LibraryClasses;
import io.github.vtdiag.program.LibraryJar;
import io.github.vtdiag.upgrade.MavenVersion;
import io.github.vtdiag.upgrade.Releases;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.maven.model.DistributionManagement;
import org.apache.maven.model.Model;
import org.apache.maven.model.Relocation;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.VersionRangeRequest;
import org.eclipse.aether.resolution.VersionRangeResolutionException;
import org.eclipse.aether.resolution.VersionRangeResult;
import org.eclipse.aether.transfer.MetadataNotFoundException;

/** A library's versions in Maven repositories, those under its new name included if it moved. */
final class MavenReleases implements Releases {
  private final MavenRepositories repositories;
  private final int jdk;
  private final Coordinates asked;
  private final int downloadsBefore;
  private final List<String> notes = new ArrayList<>();

  /** Under which group and artifact each version is. */
  private final Map<String, List<String>> names = new LinkedHashMap<>();

  private String library;

  MavenReleases(MavenRepositories repositories, Coordinates asked, int jdk) {
    this.repositories = repositories;
    this.asked = asked;
    this.jdk = jdk;
    downloadsBefore = repositories.downloads.get();
    library = asked.group() + ":" + asked.artifact();
  }

  @Override
  public String library() {
    return library;
  }

  @Override
  public int downloads() {
    return repositories.downloads.get() - downloadsBefore;
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  @Override
  public List<String> versions() throws DataException {
    List<String> own = versions(asked.group(), asked.artifact());
    List<String> name = List.of(asked.group(), asked.artifact());
    own.forEach(version -> names.put(version, name));
    own.stream().max(MavenVersion::compare).ifPresent(this::follow);
    return List.copyOf(names.keySet());
  }

  private List<String> versions(String group, String artifact) throws DataException {
    repositories.invalid.clear();
    VersionRangeRequest request =
        new VersionRangeRequest(
            new DefaultArtifact(group, artifact, "jar", "[0,)"), repositories.remote, null);
    try {
      VersionRangeResult result =
          repositories.system.resolveVersionRange(repositories.session, request);
      if (!result.getVersions().isEmpty()) {
        return result.getVersions().stream().map(Object::toString).toList();
      }
      List<Exception> why = new ArrayList<>(result.getExceptions());
      why.addAll(repositories.invalid);
      // That one of them does not have it says nothing of the others.
      why.removeIf(MetadataNotFoundException.class::isInstance);
      throw new DataException(
          "the versions of "
              + group
              + ":"
              + artifact
              + " are not known: "
              + (why.isEmpty() ? none() : Failures.why(why))
              + "; name newer jars with --candidate");
    } catch (VersionRangeResolutionException e) {
      throw new DataException(
          "the versions of " + group + ":" + artifact + " are not known: " + e.getMessage(), e);
    }
  }

  private String none() {
    return repositories.session.isOffline()
        ? "offline, and the local repository has no list of them"
        : "no repository has it ("
            + repositories.remote.stream()
                .map(RemoteRepository::getId)
                .collect(Collectors.joining(", "))
            + ")";
  }

  /** Takes the versions under the new name too, if the newest says that the library moved. */
  private void follow(String newest) {
    try {
      Artifact pom = new DefaultArtifact(asked.group(), asked.artifact(), "pom", newest);
      Relocation to = relocation(resolve(pom));
      if (to == null) {
        return;
      }
      String group = to.getGroupId() == null ? asked.group() : to.getGroupId();
      String artifact = to.getArtifactId() == null ? asked.artifact() : to.getArtifactId();
      String moved = group + ":" + artifact;
      if (moved.equals(library)) {
        return;
      }
      for (String version : versions(group, artifact)) {
        names.put(version, List.of(group, artifact));
      }
      notes.add(library + " has moved to " + moved);
      library = moved;
    } catch (DataException e) {
      // The versions under the old name are there all the same.
      notes.add("whether " + library + " has moved is not known: " + e.getMessage());
    }
  }

  private static Relocation relocation(Path pom) throws DataException {
    try (InputStream in = Files.newInputStream(pom)) {
      Model model = new MavenXpp3Reader().read(in, false);
      DistributionManagement management = model.getDistributionManagement();
      return management == null ? null : management.getRelocation();
    } catch (IOException | XmlPullParserException e) {
      throw new DataException(pom + " is no POM", e);
    }
  }

  @Override
  public LibraryClasses classes(String version) throws DataException {
    List<String> name = names.getOrDefault(version, List.of(asked.group(), asked.artifact()));
    Artifact jar = new DefaultArtifact(name.getFirst(), name.getLast(), "jar", version);
    Path file = resolve(jar);
    try {
      return LibraryJar.read(file, jdk).classes();
    } catch (DataException e) {
      throw new DataException(
          text(jar) + " is no jar as its repository has it; delete " + file + " to ask again", e);
    }
  }

  private Path resolve(Artifact artifact) throws DataException {
    try {
      return repositories
          .system
          .resolveArtifact(
              repositories.session, new ArtifactRequest(artifact, repositories.remote, null))
          .getArtifact()
          .getFile()
          .toPath();
    } catch (ArtifactResolutionException e) {
      throw new DataException(
          text(artifact) + " could not be had: " + Failures.why(e.getResult().getExceptions()), e);
    }
  }

  private static String text(Artifact artifact) {
    return artifact.getGroupId()
        + ":"
        + artifact.getArtifactId()
        + " "
        + artifact.getVersion()
        + (artifact.getExtension().equals("pom") ? " (its POM)" : "");
  }
}
