package io.github.vtdiag.owner;

import io.github.vtdiag.owner.Coordinates.Evidence;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The manifest of a jar, as far as it identifies the library in it. */
public final class JarManifest {
  private static final String TITLE = "Implementation-Title";
  private static final String PATH = "META-INF/MANIFEST.MF";

  /** A version in Maven's form; a suffix of the build, like a commit, does not belong to it. */
  private static final Pattern VERSION =
      Pattern.compile(
          "(?i)\\d{1,8}(\\.\\d{1,8}){0,6}([.-](final|release|ga|jre\\d*|android|snapshot"
              + "|(alpha|beta|m|rc|cr)[.-]?\\d{0,4}))?");

  private static final Pattern BUNDLE_VERSION = Pattern.compile("\\d+(\\.\\d+){0,2}");
  private static final Pattern NO_ID = Pattern.compile("[^\\w.-]+");

  /** A title that Ivy and some Gradle plugins write: group#artifact;version. */
  private static final Pattern IVY_TITLE = Pattern.compile("([\\w.-]+)#([\\w.-]+);.+");

  /** The end of artifact ids that sbt wrote. It then wrote the group id as the vendor, too. */
  private static final Pattern SCALA = Pattern.compile("_(2\\.1\\d|3)$");

  /** The length of a common part of two names that is no coincidence. */
  private static final int STEM = 4;

  private final Attributes attributes;

  private JarManifest(Attributes attributes) {
    this.attributes = attributes;
  }

  /** Reads the manifest of a jar; a damaged or missing one counts as empty. */
  public static JarManifest of(ZipBytes zip) {
    Attributes attributes = new Attributes();
    try {
      Optional<byte[]> bytes = JarIdentity.small(zip, PATH);
      if (bytes.isPresent()) {
        attributes = new Manifest(new ByteArrayInputStream(bytes.get())).getMainAttributes();
      }
    } catch (IOException e) {
      // A JVM cannot read this manifest either.
    }
    return new JarManifest(attributes);
  }

  /** Returns the class that starts the program in it, behind a launcher if there is one. */
  Optional<String> program() {
    return id("Start-Class").or(() -> id("Main-Class"));
  }

  /**
   * Returns the main class of a launcher that starts the program; empty if there is no launcher.
   */
  Optional<String> launcher() {
    return id("Start-Class").flatMap(start -> id("Main-Class").filter(main -> !main.equals(start)));
  }

  /** Returns the coordinates of a launcher, by its class and the manifest. */
  Coordinates launcherCoordinates(String launcher) {
    int dot = launcher.lastIndexOf('.');
    return launcher.startsWith(JarIdentity.BOOT_LOADER)
        ? new Coordinates(
            "org.springframework.boot",
            "spring-boot-loader",
            version("Spring-Boot-Version"),
            Evidence.MANIFEST)
        : new Coordinates(
            "", dot < 0 ? launcher : launcher.substring(0, dot), "", Evidence.MANIFEST);
  }

  /** Returns the relative URLs of the files that belong to the class path, too. */
  public List<String> classPath() {
    String path = value("Class-Path").strip();
    return path.isEmpty() ? List.of() : List.of(path.split("\\s+"));
  }

  boolean isMultiRelease() {
    return Boolean.parseBoolean(attributes.getValue("Multi-Release"));
  }

