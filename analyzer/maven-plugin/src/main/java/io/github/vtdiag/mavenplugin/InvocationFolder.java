package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * The folder in which the user typed {@code mvn}. Printed paths and commands are for it: in a
 * multi-module build that is not the folder of the module, in which vtdiag runs.
 */
final class InvocationFolder {
  private final Path typed;

  /**
   * Makes one.
   *
   * @param typed the folder in which the user typed
   */
  InvocationFolder(String typed) {
    this.typed = Paths.get(typed).toAbsolutePath().normalize();
  }

  /** Returns the folder in which the user typed. */
  Path typed() {
    return typed;
  }

  /** Returns a path as the user would type it. */
  String path(File file) {
    Path path = file.toPath();
    return path.startsWith(typed) && !path.equals(typed)
        ? typed.relativize(path).toString()
        : path.toString();
  }
}
