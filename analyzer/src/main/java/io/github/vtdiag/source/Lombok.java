package io.github.vtdiag.source;

import io.github.vtdiag.maven.LocalJars;
import io.github.vtdiag.upgrade.MavenVersion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Lombok, which sources need to compile and programs leave out of their jars. */
public final class Lombok {
  private static final String GROUP = "org.projectlombok";
  private static final String ARTIFACT = "lombok";
  private static final Pattern USE = Pattern.compile("(?m)^\\s*import\\s+lombok\\.|@lombok\\.");

  private static final Pattern SYNCHRONIZED = Pattern.compile("@(?:lombok\\.)?Synchronized\\b");

  private Lombok() {}

  /**
   * Returns the annotation processors, or if there are none and the sources use Lombok, the newest
   * version of it in the local repository. A build that used another one put that there, too.
   *
   * @param sources the bytes of the source files
   */
  public static Processors orItself(Processors found, List<byte[]> sources, LocalJars local) {
    if (!found.path().isEmpty() || sources.stream().noneMatch(bytes -> isUsed(text(bytes)))) {
      return found;
    }
    return local.versions(GROUP, ARTIFACT).stream()
        .max(MavenVersion::compare)
        .flatMap(version -> local.find(GROUP, ARTIFACT, version))
        .map(Path::toString)
        .map(jar -> new Processors(List.of(jar)))
        .orElse(found);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static boolean isUsed(String source) {
    return USE.matcher(source).find();
  }

  /** Returns why a monitor that is not in a source cannot be moved, if Lombok made it. */
  public static Optional<String> monitor(String source) {
    return isUsed(source) && SYNCHRONIZED.matcher(source).find()
        ? Optional.of(
            " has no synchronized there, but Lombok's @Synchronized: write @Locked in its place"
                + " (Lombok 1.18.32 or later), which takes a ReentrantLock")
        : Optional.empty();
  }
}
