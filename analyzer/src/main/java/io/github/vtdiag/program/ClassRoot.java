package io.github.vtdiag.program;

import io.github.vtdiag.owner.JarIdentity;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.owner.ZipBytes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A place on a class path that contains classes. */
sealed interface ClassRoot {
  /** Returns the path in it of the file that defines a class. */
  Optional<String> entry(String className) throws IOException;

  byte[] read(String entry) throws IOException;

  /** Returns the names of all its classes, in order. */
  List<String> classNames() throws IOException;

  String location();

  Owner owner(String className);

  private static String file(String className) {
    return className.replace('.', '/') + ".class";
  }

  /** Returns the class in a file, if a class can be loaded from it by its name. */
  private static Optional<String> className(String file) {
    return file.endsWith(".class")
            && !file.startsWith("META-INF/")
            && !file.startsWith("BOOT-INF/")
            && !file.startsWith("WEB-INF/")
            && !file.endsWith("module-info.class")
            && !file.endsWith("package-info.class")
        ? Optional.of(file.substring(0, file.length() - ".class".length()).replace('/', '.'))
        : Optional.empty();
  }

  /** A directory of class files. */
  record Directory(Path path) implements ClassRoot {
    @Override
    public Optional<String> entry(String className) {
      String file = file(className);
      return Files.isRegularFile(path.resolve(file)) ? Optional.of(file) : Optional.empty();
    }

    @Override
    public byte[] read(String entry) throws IOException {
      return Files.readAllBytes(path.resolve(entry));
    }

    @Override
    public List<String> classNames() throws IOException {
      try (Stream<Path> files = Files.walk(path)) {
        return files
            .map(file -> path.relativize(file).toString().replace(File.separatorChar, '/'))
            .flatMap(file -> className(file).stream())
            .sorted()
            .toList();
      }
    }

    @Override
    public String location() {
      return path.toString();
    }

    @Override
    public Owner owner(String className) {
      return new Owner.Application(location());
    }
  }

  /**
   * A jar, or the part of one that is the application's classes.
   *
   * @param prefix the path of the unnamed package in it, empty or with a slash at its end
   */
  record Jar(
      ZipBytes zip, String location, String prefix, boolean application, JarIdentity identity)
      implements ClassRoot {
    private static final String VERSIONS = "META-INF/versions/";

    @Override
    public Optional<String> entry(String className) {
      String file = file(className);
      String entry = prefix.isEmpty() ? versioned(file) : prefix + file;
      return zip.has(entry) ? Optional.of(entry) : Optional.empty();
    }

    @Override
    public byte[] read(String entry) throws IOException {
      return zip.read(entry);
    }

    @Override
    public List<String> classNames() {
      return zip.names().stream()
          .filter(name -> name.startsWith(prefix))
          .map(name -> unversioned(name.substring(prefix.length())))
          .flatMap(file -> className(file).stream())
          .distinct()
          .sorted()
          .toList();
    }

    /** Removes the folder of a multi-release jar that the JDK in question reads. */
    private String unversioned(String file) {
      int end = file.indexOf('/', VERSIONS.length());
      if (!file.startsWith(VERSIONS) || end < 0) {
        return file;
      }
      String version = file.substring(VERSIONS.length(), end);
      return version.matches("\\d{1,4}") && Integer.parseInt(version) <= identity.highestVersion()
          ? file.substring(end + 1)
          : file;
    }

    private String versioned(String file) {
      for (int version = identity.highestVersion(); version > 8; version--) {
        String entry = VERSIONS + version + "/" + file;
        if (zip.has(entry)) {
          return entry;
        }
      }
      return file;
    }

    @Override
    public Owner owner(String className) {
      return application ? new Owner.Application(location) : identity.owner(className, location);
    }
  }
}
