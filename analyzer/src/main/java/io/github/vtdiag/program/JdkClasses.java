package io.github.vtdiag.program;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Owner;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Class bytes of the JDK that recorded: from its own image, and from no other JDK's. */
public final class JdkClasses {
  private static final URI IMAGE = URI.create("jrt:/");

  private final Optional<FileSystem> image;

  /** The modules of each package that was asked for. */
  private final Map<String, List<String>> modules = new ConcurrentHashMap<>();

  private JdkClasses(Optional<FileSystem> image) {
    this.image = image;
  }

  /** Returns the running JVM's, if it is the very build that recorded; else none. */
  public static JdkClasses ifRunning(String jdkVersion) {
    return jdkVersion.equals(System.getProperty("java.vm.version"))
        ? running()
        : new JdkClasses(Optional.empty());
  }

  /** Returns no classes at all. */
  public static JdkClasses none() {
    return new JdkClasses(Optional.empty());
  }

  /** Returns the running JVM's. */
  public static JdkClasses running() {
    return new JdkClasses(Optional.of(FileSystems.getFileSystem(IMAGE)));
  }

  /**
   * Returns those of the JDK installed at {@code home}.
   *
   * @throws DataException if that is no JDK
   */
  public static JdkClasses at(Path home) throws DataException {
    try {
      return new JdkClasses(
          Optional.of(FileSystems.newFileSystem(IMAGE, Map.of("java.home", home.toString()))));
    } catch (IOException
        | FileSystemNotFoundException
        | ProviderNotFoundException
        | IllegalArgumentException e) {
      throw new DataException(home + " is not the home of a JDK 9 or later; check --jdk", e);
    }
  }

  /**
   * Returns the version of the JDK at {@code home}, from its {@code release} file; empty if that
   * tells none.
   *
   * @throws IOException if there is no such file, or it cannot be read
   */
  public static String version(Path home) throws IOException {
    Properties release = new Properties();
    try (Reader in = Files.newBufferedReader(home.resolve("release"))) {
      release.load(in);
    } catch (IllegalArgumentException e) {
      throw new IOException(e);
    }
    return release.getProperty("JAVA_VERSION", "").replace("\"", "");
  }

  /**
   * Returns the feature release of the JDK at {@code home}.
   *
   * @throws DataException if that is no JDK
   */
  public static int feature(Path home) throws DataException {
    try {
      String digits = version(home).split("\\D", 2)[0];
      return digits.isEmpty() || digits.length() > 3
          ? Runtime.version().feature()
          : Integer.parseInt(digits);
    } catch (IOException e) {
      throw new DataException(home + " is not the home of a JDK 9 or later; check --jdk", e);
    }
  }

  /** Returns the class's bytes and location ({@code jrt:/java.base}), if it is in the image. */
  public Optional<ClassBytes> find(String className) throws DataException {
    int dot = className.lastIndexOf('.');
    if (image.isEmpty() || dot < 0) {
      return Optional.empty();
    }
    String file = className.replace('.', '/') + ".class";
    try {
      for (String module : modulesOf(className.substring(0, dot))) {
        Path path = image.get().getPath("/modules", module, file);
        if (Files.exists(path)) {
          return Optional.of(
              new ClassBytes(Files.readAllBytes(path), "jrt:/" + module, new Owner.Jdk()));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new DataException(className + " cannot be read from the JDK's image", e);
    }
  }

  /** Returns the names of the classes of {@code java.base} with this beginning, in one package. */
  List<String> namesFrom(String beginning) {
    int dot = beginning.lastIndexOf('.');
    if (image.isEmpty() || dot < 0) {
      return List.of();
    }
    String packageName = beginning.substring(0, dot);
    Path folder = image.get().getPath("/modules/java.base", packageName.replace('.', '/'));
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.startsWith(beginning.substring(dot + 1)) && file.endsWith(".class"))
          .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private List<String> modulesOf(String packageName) throws IOException {
    List<String> known = modules.get(packageName);
    if (known == null) {
      known = readModulesOf(packageName);
      modules.put(packageName, known);
    }
    return known;
  }

  private List<String> readModulesOf(String packageName) throws IOException {
    Path links = image.orElseThrow().getPath("/packages", packageName);
    if (!Files.isDirectory(links)) {
      return List.of();
    }
    try (Stream<Path> modules = Files.list(links)) {
      return modules.map(module -> module.getFileName().toString()).toList();
    }
  }
}
