package io.github.vtdiag.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * A Gradle to run, made of {@code dev.gradleplugins:gradle-api}: all of Gradle's own code in one
 * jar, with its libraries inside under other names. Gradle's distribution is in no registry of Java
 * libraries. The jar lacks the Kotlin DSL, the daemon's main class and the incremental compiler.
 */
final class GradleFromParts {
  private static final String ELSEWHERE = "org/gradle/internal/impldep/org/junit";

  /** Modules that a distribution has and the jar does not describe; nothing in them is needed. */
  private static final List<String> MODULES =
      List.of(
          "gradle-daemon-server",
          "gradle-daemon-main",
          "gradle-instrumentation-agent",
          "gradle-java-compiler-plugin");

  /** Libraries that Gradle looks for by name; their classes are in the jar. */
  private static final List<String> LIBRARIES =
      List.of(
          "javax.inject",
          "slf4j-api",
          "jul-to-slf4j",
          "native-platform",
          "kryo",
          "commons-lang",
          "guava",
          "asm",
          "junit-platform-engine",
          "junit-platform-launcher",
          "junit-platform-commons");

  private static final Remapper RESTORING =
      new Remapper(Opcodes.ASM9) {
        @Override
        public String map(String name) {
          return name.replace(ELSEWHERE, "org/junit");
        }

        @Override
        public Object mapValue(Object value) {
          return value instanceof String text
              ? text.replace(ELSEWHERE.replace('/', '.'), "org.junit")
              : super.mapValue(value);
        }
      };

  private GradleFromParts() {}

  /**
   * Lays out a folder as Gradle's distribution has it.
   *
   * @param parts the folder with the jar and the libraries that are not inside it
   * @return the jar that has Gradle's main class
   */
  static Path assemble(Path parts, Path home, String version) throws IOException {
    Path lib = Files.createDirectories(home.resolve("lib"));
    Files.createDirectory(lib.resolve("plugins"));
    List<String> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(parts)) {
      for (Path file : files.sorted().toList()) {
        jars.add(file.getFileName().toString());
        Files.copy(file, lib.resolve(file.getFileName()));
      }
    }
    Path gradle = lib.resolve("gradle-api-" + version + ".jar");
    List<String> modules = new ArrayList<>(MODULES);
    try (FileSystem jar = FileSystems.newFileSystem(gradle)) {
      // Needed by libraries inside; found by the JVM where the jar is on the class path.
      Files.delete(jar.getPath("META-INF/services/java.nio.file.spi.FileSystemProvider"));
      try (Stream<Path> files =
          Files.walk(jar.getPath("org/gradle/api/internal/tasks/testing/junitplatform"))) {
        files.filter(file -> file.toString().endsWith(".class")).forEach(GradleFromParts::restore);
      }
      try (Stream<Path> files = Files.list(jar.getPath("/"))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith("-classpath.properties"))
            .map(name -> name.substring(0, name.length() - "-classpath.properties".length()))
            .forEach(modules::add);
      }
    }
    for (String module : modules) {
      writeJar(
          lib.resolve(module + "-" + version + ".jar"),
          gradle,
          module + "-classpath.properties",
          "projects=\nruntime=" + String.join(",", jars) + "\noptional=\n");
    }
    for (String library : LIBRARIES) {
      writeJar(lib.resolve(library + "-1.0.jar"), gradle, "empty.txt", "");
    }
    return gradle;
  }

  /** Gives JUnit its own name again, which is that of the project's JUnit. */
  private static void restore(Path file) {
    try {
      ClassWriter writer = new ClassWriter(0);
      new ClassReader(Files.readAllBytes(file)).accept(new ClassRemapper(writer, RESTORING), 0);
      Files.write(file, writer.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a jar with one entry that leads to another jar. */
  private static void writeJar(Path file, Path leadsTo, String entry, String text)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, leadsTo.getFileName().toString());
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      jar.putNextEntry(new ZipEntry(entry));
      jar.write(text.getBytes(StandardCharsets.UTF_8));
      jar.closeEntry();
    }
  }
}
