package io.github.vtdiag.dump;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.ClassBytes;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The class files of the JVM under diagnosis, as far as they are available. */
public final class TargetClasses implements Closeable {
  /** The only Java whose dumps need class files, and so which classes of a jar. */
  private static final int OLDEST = 21;

  private final Optional<ClassPathBytes> classPath;
  private final Optional<JdkClasses> jdk;

  private TargetClasses(Optional<ClassPathBytes> classPath, Optional<JdkClasses> jdk) {
    this.classPath = classPath;
    this.jdk = jdk;
  }

  /** Opens the class files that the user names. */
  public static TargetClasses named(List<String> classPath) throws DataException {
    return new TargetClasses(Optional.of(ClassPathBytes.open(classPath, OLDEST)), Optional.empty());
  }

  /**
   * Opens the class files that the JVM says it runs; missing ones are left out.
   *
   * @param reached where a file of the JVM's is from here
   */
  public static TargetClasses of(Jvm jvm, UnaryOperator<Path> reached) {
    List<String> entries = new ArrayList<>();
    for (String entry : jvm.property("java.class.path").split(":", -1)) {
      path(jvm.property("user.dir"), entry)
          .map(reached)
          .filter(Files::isReadable)
          .map(Path::toString)
          .filter(name -> !name.contains(":"))
          .ifPresent(entries::add);
    }
    return new TargetClasses(open(entries), jdk(jvm, reached));
  }

  private static Optional<Path> path(String folder, String entry) {
    try {
      return entry.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder).resolve(entry));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<ClassPathBytes> open(List<String> entries) {
    try {
      return Optional.of(ClassPathBytes.open(entries, OLDEST));
    } catch (DataException e) {
      return Optional.empty(); // One is no jar: the JVM takes no class from it either.
    }
  }

  private static Optional<JdkClasses> jdk(Jvm jvm, UnaryOperator<Path> reached) {
    Optional<Path> home = path("/", jvm.property("java.home")).map(reached);
    try {
      return home.isPresent() ? Optional.of(JdkClasses.at(home.get())) : Optional.empty();
    } catch (DataException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the bytes of a class.
   *
   * @param name with dots
   */
  public Optional<byte[]> find(String name) {
    try {
      Optional<ClassBytes> found = Optional.empty();
      if (classPath.isPresent()) {
        found = classPath.get().find(name).stream().findFirst();
      }
      if (found.isEmpty() && jdk.isPresent()) {
        found = jdk.get().find(name);
      }
      return found.map(ClassBytes::bytes);
    } catch (DataException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    classPath.ifPresent(ClassPathBytes::close);
  }
}
