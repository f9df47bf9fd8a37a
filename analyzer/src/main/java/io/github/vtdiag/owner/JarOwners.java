package io.github.vtdiag.owner;

import io.github.vtdiag.model.Launch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The owners of the code in jars. The application's own is what the user says is, and the jar that
 * was started. So are jars that share its group id or its package root, and what a build put into
 * its output folder. All other code belongs to others, as its jar says.
 */
public final class JarOwners {
  /**
   * The folders where Maven and Gradle put the jar of a module: {@code target} and {@code
   * build/libs}.
   */
  private static final Pattern BUILD_OUTPUT =
      Pattern.compile(
          "(?:.*[/\\\\])?(?:target|build[/\\\\]libs|quarkus-app[/\\\\]app)[/\\\\][^/\\\\!]+\\.(?:jar|war)");

  /**
   * A jar that may be the one that was started.
   *
   * @param location its path; that of a whole file
   * @param hasClass whether a class, by its name with dots, is in it
   */
  public record Candidate(String location, JarIdentity identity, Predicate<String> hasClass) {
    String fileName() {
      return JarOwners.fileName(location);
    }
  }

  private final OwnCode said;
  private final List<Candidate> startedJars = new ArrayList<>();
  private final Set<String> started = new HashSet<>();
  private final Set<String> groups = new HashSet<>();
  private final Set<String> packages = new HashSet<>();

  /** True if Quarkus built a program that was started. */
  private final boolean ofQuarkus;

  /** The jars that were built with the program, by location; asked of each class of a program. */
  private final Map<String, Boolean> built = new ConcurrentHashMap<>();

  /** The file names of started jars that are not at hand. */
  private final Set<String> elsewhere = new HashSet<>();

  /**
   * @param classPath the jars of the class path, in its order
   * @param loaded other jars, from which classes were loaded
   */
  public JarOwners(OwnCode said, List<Candidate> classPath, List<Candidate> loaded) {
    this.said = said;
    List<Candidate> all = new ArrayList<>(classPath);
    all.addAll(loaded);
    this.ofQuarkus =
        Stream.concat(
                all.stream().map(Candidate::fileName),
                said.launches().stream().map(Launch::jarName))
            .anyMatch(QuarkusFiles.RUNNER::equals);
    for (Candidate jar : all) {
      // The jar that a launcher starts is a program, and a built jar belongs to the builder.
      if (jar.identity().launcher().isPresent() || isBuiltWithProgram(jar.location())) {
        addStart(jar);
      }
    }
    for (Launch launch : said.launches()) {
      if (!launch.jar().isEmpty()) {
        addJar(launch.jarName(), all);
      } else if (!Launchers.has(launch.mainClass())) {
        addMainClass(launch.mainClass(), all);
      }
    }
  }

  private boolean isBuiltWithProgram(String location) {
    return built.computeIfAbsent(
        location,
        jar ->
            BUILD_OUTPUT.matcher(jar).matches() || (ofQuarkus && QuarkusFiles.isApplication(jar)));
  }

  private void addJar(String name, List<Candidate> all) {
    List<Candidate> named =
        all.stream()
            .filter(jar -> jar.fileName().equals(name) && !jar.identity().program().isEmpty())
            .toList();
    if (named.isEmpty()) {
      elsewhere.add(name);
    }
    named.forEach(this::addStart);
  }

  private void addStart(Candidate jar) {
    add(jar, jar.identity().program());
    addPackage(jar.identity().program());
  }

  private void addMainClass(String name, List<Candidate> all) {
    all.stream().filter(jar -> jar.hasClass().test(name)).limit(1).forEach(jar -> add(jar, name));
    addPackage(name);
  }

  private void addPackage(String mainClass) {
    if (!Launchers.has(mainClass)) {
      PackageRoot.of(mainClass).ifPresent(packages::add);
    }
  }

  private void add(Candidate jar, String mainClass) {
    startedJars.add(jar);
    Owner start = jar.identity().owner(mainClass, jar.location());
    if (start instanceof Owner.Library(Coordinates own, String location)) {
      started.add(own.text());
      if (!own.group().isEmpty()) {
        groups.add(own.group());
      }
    }
  }

  /** Returns the owner of a class, given the owner that its jar tells. */
  public Owner of(Owner told, String className) {
    return switch (told) {
      case Owner.Application application -> told;
      case Owner.Jdk jdk -> told;
      case Owner.Library(Coordinates library, String location) -> {
        Owner.Application own = new Owner.Application(location, Optional.of(library));
        yield said.isNamed(told, className)
            ? own
            : isOwn(library, location, className) ? unlessMoved(own, className) : told;
      }
      case Owner.UnknownJar(String location) -> {
        Owner.Application own = new Owner.Application(location);
        yield said.isNamed(told, className)
            ? own
            : isInOwnPackage(className) || elsewhere.contains(fileName(location))
                ? unlessMoved(own, className)
                : told;
      }
    };
  }

  /**
   * Returns the owner of a class. It is the library if a build packed one into the program, and
   * moved it into one of the program's packages.
   */
  private Owner unlessMoved(Owner.Application own, String className) {
    return startedJars.stream()
        .filter(jar -> jar.fileName().equals(fileName(own.location())))
        .flatMap(jar -> jar.identity().moved(className).stream())
        .findFirst()
        .<Owner>map(library -> new Owner.Library(library, own.location()))
        .orElse(own);
  }

  private boolean isOwn(Coordinates library, String location, String className) {
    if (started.contains(library.text())
        || (isItself(library, location)
            && (isBuiltWithProgram(location) || elsewhere.contains(fileName(location))))) {
      return true;
    }
    if (library.group().isEmpty()) {
      return isInOwnPackage(className);
    }
    return groups.stream().anyMatch(group -> shares(library.group(), group))
        // If no group id is known to be own, the package decides.
        || (groups.isEmpty() && isInOwnPackage(library.group()));
  }

  /** Returns whether these are the coordinates of the jar, not of a library packed into it. */
  private static boolean isItself(Coordinates library, String location) {
    return fileName(location).startsWith(library.artifact());
  }

  private static boolean shares(String group, String own) {
    return group.equals(own) || (PackageRoot.isOneOwners(own) && PackageRoot.isInside(group, own));
  }

  private boolean isInOwnPackage(String className) {
    return packages.stream().anyMatch(root -> PackageRoot.isInside(className, root));
  }

  static String fileName(String location) {
    return location.substring(Math.max(location.lastIndexOf('/'), location.lastIndexOf('\\')) + 1);
  }
}
