package io.github.vtdiag.program;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.JarIdentity;
import io.github.vtdiag.owner.JarManifest;
import io.github.vtdiag.owner.JarOwners;
import io.github.vtdiag.owner.LinkedJars;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.owner.ZipBytes;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Class bytes by name, from jars, class directories, Spring Boot jars and wars. Jars are opened
 * when the class path is; only classes that are asked for are read.
 */
public final class ClassPathBytes implements Closeable {
  private final List<ClassRoot> roots = new ArrayList<>();
  private final Deque<Closeable> open = new ArrayDeque<>();
  private final List<JarOwners.Candidate> jars = new ArrayList<>();
  private final int jdk;
  private final OwnCode own;

  private ClassPathBytes(int jdk, OwnCode own) {
    this.jdk = jdk;
    this.own = own;
  }

  /**
   * Opens a class path.
   *
   * @param classPath entries as {@code java -cp} takes them, each maybe several with the path
   *     separator between: jars, wars, directories, {@code lib/*}
   * @param jdk the feature number that chooses among the classes of multi-release jars
   * @throws DataException if an entry is missing or unreadable
   */
  public static ClassPathBytes open(List<String> classPath, int jdk) throws DataException {
    return open(classPath, jdk, OwnCode.UNTOLD);
  }

  /**
   * Opens a class path about whose owners more is known than the jars say.
   *
   * @param own tells which of them are the application's
   */
  public static ClassPathBytes open(List<String> classPath, int jdk, OwnCode own)
      throws DataException {
    ClassPathBytes bytes = new ClassPathBytes(jdk, own);
    try {
      follow(classPath, bytes::add);
      return bytes;
    } catch (DataException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  /**
   * Returns the entries one by one, with the jars in the place of {@code lib/*}, which only
   * launchers expand, and each jar with those that it brings along.
   *
   * @throws DataException if such a folder cannot be read
   */
  public static List<String> expanded(List<String> classPath) throws DataException {
    return follow(classPath, jar -> Files.isRegularFile(jar) ? LinkedJars.of(jar) : List.of());
  }

  /** Tells which files an entry brings along. */
  private interface Links {
    List<Path> of(Path entry) throws IOException, DataException;
  }

  private static List<String> follow(List<String> classPath, Links links) throws DataException {
    Set<String> followed = new LinkedHashSet<>();
    for (String entries : classPath) {
      for (String entry : entries.split(File.pathSeparator, -1)) {
        if (entry.endsWith("*")) {
          for (Path jar : jars(path(entry.substring(0, entry.length() - 1)))) {
            follow(jar.toString(), links, followed);
          }
        } else if (!entry.isEmpty()) {
          follow(entry, links, followed);
        }
      }
    }
    return List.copyOf(followed);
  }

  private static void follow(String entry, Links links, Set<String> followed) throws DataException {
    if (followed.add(entry)) {
      try {
        for (Path linked : links.of(path(entry))) {
          follow(linked.toString(), links, followed);
        }
      } catch (IOException e) {
        throw cannotBeRead(entry, e);
      }
    }
  }

  /** Returns whether the class path is empty. */
  boolean isEmpty() {
    return roots.isEmpty();
  }

  /**
   * Returns the owners of the code in the jars.
   *
   * @param loaded jars that classes were loaded from, wherever they are
   */
  JarOwners jarOwners(List<JarOwners.Candidate> loaded) {
    return new JarOwners(own, jars, loaded);
  }

  /**
   * Returns every definition of the class, in the order of the class path, with the owners that
   * their jars tell.
   */
  public List<ClassBytes> find(String className) throws DataException {
    List<ClassBytes> found = new ArrayList<>();
    for (ClassRoot root : roots) {
      try {
        Optional<String> entry = root.entry(className);
        if (entry.isPresent()) {
          found.add(new ClassBytes(root.read(entry.get()), root.location(), root.owner(className)));
        }
      } catch (IOException e) {
        throw unreadable(root.location(), e);
      }
    }
    return found;
  }

  /** Returns every class, in the definition that comes first on the class path. */
  public List<ClassBytes> all() throws DataException {
    return all(owner -> true);
  }

  /** Returns every class of some owners, in the definition that comes first on the class path. */
  public List<ClassBytes> all(Predicate<Owner> isWanted) throws DataException {
    List<ClassBytes> all = new ArrayList<>();
    for (ClassSource source : sources()) {
      if (!isWanted.test(source.owner())) {
        continue;
      }
      try {
        all.add(new ClassBytes(source.read(), source.location(), source.owner()));
      } catch (IOException e) {
        throw cannotBeRead(source.location(), e);
      }
    }
    return all;
  }

  /**
   * Returns the day on which the newest class of some owners was written, as far as their jars
   * tell.
   */
  Optional<LocalDate> written(Predicate<Owner> isWanted) throws DataException {
    return sources().stream()
        .filter(source -> isWanted.test(source.owner()))
        .flatMap(source -> source.written().stream())
        .max(Comparator.naturalOrder());
  }

  /** Returns where every class is, in the definition that comes first on the class path. */
  List<ClassSource> sources() throws DataException {
    JarOwners jarOwners = jarOwners(List.of());
    Set<String> names = new HashSet<>();
    List<ClassSource> sources = new ArrayList<>();
    for (ClassRoot root : roots) {
      try {
        for (String name : root.classNames()) {
          if (!names.contains(name)) {
            root.entry(name)
                .ifPresent(
                    entry -> {
                      names.add(name);
                      sources.add(new ClassSource.InRoot(root, name, entry, jarOwners));
                    });
          }
        }
      } catch (IOException | UncheckedIOException e) {
        throw cannotBeRead(root.location(), e);
      }
    }
    return sources;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        // The file is only read: nothing can be lost.
      }
    }
  }

