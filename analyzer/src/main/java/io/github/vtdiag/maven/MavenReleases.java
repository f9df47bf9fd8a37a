package io.github.vtdiag.maven;

import io.github.vtdiag.maven.Place.Name;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.program.LibraryJar;
import io.github.vtdiag.upgrade.MavenVersion;
import io.github.vtdiag.upgrade.Release;
import io.github.vtdiag.upgrade.Releases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.VersionRangeRequest;
import org.eclipse.aether.resolution.VersionRangeResolutionException;
import org.eclipse.aether.resolution.VersionRangeResult;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.MetadataNotFoundException;

/** A library's versions in Maven repositories, those under its new name included if it moved. */
final class MavenReleases implements Releases {
  /** The most relocations that are followed. */
  private static final int MOST_HOPS = 5;

  private final MavenRepositories repositories;
  private final int jdk;
  private final Coordinates asked;
  private final int downloadsBefore;
  private final List<String> notes = new ArrayList<>();

  /** The names by version. */
  private final Map<String, Name> names = new LinkedHashMap<>();

  private final Set<Name> moved = new HashSet<>();

  private String library;

  MavenReleases(MavenRepositories repositories, Coordinates asked, int jdk) {
    this.repositories = repositories;
    this.asked = asked;
    this.jdk = jdk;
    downloadsBefore = repositories.downloads.get();
    library = new Name(asked.group(), asked.artifact()).text();
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
    Name name = new Name(asked.group(), asked.artifact());
    List<String> own = versions(name);
    own.forEach(version -> names.put(version, name));
    newest(own).ifPresent(newest -> follow(name, newest));
    return List.copyOf(names.keySet());
  }

  /** Returns the last release, or the last version if there is no release. */
  private static Optional<String> newest(List<String> versions) {
    return versions.stream()
        .filter(version -> !MavenVersion.isDate(version) && !MavenVersion.isEarly(version))
        .max(MavenVersion::compare)
        .or(() -> versions.stream().max(MavenVersion::compare));
  }