  /** Returns all names of the library in the manifest that look like an id. */
  List<String> names() {
    return Stream.of(
            id("Bundle-SymbolicName"),
            id("Automatic-Module-Name"),
            id("Extension-Name"),
            id("Bundle-Name"),
            title("Bundle-Name"),
            id(TITLE),
            title(TITLE))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  /** Returns the coordinates of a jar whose file name tells nothing, as far as there are any. */
  Optional<Coordinates> coordinates() {
    return id("Bundle-SymbolicName")
        .or(() -> id("Automatic-Module-Name"))
        .or(() -> id("Extension-Name"))
        // A title alone proves nothing: build tools write one into applications too.
        .or(() -> value("Implementation-Version").isBlank() ? Optional.empty() : title(TITLE))
        .map(name -> new Coordinates("", name, version(), Evidence.MANIFEST, names()));
  }

  /**
   * Finds the group id of a jar whose artifact id is known, if the manifest's names leave no doubt:
   * they have the artifact id in them, or the group id goes with it.
   */
  Optional<String> group(String artifact, Set<String> packages) {
    Set<String> groups = new TreeSet<>();
    Matcher ivy = IVY_TITLE.matcher(value(TITLE));
    if (ivy.matches() && ivy.group(2).equals(artifact)) {
      return Optional.of(ivy.group(1));
    }
    String module = id("Automatic-Module-Name").orElse("");
    for (String name : names()) {
      int dot = name.lastIndexOf('.');
      if (dot < 0) {
        continue;
      }
      String parent = name.substring(0, dot);
      String last = name.substring(dot + 1);
      if (last.equals(artifact)) {
        if (goesWith(parent, artifact)) {
          groups.add(parent);
        }
      } else if ((last.startsWith(artifact) && !packages.contains(name))
          || (artifact.startsWith(last + "-") && !module.equals(name))) {
        groups.add(name);
      }
    }
    vendor(artifact).ifPresent(groups::add);
    return groups.size() == 1 ? Optional.of(groups.iterator().next()) : Optional.empty();
  }

  /**
   * Returns the vendor's id. Many builds write the group id there, and as many the beginning of it.
   */
  private Optional<String> vendor(String artifact) {
    return id("Implementation-Vendor-Id")
        .filter(
            vendor ->
                SCALA.matcher(artifact).find()
                    || vendor.substring(vendor.lastIndexOf('.') + 1).equals(artifact)
                    || (goesWith(vendor, artifact)
                        && names().stream().anyMatch(artifact::equalsIgnoreCase)
                        && !goesOn(vendor, artifact)));
  }

  /** Returns whether a name in the manifest continues the vendor's id with something foreign. */
  private boolean goesOn(String vendor, String artifact) {
    return names().stream()
        .filter(name -> name.startsWith(vendor + "."))
        .map(name -> name.substring(vendor.length() + 1).split("\\.", -1)[0])
        .anyMatch(next -> !artifact.contains(next));
  }

  /** Returns whether the last part of a group id has a part in common with the artifact id. */
  private static boolean goesWith(String group, String artifact) {
    String a = group.substring(group.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    String b = artifact.toLowerCase(Locale.ROOT);
    for (int i = 0; i + STEM <= a.length(); i++) {
      if (b.contains(a.substring(i, i + STEM))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the version. A bundle's is often one of its own. It counts if the packages are exported
   * in it, and if it has no fourth part, which in Maven's version may stand after a hyphen.
   */
  private String version() {
    String bundle = version("Bundle-Version");
    String implementation = version("Implementation-Version");
    boolean isExported = value("Export-Package").contains("version=\"" + bundle + "\"");
    return implementation.isEmpty() && isExported && BUNDLE_VERSION.matcher(bundle).matches()
        ? bundle
        : implementation;
  }

  /** Returns a value up to the first space; empty if that is no version. */
  private String version(String name) {
    String version = value(name).strip().split("\\s", 2)[0];
    return VERSION.matcher(version).matches() ? version : "";
  }

  private String value(String name) {
    return Objects.requireNonNullElse(attributes.getValue(name), "");
  }

  /** Returns a value, without the directives of a bundle's name, if it looks like an id. */
  private Optional<String> id(String name) {
    String id = value(name).split(";", 2)[0].strip();
    return RepositoryPath.isId(id) ? Optional.of(id) : Optional.empty();
  }

  /** Returns a title in the form of an id: "MySQL Connector/J" is mysql-connector-j. */
  private Optional<String> title(String name) {
    String title = value(name).strip();
    Matcher ivy = IVY_TITLE.matcher(title);
    String id =
        ivy.matches()
            ? ivy.group(1) + "." + ivy.group(2)
            : RepositoryPath.isId(title)
                ? title
                : NO_ID.matcher(title.toLowerCase(Locale.ROOT)).replaceAll("-");
    return RepositoryPath.isId(id) ? Optional.of(id) : Optional.empty();
  }
}