  /** Adds an entry, and returns what it brings along. */
  private List<Path> add(Path entry) throws IOException, DataException {
    if (Files.isDirectory(entry)) {
      roots.add(new ClassRoot.Directory(entry));
      return List.of();
    }
    if (!Files.exists(entry)) {
      throw new DataException(entry + " does not exist; check --classpath");
    }
    return LinkedJars.of(entry, JarManifest.of(addJar(entry)).classPath());
  }

  private static Path path(String entry) throws DataException {
    try {
      return Path.of(entry);
    } catch (InvalidPathException e) {
      throw new DataException(entry + " is not a path; give jars and directories", e);
    }
  }

  private static List<Path> jars(Path directory) throws DataException {
    try {
      return LinkedJars.in(directory);
    } catch (IOException e) {
      throw new DataException(directory + " is not a readable directory; check --classpath", e);
    }
  }

  /** Adds a jar, and returns it. */
  private ZipBytes addJar(Path file) throws DataException {
    try {
      ZipBytes zip = ZipBytes.open(file);
      open.push(zip);
      addArchive(zip, file.toString());
      return zip;
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
  }

  private void addArchive(ZipBytes zip, String location) throws IOException, DataException {
    JarIdentity identity = JarIdentity.of(zip, absolute(location), jdk);
    if (!location.contains("!/")) {
      jars.add(
          new JarOwners.Candidate(
              absolute(location), identity, name -> zip.has(name.replace('.', '/') + ".class")));
    }
    boolean applicationArchive = false;
    for (String inf : List.of("BOOT-INF/", "WEB-INF/")) {
      if (zip.names().stream().noneMatch(name -> name.startsWith(inf))) {
        continue;
      }
      applicationArchive = true;
      roots.add(
          new ClassRoot.Jar(
              zip, location + "!/" + inf + "classes", inf + "classes/", true, identity));
      for (String name : zip.names()) {
        if (name.startsWith(inf + "lib") && name.endsWith(".jar")) {
          String nested = location + "!/" + name;
          try {
            addArchive(zip.openNested(name), nested);
          } catch (IOException e) {
            throw unreadable(nested, e);
          }
        }
      }
    }
    // Classes elsewhere in an application's archive are those of the launcher that starts it, if it
    // has one.
    if (!applicationArchive || identity.launcher().isPresent()) {
      roots.add(new ClassRoot.Jar(zip, location, "", false, identity));
    }
  }

  /**
   * Returns the whole path. It identifies a jar in a repository, also where a shorter path names
   * it.
   */
  private static String absolute(String location) {
    return Path.of(location).toAbsolutePath().normalize().toString();
  }

  private static DataException unreadable(String location, IOException e) {
    return new DataException(
        location + " is not a readable jar (" + e.getMessage() + "); leave it out or replace it",
        e);
  }

  private static DataException cannotBeRead(String location, Exception e) {
    return new DataException(
        location + " cannot be read (" + e.getMessage() + "); check --classpath", e);
  }
}
