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

/** Finds a JDK that can compile: the running one, the user's, and those in the usual folders. */
final class InstalledJdks {
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

  static Optional<Path> find(List<Path> homes, int release) {
    return homes.stream()
        .filter(home -> Files.isExecutable(home.resolve("bin").resolve("javac")))
        .filter(home -> version(home) >= release)
        .findFirst();
  }

  /** Returns the version in the {@code release} file of every JDK; 0 if it is not there. */
  private static int version(Path home) {
    String version;
    try {
      version = JdkClasses.version(home);
    } catch (IOException e) {
      return 0;
    }
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
      Path javac = Path.of(folder.isEmpty() ? "." : folder, "javac");
      try {
        if (Files.isExecutable(javac)) {
          homes.add(javac.toRealPath().getParent().getParent());
        }
      } catch (IOException e) {
        // A broken link: there is no compiler.
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
