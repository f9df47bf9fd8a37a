package io.github.vtdiag.owner;

import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.owner.Coordinates.Evidence;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The owners of code that the JVM loaded from a path or URL of the recorded machine. A file there
 * on this machine counts only if it has the recorded content: another machine has another version
 * under the same path.
 */
public final class CodeLocations {
  /** A jar, and the content it had when classes were loaded from it. */
  private record Recorded(String path, JarContent content) {}

  private static final String BOOT = "org.springframework.boot";

  private final boolean withFiles;
  private final Map<Recorded, Optional<JarIdentity>> jars = new HashMap<>();

  /**
   * @param withFiles whether files of this machine may be opened
   */
  public CodeLocations(boolean withFiles) {
    this.withFiles = withFiles;
  }

  /**
   * Returns the owner of a class that was loaded from there. The jar decides if it is on this
   * machine too, else the recording and then the path do.
   *
   * @param content the recorded content of the jar
   */
  public Owner owner(String location, JarContent content, String className) {
    if (location.isEmpty()) {
      return new Owner.UnknownJar(location);
    }
    if (location.startsWith("jrt:")) {
      return new Owner.Jdk();
    }
    String path = JarContents.path(location);
    int nested = path.indexOf("!/");
    String file = nested < 0 ? path : path.substring(0, nested);
    String inner = nested < 0 ? "" : path.substring(nested + 2);
    if (inner.endsWith("INF/classes")) {
      return new Owner.Application(path);
    }
    if (inner.isEmpty() && !JarContents.isArchive(file)) {
      return new Owner.Application(path);
    }
    return jars.computeIfAbsent(new Recorded(path, content), jar -> identity(jar, file, inner))
        .map(jar -> jar.owner(className, path))
        .orElseGet(() -> elsewhere(path, content, className));
  }

  /**
   * Returns the jars on this machine among those that classes were loaded from, as far as they are
   * files of their own.
   */
  public List<JarOwners.Candidate> candidates(Collection<ClassMonitors> loaded) {
    Set<Recorded> all = new LinkedHashSet<>();
    for (ClassMonitors type : loaded) {
      String path = JarContents.path(type.location());
      if (!path.contains("!/") && JarContents.isArchive(path)) {
        all.add(new Recorded(path, type.jar()));
      }
    }
    List<JarOwners.Candidate> candidates = new ArrayList<>();
    for (Recorded jar : all) {
      jars.computeIfAbsent(jar, j -> identity(j, j.path(), ""))
          .map(
              identity ->
                  new JarOwners.Candidate(jar.path(), identity, name -> isIn(jar.path(), name)))
          .ifPresent(candidates::add);
    }
    return candidates;
  }

  private static boolean isIn(String path, String className) {
    try (ZipBytes zip = ZipBytes.open(Path.of(path))) {
      return zip.has(className.replace('.', '/') + ".class");
    } catch (IOException e) {
      return false;
    }
  }

  private Optional<JarIdentity> identity(Recorded recorded, String file, String inner) {
    if (!withFiles
        || recorded.content().hash().isEmpty()
        || !recorded.content().isSame(JarContents.of(recorded.path()))) {
      return Optional.empty();
    }
    try (ZipBytes outer = ZipBytes.open(Path.of(file));
        ZipBytes jar = inner.isEmpty() ? null : outer.has(inner) ? outer.openNested(inner) : null) {
      return inner.isEmpty() || jar != null
          ? Optional.of(JarIdentity.of(jar == null ? outer : jar, recorded.path(), 0))
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // Another machine's path: it has to do.
    }
  }

  private static Owner elsewhere(String path, JarContent content, String className) {
    String[] parts = content.coordinates().split(":", -1);
    boolean told =
        parts.length == 3
            && RepositoryPath.isId(parts[0])
            && RepositoryPath.isId(parts[1])
            && RepositoryPath.isId(parts[2]);
    // The coordinates of a Spring Boot program are not those of the loader in its jar.
    if (className.startsWith(JarIdentity.BOOT_LOADER)
        && !path.contains("!/")
        && !(told && parts[0].equals(BOOT))) {
      return new Owner.Library(
          new Coordinates(BOOT, "spring-boot-loader", "", Evidence.MANIFEST), path);
    }
    return told
        ? new Owner.Library(new Coordinates(parts[0], parts[1], parts[2]), path)
        : byPath(path);
  }

  private static Owner byPath(String path) {
    return RepositoryPath.coordinates(path)
        .or(() -> RepositoryPath.fromName(path))
        .<Owner>map(coordinates -> new Owner.Library(coordinates, path))
        .orElse(new Owner.UnknownJar(path));
  }
}
