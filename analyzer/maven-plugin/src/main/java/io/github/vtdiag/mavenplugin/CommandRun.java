package io.github.vtdiag.mavenplugin;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;

/** The result of a run of the command line. */
final class CommandRun {
  final int exit;
  final String said;

  private CommandRun(int exit, String said) {
    this.exit = exit;
    this.said = said;
  }

  static CommandRun of(List<String> command, File folder) throws MojoExecutionException {
    StringBuilder said = new StringBuilder();
    try {
      Process process =
          new ProcessBuilder(command).directory(folder).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          said.append(said.length() == 0 ? "" : System.lineSeparator()).append(line);
        }
      }
      return new CommandRun(process.waitFor(), said.toString());
    } catch (IOException e) {
      throw new MojoExecutionException("vtdiag cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted while vtdiag ran", e);
    }
  }
}
