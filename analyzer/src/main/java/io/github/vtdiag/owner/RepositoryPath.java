package io.github.vtdiag.owner;

import io.github.vtdiag.owner.Coordinates.Evidence;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of a jar, as far as it identifies the jar: by its place in a repository, or else by the
 * file name alone.
 */
public final class RepositoryPath {
  /** The folders that contain group ids: Maven's own and those of its mirrors and caches. */
  private static final Set<String> ROOTS = Set.of("repository", "maven2");

  /** The most common first parts of group ids, for repositories in a folder of any name. */
  private static final Set<String> FIRST_OF_GROUPS = Set.of("com", "org", "io", "net", "dev");

  private static final Pattern ID = Pattern.compile("[\\w.-]{1,200}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{30,40}");
  private static final Pattern TIMESTAMP = Pattern.compile("-\\d{8}\\.\\d{6}-\\d+(?=-|$)");
  private static final Pattern VERSION_START = Pattern.compile("-(?=\\d)");

  /** A version: numbers, and the words that may stand between two of them. */
  private static final Pattern IN_VERSION =
      Pattern.compile(
          "(?i)\\d[\\w.+]*(-(\\d[\\w.+]*|(alpha|beta|rc|cr|m|milestone|sp|ga|final|release|build|b"
              + "|pre|preview|ea|jre|jdk|java|android|snapshot|incubating|stable|v)[\\d.]*))*");

  private static final Pattern CLASSIFIER =
      Pattern.compile("(?i)-(sources|javadoc|tests?|(linux|osx|macos|mac|windows|win)[-_]?\\w.*)$");

  /** The longest file name of any file system. */
  private static final int LONGEST_NAME = 255;

  private RepositoryPath() {}

  /**
   * Returns the coordinates in the path of a jar in a Maven repository, in the cache of Gradle, Ivy
   * or Coursier, or among the libraries of a program of Quarkus.
   *
   * @param path with slashes; the file need not be on this machine
   */
  public static Optional<Coordinates> coordinates(String path) {
    List<String> parts = Arrays.asList(path.replace('\\', '/').split("/+", -1));
    int last = parts.size() - 1;
    if (QuarkusFiles.isLibrary(path)) {
      return quarkus(parts.get(last));
    }
    if (last < 4 || !parts.get(last).endsWith(".jar")) {
      return Optional.empty();
    }
    String file = parts.get(last).substring(0, parts.get(last).length() - ".jar".length());
    return gradle(parts, file).or(() -> ivy(parts, file)).or(() -> maven(parts, file));
  }

  /** Reads {@code files-2.1/group/artifact/version/hash/artifact-version.jar}. */
  private static Optional<Coordinates> gradle(List<String> parts, String file) {
    int hash = parts.size() - 2;
    if (hash < 4
        || !parts.get(hash - 4).startsWith("files-")
        || !HASH.matcher(parts.get(hash)).matches()) {
      return Optional.empty();
    }
    return of(parts.get(hash - 3), parts.get(hash - 2), parts.get(hash - 1), file);
  }

  /** Reads {@code .ivy2/cache/group/artifact/jars/artifact-version.jar}. */
  private static Optional<Coordinates> ivy(List<String> parts, String file) {
    int jars = parts.size() - 2;
    if (jars < 4
        || !(parts.get(jars).equals("jars") || parts.get(jars).equals("bundles"))
        || !parts.get(jars - 3).equals("cache")
        || !file.startsWith(parts.get(jars - 1) + "-")) {
      return Optional.empty();
    }
    String artifact = parts.get(jars - 1);
    return of(parts.get(jars - 2), artifact, file.substring(artifact.length() + 1), file);
  }

  /** Reads {@code lib/main/group.artifact-version.jar}. An artifact id seldom has a dot. */
  private static Optional<Coordinates> quarkus(String file) {
    Coordinates named = fromName(file).orElse(null);
    int dot = named == null ? -1 : named.artifact().lastIndexOf('.');
    return dot < 0
        ? Optional.empty()
        : Optional.of(
            new Coordinates(
                named.artifact().substring(0, dot),
                named.artifact().substring(dot + 1),
                named.version(),
                Evidence.REPOSITORY_PATH));
  }

  private static Optional<Coordinates> maven(List<String> parts, String file) {
    int version = parts.size() - 2;
    int artifact = version - 1;
    int group = groupStart(parts.subList(0, artifact));
    return group < 0
        ? Optional.empty()
        : of(
            String.join(".", parts.subList(group, artifact)),
            parts.get(artifact),
            parts.get(version),
            file);
  }

  /**
   * Returns where the group id starts in the folders that end with it; negative if that is not
   * clear.
   */
  private static int groupStart(List<String> folders) {
    for (int i = folders.size() - 2; i >= 0; i--) {
      if (ROOTS.contains(folders.get(i))) {
        return i + 1;
      }
    }
    List<String> first = folders.stream().filter(FIRST_OF_GROUPS::contains).toList();
    int start = first.size() == 1 ? folders.indexOf(first.getFirst()) : -1;
    return start > 0 && start < folders.size() - 1 ? start : -1;
  }

  /**
   * Returns the coordinates if the file's name repeats them, unlike in folders that only look like
   * a repository.
   */
  private static Optional<Coordinates> of(
      String group, String artifact, String version, String file) {
    if (!isId(group) || !isId(artifact) || !isId(version)) {
      return Optional.empty();
    }
    String named = artifact + "-" + version;
    String base = version.replaceFirst("-SNAPSHOT$", "");
    boolean isSnapshot = !base.equals(version);
    Matcher timestamp = TIMESTAMP.matcher(file);
    boolean fits =
        file.equals(named)
            || file.startsWith(named + "-")
            || (isSnapshot && timestamp.find() && file.startsWith(artifact + "-" + base + "-"));
    return fits
        ? Optional.of(new Coordinates(group, artifact, version, Evidence.REPOSITORY_PATH))
        : Optional.empty();
  }

  static boolean isId(String text) {
    return ID.matcher(text).matches() && !text.startsWith(".") && !text.endsWith(".");
  }

  /**
   * Returns the coordinates in a file name. It has the artifact id for nearly every jar; the
   * manifest's names do not.
   */
  static Optional<Coordinates> fromName(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1);
    if (!file.endsWith(".jar") || file.length() > LONGEST_NAME) {
      return Optional.empty();
    }
    String name = file.substring(0, file.length() - ".jar".length());
    name = CLASSIFIER.matcher(name).replaceFirst("");
    name = TIMESTAMP.matcher(name).replaceFirst("-SNAPSHOT");
    Matcher starts = VERSION_START.matcher(name);
    int best = -1;
    while (starts.find()) {
      if (starts.start() == 0) {
        continue;
      }
      best = best < 0 ? starts.start() : best;
      // In log4j-1.2-api-2.23.1, the first number belongs to the name.
      if (IN_VERSION.matcher(name.substring(starts.end())).matches()) {
        best = starts.start();
        break;
      }
    }
    return best < 0
        ? Optional.empty()
        : Optional.of(
            new Coordinates(
                "", name.substring(0, best), name.substring(best + 1), Evidence.FILE_NAME));
  }
}
