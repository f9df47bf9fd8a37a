package io.github.vtdiag.patch;

import io.github.vtdiag.maven.LocalJars;
import io.github.vtdiag.maven.RunnableJars;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.upgrade.MavenVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * A Kotlin compiler, as a program in jars.
 *
 * @param name its name in notes
 * @param jars the class path of its program
 */
record KotlinCompiler(String name, List<Path> jars) {
  private static final String GROUP = "org.jetbrains.kotlin";

  /**
   * The artifacts that builds use: Gradle and later Maven plugins the first, earlier ones the
   * second.
   */
  private static final List<String> ARTIFACTS =
      List.of("kotlin-compiler-embeddable", "kotlin-compiler");

  private static final String MAIN = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler";

  KotlinCompiler {
    jars = List.copyOf(jars);
  }

  /**
   * Finds the compiler that was named: by a version, which is fetched if the local repository does
   * not have it, by a class path, or by the home of an installed one.
   */
  static KotlinCompiler named(String name) throws DataException {
    if (MavenVersion.isOne(name) && !Files.exists(Path.of(name))) {
      return new KotlinCompiler("Kotlin " + name, ofVersion(name));
    }
    List<Path> jars = new ArrayList<>();
    for (String entry : name.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      Path lib = path.resolve("lib");
      if (Files.isDirectory(path)) {
        jars.addAll(jars(Files.isDirectory(lib) ? lib : path));
      } else if (Files.isRegularFile(path)) {
        jars.add(path);
      }
    }
    if (jars.stream().noneMatch(KotlinCompiler::hasMain)) {
      throw new DataException(
          name
              + " is no Kotlin compiler; --kotlin-compiler takes a version such as 2.2.20, the home"
              + " of an installed compiler, or the jars of kotlin-compiler-embeddable with what it"
              + " needs");
    }
    return new KotlinCompiler(name, jars);
  }

  /**
   * Finds the compiler in the user's local repository that compiled the classes, or else the next
   * later one.
   *
   * @param language the version of Kotlin that the classes show, such as 2.1
   */
  static Optional<KotlinCompiler> installed(String language) {
    LocalJars local = LocalJars.ofUser();
    List<String> versions =
        ARTIFACTS.stream()
            .flatMap(artifact -> local.versions(GROUP, artifact).stream())
            .distinct()
            .filter(MavenVersion::isOne)
            .filter(version -> !MavenVersion.isEarly(version))
            .filter(version -> language(version).equals(language) || isLater(version, language))
            .sorted(
                Comparator.comparing(KotlinCompiler::language, MavenVersion::compare)
                    .thenComparing((a, b) -> MavenVersion.compare(b, a)))
            .toList();
    for (String version : versions) {
      try {
        return Optional.of(new KotlinCompiler("Kotlin " + version, ofVersion(version, true)));
      } catch (DataException e) {
        // A file that it needs is missing, so no build has used it.
      }
    }
    return Optional.empty();
  }

  private static boolean isLater(String version, String language) {
    return MavenVersion.compare(language(version), language) > 0;
  }

  /** Returns the first two numbers of a version. */
  private static String language(String version) {
    return Stream.of(version.split("[.-]", -1)).limit(2).collect(Collectors.joining("."));
  }

  private static List<Path> ofVersion(String version, boolean offline) throws DataException {
    DataException first = null;
    for (String artifact : ARTIFACTS) {
      try {
        return RunnableJars.of(GROUP + ":" + artifact + ":" + version, offline);
      } catch (DataException e) {
        first = first == null ? e : first;
      }
    }
    throw first;
  }

  private static List<Path> ofVersion(String version) throws DataException {
    try {
      return ofVersion(version, true);
    } catch (DataException e) {
      return ofVersion(version, false);
    }
  }

  private static List<Path> jars(Path folder) throws DataException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new DataException(folder + " cannot be listed: " + e.getMessage(), e);
    }
  }

  private static boolean hasMain(Path jar) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.getEntry(MAIN.replace('.', '/') + ".class") != null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the command that compiles with it.
   *
   * @param friends the entries of the class path that the sources see as their own module
   */
  List<String> command(
      Path javaHome, List<String> classPath, List<String> friends, int release, Path classes) {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"));
    command.addAll(
        List.of(
            "-cp",
            jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
    command.add(MAIN);
    command.addAll(List.of("-no-stdlib", "-no-reflect", "-nowarn"));
    command.addAll(List.of("-jvm-target", release <= 8 ? "1.8" : Integer.toString(release)));
    command.addAll(List.of("-jdk-home", javaHome.toString()));
    if (!friends.isEmpty()) {
      command.add("-Xfriend-paths=" + String.join(",", friends));
    }
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
    command.addAll(List.of("-d", classes.toString()));
    return command;
  }
}
