package io.github.vtdiag.openrewrite;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The command line, which is inside the recipe's jar, and a run of it. */
final class PatchProcess {
  private static final String JAR = "vtdiag-cli.jar";
  private static final int OLDEST = 21;

  final int exit;
  final List<String> said;

  private PatchProcess(int exit, List<String> said) {
    this.exit = exit;
    this.said = said;
  }

  /**
   * Runs it.
   *
   * @param scratch for the jar
   * @param in the working folder
   */
  static PatchProcess run(Optional<String> javaHome, Path scratch, Path in, List<String> arguments)
      throws IOException {
    Path jar = scratch.resolve(JAR);
    try (InputStream inside = PatchProcess.class.getResourceAsStream("/" + JAR)) {
      if (inside == null) {
        throw new IllegalStateException(
            "this vtdiag-openrewrite has no " + JAR + " inside; use a released one");
      }
      Files.copy(inside, jar);
    }
    List<String> command = new ArrayList<>(Arrays.asList(java(javaHome).toString(), "-jar"));
    command.add(jar.toString());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    List<String> said = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
      }
      return new PatchProcess(process.waitFor(), said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while vtdiag ran", e);
    } finally {
      process.destroy();
    }
  }

  /** Finds a Java that runs it. */
  private static Path java(Optional<String> javaHome) {
    if (javaHome.isPresent()) {
      return inHome(javaHome.get())
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      javaHome.get()
                          + " is no home of Java 21 or later; check the recipe's option javaHome"));
    }
    return Stream.of(System.getProperty("java.home"), System.getenv("JAVA_HOME"))
        .filter(Objects::nonNull)
        .map(PatchProcess::inHome)
        .filter(Optional::isPresent)
        .map(Optional::get)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "vtdiag runs on Java 21 or later, and the build runs on Java "
                        + System.getProperty("java.specification.version")
                        + "; name the home of a newer one with the recipe's option javaHome"));
  }

  private static Optional<Path> inHome(String home) {
    Path java = Paths.get(home, "bin", File.separatorChar == '\\' ? "java.exe" : "java");
    return Files.isExecutable(java) && feature(Paths.get(home)) >= OLDEST
        ? Optional.of(java)
        : Optional.empty();
  }

  /** Returns the version in the JDK's file {@code release}; 0 if it has none. */
  private static int feature(Path home) {
    Properties release = new Properties();
    try (InputStream in = Files.newInputStream(home.resolve("release"))) {
      release.load(in);
    } catch (IOException | IllegalArgumentException e) {
      return 0;
    }
    String digits = release.getProperty("JAVA_VERSION", "").replaceAll("\"?(\\d*).*", "$1");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }
}
