package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/** Finds a Java on which vtdiag's command line runs. */
final class JavaToRun {
  private static final int OLDEST = 21;

  private JavaToRun() {}

  /**
   * Finds the program.
   *
   * @param named the home that the user named, or null
   */
  static File find(File named, ToolchainManager toolchains, MavenSession session)
      throws MojoExecutionException {
    if (named != null) {
      return inHome(named)
          .orElseThrow(
              () ->
                  new MojoExecutionException(
                      named + " is no home of Java 21 or later; check vtdiag.jdk"));
    }
    Toolchain toolchain = toolchains.getToolchainFromBuildContext("jdk", session);
    return Stream.of(
            Optional.ofNullable(toolchain)
                .map(chain -> chain.findTool("java"))
                .map(java -> new File(java).getParentFile().getParentFile()),
            Optional.of(new File(System.getProperty("java.home"))),
            Optional.ofNullable(System.getenv("JAVA_HOME")).map(File::new))
        .filter(Optional::isPresent)
        .map(Optional::get)
        .map(JavaToRun::inHome)
        .filter(Optional::isPresent)
        .map(Optional::get)
        .findFirst()
        .orElseThrow(
            () ->
                new MojoExecutionException(
                    "vtdiag reads recordings on Java 21 or later, and Maven runs on Java "
                        + System.getProperty("java.specification.version")
                        + "; name the home of a newer one with -Dvtdiag.jdk=HOME, or use a"
                        + " toolchain"));
  }

  private static Optional<File> inHome(File home) {
    File java = new File(home, File.separatorChar == '\\' ? "bin/java.exe" : "bin/java");
    return java.canExecute() && feature(home) >= OLDEST ? Optional.of(java) : Optional.empty();
  }

  /** Returns the version in the JDK's file {@code release}; 0 if it has none. */
  private static int feature(File home) {
    Properties release = new Properties();
    try (InputStream in = Files.newInputStream(home.toPath().resolve("release"))) {
      release.load(in);
    } catch (IOException | IllegalArgumentException e) {
      return 0;
    }
    String digits = release.getProperty("JAVA_VERSION", "").replaceAll("\"?(\\d*).*", "$1");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }
}
