package io.github.vtdiag.owner;

import io.github.vtdiag.owner.Coordinates.Evidence;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * The identity of a jar, as far as the jar tells it.
 *
 * @param itself the coordinates of the whole jar, if anything but the POMs in it tells them
 * @param poms the libraries whose {@code pom.properties} it has: itself, and those it bundles
 * @param highestVersion the JDK whose classes a multi-release jar is asked for; 0 for other jars
 * @param program the class that starts the program in it; empty if it is none
 * @param launcher the launcher that starts that class, if its classes are beside the program's
 */
public record JarIdentity(
    Optional<Coordinates> itself,
    List<BundledPom> poms,
    int highestVersion,
    String program,
    Optional<Coordinates> launcher) {
  /** The package of the launcher in jars that Spring Boot's plugins pack. */
  static final String BOOT_LOADER = "org.springframework.boot.loader.";

  /** The longest POM or manifest that is read; a longer one is no real one. */
  private static final long LONGEST = 4 << 20;

  public Owner owner(String className, String location) {
    if (QuarkusFiles.isWoven(location)) {
      return new Owner.UnknownJar(location);
    }
    return libraryOf(className)
        .<Owner>map(library -> new Owner.Library(library, location))
        .orElseGet(
            () ->
                itself.isEmpty() && poms.isEmpty()
                    ? new Owner.Application(location)
                    : new Owner.UnknownJar(location));
  }

  private Optional<Coordinates> libraryOf(String className) {
    if (launcher.isPresent() && isLaunchers(className)) {
      return launcher;
    }
    Optional<BundledPom> own =
        poms.stream()
            .filter(this::isItself)
            .max(Comparator.comparingInt(pom -> pom.coordinates.artifact().length()));
    if (poms.isEmpty() || (poms.size() == 1 && own.isPresent())) {
      return own.map(this::coordinates).or(() -> itself);
    }
    // A jar that bundles several libraries: the class's package has to tell them apart.
    int best = poms.stream().mapToInt(pom -> pom.fit(className)).max().orElse(0);
    List<BundledPom> fitting =
        poms.stream().filter(pom -> best > 0 && pom.fit(className) == best).toList();
    if (own.isPresent() && fitting.contains(own.get())) {
      return own.map(this::coordinates);
    }
    if (fitting.size() == 1) {
      return Optional.of(fitting.getFirst().coordinates);
    }
    // Modules of a group, and the jar in which the group's build has packed them together.
    if (own.isPresent()
        && !fitting.isEmpty()
        && fitting.stream().allMatch(pom -> isOfGroup(pom, own.get()))) {
      return own.map(this::coordinates);
    }
    // A library whose packages have other names than its group id, with the libraries it bundles.
    if (own.isPresent()
        && !own.get().hasPackages
        && fitting.isEmpty()
        && mayBeOfProgram(className)) {
      return own.map(this::coordinates);
    }
    // A path in a repository is the path of everything in the jar.
    if (itself.filter(jar -> jar.evidence().isSure() || isNameOf(jar, className)).isPresent()) {
      return itself;
    }
    // A library that a program bundles says nothing about the program's own classes.
    return poms.size() == 1 && program.isEmpty()
        ? Optional.of(poms.getFirst().coordinates)
        : Optional.empty();
  }

  /**
   * Returns whether a class may be of the program that the jar starts: it has the package of the
   * main class. Always true if the jar starts none, or a class without a package.
   */
  private boolean mayBeOfProgram(String className) {
    int dot = program.indexOf('.');
    return dot < 0
        || PackageRoot.isInside(
            className, PackageRoot.of(program).orElse(program.substring(0, dot)));
  }

  /**
   * Returns whether a class is the launcher's. A program's own classes are in folders of their own,
   * or have the package of its main class.
   */
  private boolean isLaunchers(String className) {
    return PackageRoot.of(program)
        .map(root -> !PackageRoot.isInside(className, root))
        .orElseGet(() -> !packageOf(className).equals(packageOf(program)));
  }

  private static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  /**
   * Finds the library that a build moved into a package of its own, such as {@code
   * com.acme.shaded}.
   */
  Optional<Coordinates> moved(String className) {
    List<BundledPom> moved = poms.stream().filter(pom -> pom.isMoved(className)).toList();
    return moved.size() == 1 ? Optional.of(moved.getFirst().coordinates) : Optional.empty();
  }

  private boolean isItself(BundledPom pom) {
    String artifact = pom.coordinates.artifact();
    return itself
        .filter(
            jar ->
                jar.artifact().equals(artifact)
                    || withGroup(jar).equals(withGroup(pom.coordinates))
                    || (jar.evidence() == Evidence.MANIFEST
                        && jar.names().stream().anyMatch(name -> endsWith(name, artifact))))
        .isPresent();
  }

  private static boolean isOfGroup(BundledPom pom, BundledPom other) {
    return !pom.coordinates.group().isEmpty()
        && pom.coordinates.group().equals(other.coordinates.group());
  }

  /** Returns the name that some builds give to the jars of a program. */
  private static String withGroup(Coordinates of) {
    return of.group().isEmpty() ? of.artifact() : of.group() + "." + of.artifact();
  }

  /**
   * Returns whether a name in the manifest ends with this artifact id, written with dots or not.
   */
  private static boolean endsWith(String name, String artifact) {
    String plain = ("-" + name.replace('.', '-')).toLowerCase(Locale.ROOT);
    return plain.endsWith(("-" + artifact.replace('.', '-')).toLowerCase(Locale.ROOT));
  }

  /** Returns a POM's coordinates. The version in the file name may be longer: 11.2.3.jre11. */
  private Coordinates coordinates(BundledPom pom) {
    Coordinates told = pom.coordinates;
    String version =
        itself
            .filter(jar -> jar.evidence() != Evidence.MANIFEST)
            .map(Coordinates::version)
            .orElse("");
    return version.startsWith(told.version() + ".")
        ? new Coordinates(told.group(), told.artifact(), version)
        : told;
  }

  private static boolean isNameOf(Coordinates jar, String className) {
    return jar.names().stream().anyMatch(name -> className.startsWith(name + "."));
  }

  /**
   * Reads the identity of a jar.
   *
   * @param location its path on the machine where it ran
   */
  public static JarIdentity of(ZipBytes zip, String location, int jdk) {
    JarManifest manifest = JarManifest.of(zip);
    return new JarIdentity(
        itself(zip, manifest, location),
        poms(zip),
        manifest.isMultiRelease() ? jdk : 0,
        manifest.program().orElse(""),
        manifest.launcher().map(manifest::launcherCoordinates));
  }

  private static Optional<Coordinates> itself(ZipBytes zip, JarManifest manifest, String location) {
    Optional<Coordinates> stored = RepositoryPath.coordinates(location);
    if (stored.isPresent()) {
      return stored;
    }
    Optional<Coordinates> named = RepositoryPath.fromName(location);
    if (named.isEmpty()) {
      return manifest.coordinates();
    }
    String artifact = named.get().artifact();
    Optional<String> group = manifest.group(artifact, packages(zip));
    return Optional.of(
        new Coordinates(
            group.orElse(""),
            artifact,
            named.get().version(),
            group.isPresent() ? Evidence.NAME_AND_MANIFEST : Evidence.FILE_NAME,
            manifest.names()));
  }

  private static List<BundledPom> poms(ZipBytes zip) {
    List<Coordinates> poms = new ArrayList<>();
    for (String name : zip.names()) {
      if (name.startsWith("META-INF/maven/") && name.endsWith("/pom.properties")) {
        pom(zip, name).ifPresent(poms::add);
      }
    }
    List<List<String>> packages =
        poms.isEmpty() ? List.of() : packages(zip).stream().map(BundledPom::parts).toList();
    return poms.stream().distinct().map(pom -> new BundledPom(pom, packages)).toList();
  }

  private static Optional<Coordinates> pom(ZipBytes zip, String name) {
    Properties properties = new Properties();
    try {
      properties.load(new ByteArrayInputStream(small(zip, name).orElse(new byte[0])));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // Damaged: it tells nothing.
    }
    String group = properties.getProperty("groupId", "").strip();
    String artifact = properties.getProperty("artifactId", "").strip();
    String version = properties.getProperty("version", "").strip();
    return RepositoryPath.isId(artifact) && (group.isEmpty() || RepositoryPath.isId(group))
        ? Optional.of(new Coordinates(group, artifact, RepositoryPath.isId(version) ? version : ""))
        : Optional.empty();
  }

  /** Returns the packages that have classes, and those around them. */
  private static Set<String> packages(ZipBytes zip) {
    Set<String> packages = new LinkedHashSet<>();
    for (String name : zip.names()) {
      if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
        int slash = name.lastIndexOf('/');
        while (slash > 0 && packages.add(name.substring(0, slash).replace('/', '.'))) {
          slash = name.lastIndexOf('/', slash - 1);
        }
      }
    }
    return packages;
  }

  /** Returns an entry's bytes, if it is there and no longer than {@link #LONGEST}. */
  static Optional<byte[]> small(ZipBytes zip, String name) throws IOException {
    return zip.has(name) && zip.size(name) <= LONGEST
        ? Optional.of(zip.read(name))
        : Optional.empty();
  }
}
