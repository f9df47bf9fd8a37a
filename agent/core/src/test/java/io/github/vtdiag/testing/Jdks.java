package io.github.vtdiag.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The JDKs that tests start programs on. A JDK that cannot be had fails the test: nothing is
 * skipped, because a run on one JDK says nothing about the other.
 */
public final class Jdks {
  private static final Map<Jdk, Path> HOMES = new EnumMap<>(Jdk.class);

  /** Threads that a test starts ask for it. */
  private static final InheritableThreadLocal<Asked> ASKED = new InheritableThreadLocal<>();

  private Jdks() {}

  /** The home of a Java 21. */
  public static Path java21() {
    return home(Jdk.JAVA_21);
  }

  /** The home of a Java 24 or later. */
  public static Path java25() {
    return home(Jdk.JAVA_25);
  }

  /** The project's top folder, the one that has the launcher. */
  public static Path projectFolder() {
    Path start = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve("vtdiag"))
          && Files.isRegularFile(folder.resolve("pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no folder at or above " + start + " has the vtdiag script");
  }

  static Path home(Jdk jdk) {
    Asked asked = ASKED.get();
    if (asked != null) {
      asked.add(jdk);
    }
    synchronized (HOMES) {
      return HOMES.computeIfAbsent(jdk, Jdks::askLauncher);
    }
  }

  /** The JDKs that a test asked for. */
  static final class Asked {
    private final Set<Jdk> jdks = EnumSet.noneOf(Jdk.class);

    private synchronized void add(Jdk jdk) {
      jdks.add(jdk);
    }

    synchronized Set<Jdk> jdks() {
      return Set.copyOf(jdks);
    }
  }

  /** Notes there what this thread asks for from now on; returns where that was done before. */
  static Asked noteIn(Asked asked) {
    Asked before = ASKED.get();
    ASKED.set(asked);
    return before;
  }

  /** The launcher knows where to look, and refuses a setting that names another version. */
  private static Path askLauncher(Jdk jdk) {
    Path launcher = projectFolder().resolve("vtdiag");
    ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "jdk", jdk.release);
    String property = System.getProperty("vtdiag.jdk" + jdk.release);
    if (property != null) {
      builder.environment().put("VTDIAG_JDK" + jdk.release, property);
    }
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      // Both are far shorter than a pipe holds, so neither can block the launcher.
      String home = process.inputReader().lines().collect(Collectors.joining("\n"));
      String complaint = process.errorReader().lines().collect(Collectors.joining("\n"));
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException(
            "no Java %s to test on, exit code %d: %s".formatted(jdk.release, status, complaint));
      }
      return Path.of(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
