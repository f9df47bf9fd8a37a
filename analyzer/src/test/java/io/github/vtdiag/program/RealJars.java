package io.github.vtdiag.program;

import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Widely used jars of all build tools, stripped to what tells who they are: the manifest, the POMs
 * and one empty class for each package. {@code src/test/jars/pom.xml} has the list, and the command
 * that fetches the jars. What makes {@code jars.zip} of them, and {@code jars.tsv} with what is
 * said of each, is
 *
 * <pre>java -cp agent/core/target/classes:analyzer/target/classes:analyzer/target/test-classes \
 *     io.github.vtdiag.program.RealJars analyzer/src/test/jars/target/repository \
 *     analyzer/src/test/resources/io/github/vtdiag/program</pre>
 *
 * Nothing checks what jars.tsv says but who reads it: look at what changed in it.
 */
final class RealJars {
  /** How a jar lies on a class path. */
  enum Layout {
    MAVEN,
    GRADLE,
    PLAIN,
    BOOT,
    RENAMED
  }

  /**
   * One jar.
   *
   * @param path its path in a Maven repository
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record RealJar(String path, byte[] bytes) {
    private List<String> parts() {
      return Arrays.asList(path.split("/", -1));
    }

    String group() {
      return String.join(".", parts().subList(0, parts().size() - 3));
    }

    String artifact() {
      return parts().get(parts().size() - 3);
    }

    String version() {
      return parts().get(parts().size() - 2);
    }

    String file() {
      return parts().getLast();
    }

    String coordinates() {
      return group() + ":" + artifact() + " " + version();
    }

    /** Where it lies, below some folder. */
    String path(Layout layout) {
      return switch (layout) {
        case MAVEN -> ".m2/repository/" + path;
        case GRADLE ->
            ".gradle/caches/modules-2/files-2.1/%s/%s/%s/0123456789abcdef0123456789abcdef01234567/%s"
                .formatted(group(), artifact(), version(), file());
        case PLAIN -> "app/lib/" + file();
        case BOOT -> "app.jar!/BOOT-INF/lib/" + file();
        case RENAMED -> "app/lib.jar";
      };
    }

    List<String> classes() throws IOException {
      try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
        Stream.Builder<String> classes = Stream.builder();
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          String name = entry.getName();
          if (name.endsWith(".class")) {
            classes.add(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
          }
        }
        return classes.build().toList();
      }
    }
  }

  private RealJars() {}

  static List<RealJar> load() throws IOException {
    try (InputStream in = RealJars.class.getResourceAsStream("jars.zip");
        ZipInputStream zip = new ZipInputStream(in)) {
      Stream.Builder<RealJar> jars = Stream.builder();
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        jars.add(new RealJar(entry.getName(), zip.readAllBytes()));
      }
      return jars.build().toList();
    }
  }

  /** What is said of each class in a jar: each different answer with the first class of it. */
  static Map<String, String> answers(Path root, String location, List<String> classes) {
    Map<String, String> answers = new LinkedHashMap<>();
    Function<String, Owner> owners = LoadedFrom.owners(root + "/" + location);
    for (String each : classes) {
      answers.putIfAbsent(answer(owners.apply(each)), each);
    }
    return answers;
  }

  private static String answer(Owner owner) {
    return switch (owner) {
      case Owner.Application application -> "application";
      case Owner.Library(Coordinates library, String location) ->
          library.text() + "\t" + library.evidence();
      case Owner.Jdk jdk -> "JDK";
      case Owner.UnknownJar unknown -> "unknown";
    };
  }

  /** The lines of jars.tsv for one jar. */
  static List<String> lines(RealJar jar, Path root) throws IOException {
    Stream.Builder<String> lines = Stream.builder();
    for (Layout layout : List.of(Layout.PLAIN, Layout.RENAMED)) {
      Path file = root.resolve(jar.path(layout));
      Files.createDirectories(file.getParent());
      Files.write(file, jar.bytes());
      answers(root, jar.path(layout), jar.classes())
          .forEach(
              (answer, type) ->
                  lines.add(String.join("\t", jar.coordinates(), layout.toString(), type, answer)));
      Files.delete(file);
    }
    return lines.build().toList();
  }

  public static void main(String[] args) throws IOException {
    Path repository = Path.of(args[0]);
    Path out = Path.of(args[1]);
    List<Path> files;
    try (Stream<Path> all = Files.walk(repository)) {
      files = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StringBuilder lines = new StringBuilder();
    Path folder = Files.createTempDirectory("jars");
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Path file : files) {
        RealJar jar = new RealJar(repository.relativize(file).toString(), strip(file));
        zip.putNextEntry(entry(jar.path()));
        zip.write(jar.bytes());
        zip.closeEntry();
        lines(jar, folder).forEach(line -> lines.append(line).append('\n'));
      }
    }
    Files.write(out.resolve("jars.zip"), bytes.toByteArray());
    Files.writeString(out.resolve("jars.tsv"), lines, StandardCharsets.UTF_8);
  }

  private static byte[] strip(Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Set<String> packages = new TreeSet<>();
    try (ZipFile jar = new ZipFile(file.toFile());
        ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setLevel(0); // The zip around it packs better.
      for (ZipEntry entry : jar.stream().map(ZipEntry.class::cast).toList()) {
        String name = entry.getName();
        boolean isClass =
            name.endsWith(".class") && !name.startsWith("META-INF/") && name.contains("/");
        if (isClass && packages.add(name.substring(0, name.lastIndexOf('/')))) {
          zip.putNextEntry(entry(name));
        } else if (name.equals("META-INF/MANIFEST.MF") || name.endsWith("/pom.properties")) {
          zip.putNextEntry(entry(name));
          zip.write(jar.getInputStream(entry).readAllBytes());
        }
      }
    }
    return bytes.toByteArray();
  }

  /** With no time in it, so that the same jars make the same file. */
  private static ZipEntry entry(String name) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.of(2020, 1, 1, 0, 0));
    return entry;
  }
}