  private List<String> versions(Name name) throws DataException {
    repositories.invalid.clear();
    VersionRangeRequest request =
        new VersionRangeRequest(
            new DefaultArtifact(name.group(), name.artifact(), "jar", "[0,)"),
            repositories.remote,
            null);
    try {
      VersionRangeResult result =
          repositories.system.resolveVersionRange(repositories.session, request);
      if (!result.getVersions().isEmpty()) {
        return result.getVersions().stream().map(Object::toString).toList();
      }
      List<Exception> why = new ArrayList<>(result.getExceptions());
      why.addAll(repositories.invalid);
      // That one repository does not have it explains nothing about the others.
      why.removeIf(MetadataNotFoundException.class::isInstance);
      throw new DataException(
          "the versions of "
              + name.text()
              + " are not known: "
              + (why.isEmpty() ? none() : Failures.why(why))
              + "; name newer jars with --candidate");
    } catch (VersionRangeResolutionException e) {
      throw new DataException(
          "the versions of " + name.text() + " are not known: " + e.getMessage(), e);
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

  /** Adds the versions under the new name, if the newest says that the library moved. */
  private void follow(Name name, String newest) {
    Optional<Name> to;
    try {
      to = pom(new Place(name, newest)).relocation().map(Place::name);
    } catch (DataException e) {
      // The versions under the old name exist all the same.
      notes.add("whether " + name.text() + " has moved is not known: " + e.getMessage());
      return;
    }
    if (to.isEmpty() || names.containsValue(to.get())) {
      return;
    }
    List<String> versions;
    try {
      versions = versions(to.get());
    } catch (DataException e) {
      notes.add(name.text() + " has moved to " + to.get().text() + ", but " + e.getMessage());
      return;
    }
    versions.forEach(version -> names.put(version, to.get()));
    notes.add(name.text() + " has moved to " + to.get().text());
    library = to.get().text();
    newest(versions).ifPresent(next -> follow(to.get(), next));
  }

  private Pom pom(Place place) throws DataException {
    return Pom.read(resolve(place.artifact("pom")), place);
  }

  @Override
  public Release release(String version) throws DataException {
    Name name = names.getOrDefault(version, new Name(asked.group(), asked.artifact()));
    Place start = new Place(name, version);
    // If one version was elsewhere, others probably are, too: then no empty jar is downloaded.
    Place at = moved.isEmpty() ? start : elsewhere(start).orElse(start);
    for (int hop = 0; hop < MOST_HOPS && isStub(at); hop++) {
      at = elsewhere(at).orElse(at);
    }
    LibraryJar jar = jar(at);
    if (!at.name().equals(name) && moved.add(at.name())) {
      notes.add("the classes of " + start.text() + " are in " + at.name().text());
    }
    return new Release(at.name().text(), jar.classes(), jar.written());
  }

  /** Returns whether there is no jar, or one without classes. */
  private boolean isStub(Place place) throws DataException {
    Artifact jar = place.artifact("jar");
    if (!exists(jar)) {
      return true;
    }
    try (JarFile file = new JarFile(resolve(jar).toFile())) {
      return file.stream().map(JarEntry::getName).noneMatch(MavenReleases::isClass);
    } catch (IOException e) {
      return false; // The reader of the jar reports it.
    }
  }

  /** Returns whether it exists: false if every repository says that it does not have it. */
  private boolean exists(Artifact artifact) throws DataException {
    try {
      return Files.exists(file(artifact));
    } catch (ArtifactResolutionException e) {
      if (e.getResult().getExceptions().stream()
          .allMatch(ArtifactNotFoundException.class::isInstance)) {
        return false;
      }
      throw failed(artifact, e);
    }
  }

  private static boolean isClass(String entry) {
    return entry.endsWith(".class") && !entry.endsWith("module-info.class");
  }

  /** Returns where a version's classes are if they are not in its own jar, as its metadata say. */
  private Optional<Place> elsewhere(Place place) {
    try {
      if (!exists(place.artifact("pom"))) {
        return Optional.empty();
      }
      Pom pom = pom(place);
      if (pom.relocation().isPresent() || !pom.hasGradleMetadata()) {
        return pom.relocation();
      }
      return GradleModule.classes(resolve(place.artifact("module")));
    } catch (DataException e) {
      notes.add(
          "whether " + place.text() + " has its classes elsewhere is not known: " + e.getMessage());
      return Optional.empty();
    }
  }

  private LibraryJar jar(Place place) throws DataException {
    Artifact jar = place.artifact("jar");
    Path file = resolve(jar);
    try {
      return LibraryJar.read(file, jdk);
    } catch (DataException e) {
      throw new DataException(
          text(jar) + " is no jar as its repository has it; delete " + file + " to ask again", e);
    }
  }

  private Path resolve(Artifact artifact) throws DataException {
    try {
      return file(artifact);
    } catch (ArtifactResolutionException e) {
      throw failed(artifact, e);
    }
  }

  private Path file(Artifact artifact) throws ArtifactResolutionException {
    return repositories
        .system
        .resolveArtifact(
            repositories.session, new ArtifactRequest(artifact, repositories.remote, null))
        .getArtifact()
        .getFile()
        .toPath();
  }

  private static DataException failed(Artifact artifact, ArtifactResolutionException e) {
    return new DataException(
        text(artifact) + " could not be had: " + Failures.why(e.getResult().getExceptions()), e);
  }

  private static String text(Artifact artifact) {
    return artifact.getGroupId()
        + ":"
        + artifact.getArtifactId()
        + " "
        + artifact.getVersion()
        + switch (artifact.getExtension()) {
          case "pom" -> " (its POM)";
          case "module" -> " (its Gradle metadata)";
          default -> "";
        };
  }
}
