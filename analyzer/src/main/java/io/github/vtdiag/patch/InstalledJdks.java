package io.github.vtdiag.patch;

import io.github.vtdiag.program.JdkClasses;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds a JDK that can compile, or a Java that runs programs: the running one, the user's, and
 * those in the usual folders.
 */
public final class InstalledJdks {
  private InstalledJdks() {}

  /** Finds the first whose {@code javac} knows a Java version. */
  static Optional<Path> find(int release) {
    return find(homes(), release);
  }

  /** Finds those that run a Java version, one of each version, the oldest first. */
  static List<Path> running(int release) {
    return running(homes(), release);
  }

  static List<Path> running(List<Path> homes, int release) {
    SortedMap<Integer, Path> found = new TreeMap<>();
    for (Path home : homes) {
      if (version(home) >= release && Files.isExecutable(home.resolve("bin").resolve("java"))) {
        found.putIfAbsent(version(home), home);
      }
    }
    return List.copyOf(found.values());
  }

  /**
   * Finds the Java of a version as the JVM says it, such as {@code 21.0.8+9-LTS}; if there is none,
   * another of the same feature release.
   *
   * @param cache vtdiag's own folder, in which a Java may be that it fetched
   */
  public static Optional<Path> like(String version, Path cache) {
    List<Path> homes = homes();
    addFrom(cache, homes);
    return like(homes, version);
  }

  static Optional<Path> like(List<Path> homes, String version) {
    int feature = feature(version);
    List<Path> same =
        homes.stream()
            .filter(home -> Files.isExecutable(home.resolve("bin").resolve("java")))
            .filter(home -> feature > 0 && version(home) == feature)
            .toList();
    return same.stream()
        .filter(home -> text(home).equals(version.split("[+-]", -1)[0]))
        .findFirst()
        .or(() -> same.stream().findFirst());
  }

  static Optional<Path> find(List<Path> homes, int release) {
    return homes.stream()
        .filter(home -> Files.isExecutable(home.resolve("bin").resolve("javac")))
        .filter(home -> version(home) >= release)
        .findFirst();
  }

  /** Returns the version in the {@code release} file of every JDK; 0 if it is not there. */
  private static int version(Path home) {
    return feature(text(home));
  }

  private static String text(Path home) {
    try {
      return JdkClasses.version(home);
    } catch (IOException e) {
      return "";
    }
  }

  private static int feature(String version) {
    return version.matches("\\d{1,4}([.+-].*)?")
        ? Integer.parseInt(version.split("[.+-]", -1)[0])
        : 0;
  }

  private static List<Path> homes() {
    List<Path> homes = new ArrayList<>();
    homes.add(Path.of(System.getProperty("java.home")));
    Optional.ofNullable(System.getenv("JAVA_HOME")).map(Path::of).ifPresent(homes::add);
    addFromPath(homes);
    String user = System.getProperty("user.home");
    List<Path> folders =
        List.of(
            Path.of("/usr/lib/jvm"),
            Path.of("/usr/java"),
            Path.of("/Library/Java/JavaVirtualMachines"),
            Path.of(user, ".sdkman/candidates/java"),
            Path.of(user, ".jdks"));
    folders.forEach(folder -> addFrom(folder, homes));
    return homes;
  }

  private static void addFromPath(List<Path> homes) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    for (String folder : path.split(File.pathSeparator, -1)) {
      for (String program : List.of("javac", "java")) {
        Path found = Path.of(folder.isEmpty() ? "." : folder, program);
        try {
          if (Files.isExecutable(found)) {
            homes.add(found.toRealPath().getParent().getParent());
          }
        } catch (IOException e) {
          // A broken link: there is no such program.
        }
      }
    }
  }

  private static void addFrom(Path folder, List<Path> homes) {
    try (DirectoryStream<Path> installed = Files.newDirectoryStream(folder)) {
      for (Path home : installed) {
        homes.add(home);
        homes.add(home.resolve("Contents/Home"));
      }
    } catch (IOException e) {
      // This folder does not exist on this system.
    }
  }
}
