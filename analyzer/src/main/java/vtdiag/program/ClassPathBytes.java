package vtdiag.program;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import vtdiag.model.DataException;

/**
 * Class bytes by name, from jars, class directories, Spring Boot jars and wars. Jars are opened
 * when the class path is; only classes that are asked for are read.
 */
public final class ClassPathBytes implements Closeable {
  private static final Pattern URI_ESCAPE = Pattern.compile("(%[0-9A-Fa-f]{2})+");
  private static final Pattern VERSIONED_NAME = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");

  /**
   * The bytes of one class.
   *
   * @param bytes the class file
   * @param location the jar (nested ones as {@code app.jar!/BOOT-INF/lib/x.jar}) or directory
   * @param owner whose code it is
   */
  @SuppressWarnings("ArrayRecordComponent") // Carried from reader to reader, never compared.
  public record ClassBytes(byte[] bytes, String location, Owner owner) {}

  /** A place where classes are. */
  private sealed interface Root {
    Optional<ClassBytes> find(String className, String file) throws IOException;

    /** The names of all its classes. */
    List<String> classNames() throws IOException;

    String location();
  }

  private record Directory(Path path) implements Root {
    @Override
    public Optional<ClassBytes> find(String className, String file) throws IOException {
      Path found = path.resolve(file);
      return Files.isRegularFile(found)
          ? Optional.of(
              new ClassBytes(
                  Files.readAllBytes(found), location(), new Owner.Application(location())))
          : Optional.empty();
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
  }

