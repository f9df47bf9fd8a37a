package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * The folder in which the user typed {@code mvn}. Printed paths and commands are for it: in a
 * multi-module build that is not the folder of the module, in which vtdiag runs.
 */
final class InvocationFolder {
  private static final String OPTIONS = "vtdiag.args";

  private static final Pattern HARMLESS = Pattern.compile("[\\w./:=@%+,-]+");

  private final Path typed;
  private final Path module;

  /**
   * Makes one.
   *
   * @param typed the folder in which the user typed
   * @param module the folder of the module's POM
   */
  InvocationFolder(String typed, File module) {
    this.typed = Paths.get(typed).toAbsolutePath().normalize();
    this.module = module.toPath();
  }

  /** Returns a path as the user would type it. */
  String path(File file) {
    return from(typed, file);
  }

  /** Returns a path as one would type it beside the POM. */
  String inModule(File file) {
    return from(module, file);
  }

  private static String from(Path folder, File file) {
    Path path = file.toPath();
    return path.startsWith(folder) && !path.equals(folder)
        ? folder.relativize(path).toString()
        : path.toString();
  }

  /** Returns what vtdiag said in the module, with recordings named as the user would type them. */
  String resolved(String said, File recordings) {
    List<File> named = new ArrayList<>(ForkRecordings.in(recordings));
    named.add(recordings);
    String resolved = said;
    for (File file : named) {
      resolved =
          resolved.replaceAll(
              "(?<![^\\s:,(])" + Pattern.quote(inModule(file)) + "(?![\\w/])",
              Matcher.quoteReplacement(path(file)));
    }
    return resolved;
  }

  /**
   * Returns a line with the command that says what to do about the recordings in a folder. The
   * class path of a module is long: it is in a file beside the recordings.
   *
   * @param program the words that start vtdiag, the last of which is its jar
   * @param options the options for the classes and their sources
   */
  String next(List<String> program, File recordings, List<String> options)
      throws MojoExecutionException {
    Path file = recordings.toPath().resolve(OPTIONS);
    try {
      Files.write(file, text(options).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new MojoExecutionException(file + " cannot be written: " + e.getMessage(), e);
    }
    List<String> words = new ArrayList<>(program);
    words.set(words.size() - 1, path(new File(words.get(words.size() - 1))));
    words.addAll(Arrays.asList("advise", path(recordings), "@" + path(file.toFile())));
    return words.stream()
        .map(InvocationFolder::quoted)
        .collect(Collectors.joining(" ", System.lineSeparator() + "Next: ", ""));
  }

  private static String text(List<String> options) {
    return options.stream()
        .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
        .collect(Collectors.joining());
  }

  private static String quoted(String word) {
    return HARMLESS.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
