package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * The command line, which is inside the plugin, and the agent, which is inside the command line.
 */
final class CarriedJars {
  private static final String COMMAND_LINE = "vtdiag-cli.jar";
  private static final String AGENT = "vtdiag.jar";

  private CarriedJars() {}

  static File commandLine(File folder) throws MojoExecutionException {
    Path to = folder.toPath().resolve(COMMAND_LINE);
    try (InputStream jar = CarriedJars.class.getResourceAsStream("/" + COMMAND_LINE)) {
      if (jar == null) {
        throw new MojoExecutionException(
            "this vtdiag-maven-plugin has no " + COMMAND_LINE + " inside; install a released one");
      }
      copy(jar, to);
    } catch (IOException e) {
      throw cannotWrite(to, e);
    }
    return to.toFile();
  }

  static File agent(File folder) throws MojoExecutionException {
    Path to = folder.toPath().resolve(AGENT);
    try (ZipFile commandLine = new ZipFile(commandLine(folder))) {
      ZipEntry agent = commandLine.getEntry(AGENT);
      try (InputStream jar = commandLine.getInputStream(agent)) {
        copy(jar, to);
      }
    } catch (IOException e) {
      throw cannotWrite(to, e);
    }
    return to.toFile();
  }

  /** Copies a jar, but not over an existing one: a JVM may still run from it. */
  private static void copy(InputStream from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Path whole = Files.createTempFile(to.getParent(), ".vtdiag", ".tmp");
    try {
      Files.copy(from, whole, StandardCopyOption.REPLACE_EXISTING);
      Files.move(whole, to, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private static MojoExecutionException cannotWrite(Path file, IOException e) {
    return new MojoExecutionException(file + " cannot be written: " + e.getMessage(), e);
  }
}
