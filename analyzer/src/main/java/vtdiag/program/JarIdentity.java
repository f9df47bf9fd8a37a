package vtdiag.program;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a jar says of itself.
 *
 * @param libraries from {@code pom.properties}, or else one from the manifest or the file name
 * @param highestVersion the JDK whose classes a multi-release jar is asked for; 0 for other jars
 */
record JarIdentity(List<Coordinates> libraries, int highestVersion) {
  private static final Pattern VERSIONED_NAME = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");

  Owner owner(String className, String location) {
    if (libraries.isEmpty()) {
      return new Owner.Application(location);
    }
    if (libraries.size() == 1) {
      return new Owner.Library(libraries.getFirst(), location);
    }
    // A jar that bundles several: the class's package has to tell which one it is from.
    List<Coordinates> matching =
        libraries.stream().filter(library -> className.startsWith(library.group() + ".")).toList();
    return matching.size() == 1
        ? new Owner.Library(matching.getFirst(), location)
        : new Owner.UnknownJar(location);
  }

  static JarIdentity of(ZipBytes zip, String location, int jdk) throws IOException {
    Attributes manifest = manifest(zip);
    int highestVersion = Boolean.parseBoolean(manifest.getValue("Multi-Release")) ? jdk : 0;
    List<Coordinates> fromPoms = new ArrayList<>();
    for (String name : zip.names()) {
      if (name.startsWith("META-INF/maven/") && name.endsWith("/pom.properties")) {
        Properties properties = new Properties();
        properties.load(new ByteArrayInputStream(zip.read(name)));
        fromPoms.add(
            new Coordinates(
                properties.getProperty("groupId", ""),
                properties.getProperty("artifactId", ""),
                properties.getProperty("version", "")));
      }
    }
    if (!fromPoms.isEmpty()) {
      return new JarIdentity(fromPoms, highestVersion);
    }
    String vendor = manifest.getValue("Implementation-Vendor-Id");
    String group = vendor == null ? "" : vendor;
    Optional<Coordinates> single = fromName(location).or(() -> fromManifest(manifest));
    single = single.map(names -> new Coordinates(group, names.artifact(), names.version()));
    return new JarIdentity(single.map(List::of).orElse(List.of()), highestVersion);
  }

  /** The name of the file is the artifact id for nearly every jar; the manifest's names are not. */
  static Optional<Coordinates> fromName(String location) {
    String file = location.substring(location.lastIndexOf('/') + 1);
    Matcher matcher = VERSIONED_NAME.matcher(file);
    return matcher.matches()
        ? Optional.of(new Coordinates("", matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  private static Attributes manifest(ZipBytes zip) throws IOException {
    String name = "META-INF/MANIFEST.MF";
    byte[] bytes = zip.has(name) ? zip.read(name) : new byte[0];
    return new Manifest(new ByteArrayInputStream(bytes)).getMainAttributes();
  }

  private static Optional<Coordinates> fromManifest(Attributes manifest) {
    String name = manifest.getValue("Bundle-SymbolicName");
    String version = manifest.getValue("Bundle-Version");
    if (name == null) {
      name = manifest.getValue(Attributes.Name.IMPLEMENTATION_TITLE);
      version = manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    }
    if (name == null || version == null) {
      return Optional.empty();
    }
    int directive = name.indexOf(';');
    String artifact = directive < 0 ? name : name.substring(0, directive);
    return Optional.of(new Coordinates("", artifact.strip(), version));
  }
}
