package io.github.vtdiag.owner;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The folder of a program that Quarkus builds: {@code quarkus-run.jar}, and beside it {@code app}
 * with the application's own jars, {@code lib} with the libraries, and {@code quarkus} with what
 * the build made.
 */
final class QuarkusFiles {
  static final String RUNNER = "quarkus-run.jar";

  private static final Pattern APPLICATION = inFolder("app", "[^/\\\\]+");

  /** Named after group id and artifact id, with a dot between them. */
  private static final Pattern LIBRARY = inFolder("lib[/\\\\](?:main|boot)", "[^/\\\\]+");

  /** Copies of classes of any library and of the application, and classes for them. */
  private static final Pattern WOVEN = inFolder("quarkus", "(?:transformed|generated)-bytecode");

  private QuarkusFiles() {}

  private static Pattern inFolder(String folder, String name) {
    return Pattern.compile("(?:.*[/\\\\])?" + folder + "[/\\\\]" + name + "\\.jar");
  }

  static boolean isApplication(String jar) {
    return APPLICATION.matcher(jar).matches();
  }

  static boolean isLibrary(String jar) {
    return LIBRARY.matcher(jar).matches();
  }

  static boolean isWoven(String jar) {
    // Asked of each class of a program: most paths need no match.
    return jar.endsWith("-bytecode.jar") && WOVEN.matcher(jar).matches();
  }

  /** Returns the folders whose jars the runner loads; the built classes count before copies. */
  static List<Path> folders(Path runner) {
    return List.of(
        runner.resolveSibling("app"),
        runner.resolveSibling("lib").resolve("main"),
        runner.resolveSibling("quarkus"));
  }
}
