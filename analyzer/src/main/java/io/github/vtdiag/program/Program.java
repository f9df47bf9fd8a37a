package io.github.vtdiag.program;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * All classes of a program, including its libraries. Only the names of each are kept. Everything
 * else is read again, so the class path stays open as long as the program is used. Classes of the
 * JDK are read when they are asked for.
 */
public final class Program implements Closeable {
  private static final int ONLY_THIS_JDK = 0;

  private final Closeable source;
  private final JdkClasses jdkClasses;
  private final JdkTypes jdk;
  private final int oldestJdk;
  private final TypeHierarchy hierarchy;
  private final ProgramReader reader;
  private UseIndex uses;
  private final List<UnreadClass> unread;
  private final RecentBytes recent;
  private final Optional<CallGraph> calls;

  private Program(
      List<ClassSource> classes,
      JdkClasses jdk,
      ToIntFunction<List<ClassFile>> oldestJdk,
      boolean withCalls,
      Closeable source) {
    this.source = source;
    this.jdkClasses = jdk;
    this.reader = new ProgramReader(classes, withCalls);
    this.oldestJdk =
        oldestJdk.applyAsInt(reader.classes.stream().filter(Objects::nonNull).toList());
    this.jdk = new JdkTypes(jdk, this.oldestJdk);
    this.hierarchy =
        new TypeHierarchy(reader.classes.stream().filter(Objects::nonNull).toList(), this.jdk);
    this.unread = List.copyOf(reader.unread);
    this.recent = reader.recent;
    this.calls = withCalls ? Optional.of(new CallGraph(reader.calls, jdk)) : Optional.empty();
  }

  /**
   * Reads a program from a class path, which is closed with it.
   *
   * @param jdk finds the JDK's classes
   */
  public static Program read(ClassPathBytes classPath, JdkClasses jdk) throws DataException {
    return read(classPath, jdk, classes -> ONLY_THIS_JDK, false);
  }

  /**
   * Reads a program for all JDKs from one version on: what any of them locks is locked.
   *
   * @param jdk the newest of them
   */
  public static Program readForJdks(ClassPathBytes classPath, JdkClasses jdk, int oldest)
      throws DataException {
    return read(classPath, jdk, classes -> oldest, false);
  }

  /**
   * Reads a program for all JDKs that can load some of its classes.
   *
   * @param own takes their names, with dots
   */
  public static Program readForJdksOf(
      ClassPathBytes classPath, JdkClasses jdk, Predicate<String> own) throws DataException {
    return read(classPath, jdk, classes -> newest(classes, own), false);
  }

  private static int newest(List<ClassFile> classes, Predicate<String> own) {
    return classes.stream()
        .filter(type -> !type.isVersioned() && own.test(type.dotted()))
        .mapToInt(ClassFile::javaVersion)
        .max()
        .orElse(ONLY_THIS_JDK);
  }

  /** Reads a program with its call graph. */
  public static Program readWithCalls(ClassPathBytes classPath, JdkClasses jdk)
      throws DataException {
    return read(classPath, jdk, classes -> ONLY_THIS_JDK, true);
  }

  private static Program read(
      ClassPathBytes classPath,
      JdkClasses jdk,
      ToIntFunction<List<ClassFile>> oldestJdk,
      boolean withCalls)
      throws DataException {
    try {
      return new Program(classPath.sources(), jdk, oldestJdk, withCalls, classPath);
    } catch (DataException | RuntimeException e) {
      classPath.close();
      throw e;
    }
  }

  /**
   * Reads a program from memory.
   *
   * @param classes all its classes; of two with one name the first counts
   */
  public static Program read(List<ClassBytes> classes, JdkClasses jdk) {
    return new Program(
        classes.stream().<ClassSource>map(ClassSource.InMemory::new).toList(),
        jdk,
        all -> ONLY_THIS_JDK,
        false,
        () -> {});
  }

  public TypeHierarchy hierarchy() {
    return hierarchy;
  }

  /** Returns the index of uses; it is sorted on the first call. */
  public synchronized UseIndex uses() {
    if (uses == null) {
      uses = reader.index(hierarchy);
    }
    return uses;
  }

  /** Returns the call graph; empty if the program was read without it. */
  public Optional<CallGraph> calls() {
    return calls;
  }

  /** Returns the class files that could not be read. */
  public List<UnreadClass> unread() {
    return unread;
  }

  /** Returns the read errors so far, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    Stream.concat(unread.stream(), recent.unreadable.stream())
        .map(each -> each.text() + ", so what it locks is not known")
        .forEach(problems::add);
    problems.addAll(jdk.problems());
    return problems;
  }

  /**
   * Returns the oldest JDK for which its answers about the JDK hold; 0 for that of its classes
   * only.
   */
  public int oldestJdk() {
    return oldestJdk;
  }

  /**
   * Returns the bytes of a class of the program or of the JDK; empty if it is not there.
   *
   * @param name with slashes
   */
  public Optional<byte[]> classFile(String name) {
    Optional<ClassFile> type = hierarchy.type(name);
    if (type.isPresent()) {
      return type.map(ClassFile::bytes);
    }
    try {
      return jdkClasses.find(name.replace('/', '.')).map(ClassBytes::bytes);
    } catch (DataException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the lock map of a class of the JDK; empty if it is not there.
   *
   * @param name with dots
   */
  public Optional<ClassMonitors> jdkMonitors(String name) {
    try {
      return jdkClasses
          .find(name)
          .map(
              bytes ->
                  LockMaps.read(
                      bytes.bytes(),
                      new ClassRef(name, ""),
                      bytes.location(),
                      ClassMonitors.Evidence.CLASS_PATH));
    } catch (DataException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the names of all its classes, with dots, in order. */
  public List<String> classNames() {
    return hierarchy.types().stream().map(ClassFile::dotted).toList();
  }

  /**
   * Returns the lock maps of those of its classes that hold monitors, with the methods that do.
   *
   * @param isWanted takes names with dots
   */
  public List<ClassMonitors> lockMaps(Predicate<String> isWanted) {
    return hierarchy.types().stream()
        .filter(ClassFile::locks)
        .filter(type -> isWanted.test(type.dotted()))
        .flatMap(type -> monitors(type).stream())
        .toList();
  }

  private static Optional<ClassMonitors> monitors(ClassFile type) {
    try {
      return Optional.of(type.monitors());
    } catch (UnreadableClassException e) {
      return Optional.empty(); // It is among the problems now.
    }
  }

  /**
   * Returns the Java version for which a class, by its name with dots, is compiled; 0 if the class
   * is not here.
   */
  public int javaVersion(String className) {
    return hierarchy.type(className.replace('.', '/')).map(ClassFile::javaVersion).orElse(0);
  }

  /**
   * Returns the version of Kotlin, such as 2.1, from which a class, by its name with dots, is
   * compiled; empty if it is not compiled from Kotlin.
   */
  public Optional<String> kotlinVersion(String className) {
    return hierarchy
        .type(className.replace('.', '/'))
        .flatMap(type -> KotlinMetadata.version(type.bytes()));
  }

  @Override
  public void close() {
    try {
      source.close();
    } catch (IOException e) {
      // The files are only read: nothing can be lost.
    }
  }
}