  /**
   * A jar, or the part of one that is the application's classes.
   *
   * @param prefix the path of the unnamed package in it, empty or with a slash at its end
   */
  private record Jar(
      ZipBytes zip, String location, String prefix, boolean application, JarCoordinates coordinates)
      implements Root {
    private static final String VERSIONS = "META-INF/versions/";

    @Override
    public Optional<ClassBytes> find(String className, String file) throws IOException {
      String entry = prefix + file;
      if (prefix.isEmpty()) {
        entry = versioned(file);
      }
      return zip.has(entry)
          ? Optional.of(new ClassBytes(zip.read(entry), location, owner(className)))
          : Optional.empty();
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

    /** Cuts off the folder of a multi-release jar that the JDK asked for reads. */
    private String unversioned(String file) {
      int end = file.indexOf('/', VERSIONS.length());
      if (!file.startsWith(VERSIONS) || end < 0) {
        return file;
      }
      String version = file.substring(VERSIONS.length(), end);
      return version.matches("\\d{1,4}")
              && Integer.parseInt(version) <= coordinates.highestVersion()
          ? file.substring(end + 1)
          : file;
    }

    Owner owner(String className) {
      return application ? new Owner.Application(location) : coordinates.owner(className, location);
    }

    private String versioned(String file) {
      for (int version = coordinates.highestVersion(); version > 8; version--) {
        String entry = VERSIONS + version + "/" + file;
        if (zip.has(entry)) {
          return entry;
        }
      }
      return file;
    }
  }

  /**
   * What a jar says of itself.
   *
   * @param libraries from {@code pom.properties}, or else one from the manifest or the file name
   * @param highestVersion the JDK whose classes a multi-release jar is asked for; 0 for other jars
   */
  private record JarCoordinates(List<Coordinates> libraries, int highestVersion) {
    Owner owner(String className, String location) {
      if (libraries.isEmpty()) {
        return new Owner.Application(location);
      }
      if (libraries.size() == 1) {
        return new Owner.Library(libraries.getFirst(), location);
      }
      // A jar that bundles several: the class's package has to tell which one it is from.
      List<Coordinates> matching =
          libraries.stream()
              .filter(library -> className.startsWith(library.group() + "."))
              .toList();
      return matching.size() == 1
          ? new Owner.Library(matching.getFirst(), location)
          : new Owner.UnknownJar(location);
    }
  }

  private final List<Root> roots = new ArrayList<>();
  private final Deque<Closeable> open = new ArrayDeque<>();
  private final int jdk;

  private ClassPathBytes(int jdk) {
    this.jdk = jdk;
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
    ClassPathBytes bytes = new ClassPathBytes(jdk);
    try {
      for (String entries : classPath) {
        for (String entry : entries.split(File.pathSeparator, -1)) {
          if (!entry.isEmpty()) {
            bytes.add(entry);
          }
        }
      }
      return bytes;
    } catch (DataException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  /** Every definition of the class, in the order of the class path. */
  public List<ClassBytes> find(String className) throws DataException {
    String file = className.replace('.', '/') + ".class";
    List<ClassBytes> found = new ArrayList<>();
    for (Root root : roots) {
      try {
        root.find(className, file).ifPresent(found::add);
      } catch (IOException e) {
        throw unreadable(root.location(), e);
      }
    }
    return found;
  }

  /** Every class, in the definition that comes first on the class path. */
  public List<ClassBytes> all() throws DataException {
    Map<String, ClassBytes> first = new LinkedHashMap<>();
    for (Root root : roots) {
      try {
        for (String name : root.classNames()) {
          if (!first.containsKey(name)) {
            root.find(name, name.replace('.', '/') + ".class")
                .ifPresent(bytes -> first.put(name, bytes));
          }
        }
      } catch (IOException | UncheckedIOException e) {
        throw new DataException(
            root.location() + " cannot be read (" + e.getMessage() + "); check --classpath", e);
      }
    }
    return List.copyOf(first.values());
  }

  /** The class in a file, if it is the file of one that can be loaded by its name. */
  private static Optional<String> className(String file) {
    return file.endsWith(".class")
            && !file.startsWith("META-INF/")
            && !file.endsWith("module-info.class")
            && !file.endsWith("package-info.class")
        ? Optional.of(file.substring(0, file.length() - ".class".length()).replace('/', '.'))
        : Optional.empty();
  }

  /**
   * Whose code a class is that was loaded from {@code location} on the machine that recorded: a
   * path or URL of a jar or directory. The jar is asked if it is on this machine too, else its name
   * is.
   */
  public static Owner ownerAt(String location, String className) {
    if (location.isEmpty()) {
      return new Owner.UnknownJar(location);
    }
    if (location.startsWith("jrt:")) {
      return new Owner.Jdk();
    }
    String path = plainPath(location);
    int nested = path.indexOf("!/");
    String file = nested < 0 ? path : path.substring(0, nested);
    String inner = nested < 0 ? "" : path.substring(nested + 2);
    if (inner.endsWith("INF/classes")) {
      return new Owner.Application(path);
    }
    if (inner.isEmpty() && !isArchive(file)) {
      return new Owner.Application(path);
    }
    try (ZipBytes outer = ZipBytes.open(Path.of(file));
        ZipBytes jar = inner.isEmpty() ? null : outer.has(inner) ? outer.openNested(inner) : null) {
      if (inner.isEmpty() || jar != null) {
        return describe(jar == null ? outer : jar, path, 0).owner(className, path);
      }
    } catch (IOException | InvalidPathException e) {
      // Another machine's path: its name has to do.
    }
    return coordinatesFromName(path)
        .<Owner>map(coordinates -> new Owner.Library(coordinates, path))
        .orElse(new Owner.UnknownJar(path));
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        // Only read from: nothing can be lost.
      }
    }
  }

  private void add(String entry) throws DataException {
    Path path;
    try {
      path = Path.of(entry.endsWith("*") ? entry.substring(0, entry.length() - 1) : entry);
    } catch (InvalidPathException e) {
      throw new DataException(entry + " is not a path; give jars and directories", e);
    }
    if (entry.endsWith("*")) {
      addAllJars(path);
    } else if (Files.isDirectory(path)) {
      roots.add(new Directory(path));
    } else if (Files.exists(path)) {
      addJar(path);
    } else {
      throw new DataException(entry + " does not exist; check --classpath");
    }
  }

  private void addAllJars(Path directory) throws DataException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(directory)) {
      jars =
          files
              .filter(file -> file.toString().toLowerCase(Locale.ROOT).endsWith(".jar"))
              .sorted()
              .toList();
    } catch (IOException e) {
      throw new DataException(directory + " is not a readable directory; check --classpath", e);
    }
    for (Path jar : jars) {
      addJar(jar);
    }
  }

