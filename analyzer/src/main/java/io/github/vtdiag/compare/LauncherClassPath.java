package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.owner.LinkedJars;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the class path and the module path of a command, as the launcher and the JVM do. */
final class LauncherClassPath {
  private LauncherClassPath() {}

  static List<String> of(JavaCommand command) throws DataException {
    List<String> arguments = new ArrayList<>(command.options());
    arguments.addAll(command.arguments());
    Set<Path> found = new LinkedHashSet<>();
    try {
      for (String entry : entries(arguments)) {
        if (entry.endsWith("*")) {
          Path folder = Path.of(entry.substring(0, entry.length() - 1));
          for (Path jar : Files.isDirectory(folder) ? LinkedJars.in(folder) : List.<Path>of()) {
            add(jar, found);
          }
        } else {
          add(Path.of(entry), found);
        }
      }
    } catch (IOException | InvalidPathException e) {
      throw new DataException("cannot read the class path of the command: " + e.getMessage(), e);
    }
    return found.stream().map(Path::toString).toList();
  }

  /** Returns the jar or the class that a command starts. */
  static Launch launch(JavaCommand command) {
    List<String> arguments = new ArrayList<>(command.options());
    arguments.addAll(command.arguments());
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("-jar") && i + 1 < arguments.size()) {
        return new Launch(arguments.get(i + 1), "");
      }
      if (JavaCommand.CLASS_PATH.contains(argument) || JavaCommand.WITH_VALUE.contains(argument)) {
        i++;
      } else if (!argument.matches("[-@].*")) {
        return Launch.of(argument);
      }
    }
    return Launch.UNKNOWN;
  }

  /** Returns the entries as they are on the command line. */
  static List<String> entries(List<String> arguments) throws DataException {
    String path = System.getenv("CLASSPATH");
    List<String> found = new ArrayList<>();
    int i = 0;
    while (i < arguments.size() && arguments.get(i).matches("[-@].*")) {
      String argument = arguments.get(i);
      String next = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
      if (argument.startsWith("@")) {
        throw new DataException(
            argument + " may set the class path; write its contents on the command line instead");
      }
      if (argument.equals("-jar")) {
        return List.of(next);
      }
      if (argument.equals("-m") || argument.matches("--module(=.*)?")) {
        break;
      }
      if (JavaCommand.CLASS_PATH.contains(argument)) {
        path = next;
        i++;
      } else if (argument.startsWith("--class-path=")) {
        path = argument.substring("--class-path=".length());
      } else if (argument.startsWith("--module-path=")) {
        addModules(argument.substring("--module-path=".length()), found);
      } else if (JavaCommand.WITH_VALUE.contains(argument)) {
        if (argument.equals("-p") || argument.equals("--module-path")) {
          addModules(next, found);
        }
        i++;
      }
      i++;
    }
    if (found.isEmpty() || path != null) {
      found.addAll(split(path == null || path.isEmpty() ? "." : path));
    }
    return found;
  }

  /** Adds the modules of an entry, which is a module or a folder of modules. */
  private static void addModules(String path, List<String> found) {
    for (String entry : split(path)) {
      found.add(entry);
      found.add(entry + "/*");
    }
  }

  /** Splits a path. An empty entry is the working directory. */
  private static List<String> split(String path) {
    return Stream.of(path.split(File.pathSeparator, -1))
        .map(entry -> entry.isEmpty() ? "." : entry)
        .toList();
  }

  /** Adds an entry, unless it does not exist: the JVM skips it. */
  private static void add(Path entry, Set<Path> found) throws IOException {
    if (!Files.exists(entry) || !found.add(entry) || Files.isDirectory(entry)) {
      return;
    }
    for (Path linked : LinkedJars.of(entry)) {
      add(linked, found);
    }
  }
}
