package io.github.vtdiag.cli;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/**
 * Options of a build tool that runs vtdiag in the folder of a module. Its user typed a command
 * elsewhere, and reads the output there.
 */
final class BuildToolOptions {
  @Option(
      names = "--typed-in",
      hidden = true,
      paramLabel = "DIR",
      description = "The folder in which the user typed; printed paths are for it.")
  private Path typedIn;

  @Option(
      names = "--advise-with",
      hidden = true,
      paramLabel = "OPTION",
      description = "An option, without its --, of the command that a FAIL names; repeatable.")
  private List<String> adviseWith = List.of();

  /** Returns how paths are printed. */
  UnaryOperator<String> paths() {
    return path -> typedIn == null ? path : from(typedIn, path);
  }

  /** Returns a path as one would type it in a folder. */
  static String from(Path folder, String path) {
    Path here = folder.toAbsolutePath().normalize();
    Path whole = Path.of(path).toAbsolutePath().normalize();
    return whole.startsWith(here) && !whole.equals(here)
        ? here.relativize(whole).toString()
        : whole.toString();
  }

  /**
   * Returns the command that says what to do about recordings, run as this one is; empty if no
   * build tool asks for it.
   */
  Optional<String> next(List<String> recordings) {
    if (typedIn == null) {
      return Optional.empty();
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    // A folder stands for all recordings in it: there may be one of each fork.
    List<String> folders =
        recordings.stream().map(BuildToolOptions::folder).distinct().map(paths()).toList();
    return Optional.of(
        NextCommand.by(List.of(java, "-jar", paths().apply(jar())), "advise")
            .with(folders)
            .withOptions(adviseWith.stream().map(option -> "--" + option).toList())
            .text());
  }

  private static String folder(String recording) {
    return new File(recording).isDirectory()
        ? recording
        : Path.of(recording).toAbsolutePath().getParent().toString();
  }

  private static String jar() {
    try {
      return Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