  private void addJar(Path file) throws DataException {
    try {
      ZipBytes zip = ZipBytes.open(file);
      open.push(zip);
      addArchive(zip, file.toString());
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
  }

  private void addArchive(ZipBytes zip, String location) throws IOException, DataException {
    JarCoordinates coordinates = describe(zip, location, jdk);
    boolean applicationArchive = false;
    for (String inf : List.of("BOOT-INF/", "WEB-INF/")) {
      if (zip.names().stream().noneMatch(name -> name.startsWith(inf))) {
        continue;
      }
      applicationArchive = true;
      roots.add(
          new Jar(zip, location + "!/" + inf + "classes", inf + "classes/", true, coordinates));
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
    // What else is in an application's archive is the loader that starts it.
    if (!applicationArchive) {
      roots.add(new Jar(zip, location, "", false, coordinates));
    }
  }

  private static JarCoordinates describe(ZipBytes zip, String location, int jdk)
      throws IOException {
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
      return new JarCoordinates(fromPoms, highestVersion);
    }
    String vendor = manifest.getValue("Implementation-Vendor-Id");
    String group = vendor == null ? "" : vendor;
    Optional<Coordinates> single =
        coordinatesFromName(location).or(() -> coordinatesFromManifest(manifest));
    single = single.map(names -> new Coordinates(group, names.artifact(), names.version()));
    return new JarCoordinates(single.map(List::of).orElse(List.of()), highestVersion);
  }

  private static Attributes manifest(ZipBytes zip) throws IOException {
    String name = "META-INF/MANIFEST.MF";
    byte[] bytes = zip.has(name) ? zip.read(name) : new byte[0];
    return new Manifest(new ByteArrayInputStream(bytes)).getMainAttributes();
  }

  /** The name of the file is the artifact id for nearly every jar; the manifest's names are not. */
  private static Optional<Coordinates> coordinatesFromName(String location) {
    String file = location.substring(location.lastIndexOf('/') + 1);
    Matcher matcher = VERSIONED_NAME.matcher(file);
    return matcher.matches()
        ? Optional.of(new Coordinates("", matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  private static Optional<Coordinates> coordinatesFromManifest(Attributes manifest) {
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

  private static String plainPath(String location) {
    String path = location;
    for (String scheme : List.of("jar:", "nested:", "file:")) {
      if (path.startsWith(scheme)) {
        path = path.substring(scheme.length());
      }
    }
    if (!path.equals(location)) {
      path = URI_ESCAPE.matcher(path).replaceAll(ClassPathBytes::unescape);
      path = path.replaceFirst("^/+", "/");
    }
    // Spring Boot writes nested:/app.jar/!BOOT-INF/lib/x.jar!/
    path = path.replace("/!", "!/");
    while (path.endsWith("/") || path.endsWith("!")) {
      path = path.substring(0, path.length() - 1);
    }
    return path;
  }

  private static String unescape(MatchResult escaped) {
    byte[] bytes = HexFormat.of().parseHex(escaped.group().replace("%", ""));
    return Matcher.quoteReplacement(new String(bytes, StandardCharsets.UTF_8));
  }

  private static boolean isArchive(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return name.endsWith(".jar") || name.endsWith(".war") || name.endsWith(".zip");
  }

  private static DataException unreadable(String location, IOException e) {
    return new DataException(
        location + " is not a readable jar (" + e.getMessage() + "); leave it out or replace it",
        e);
  }
}
