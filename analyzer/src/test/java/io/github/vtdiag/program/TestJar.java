package io.github.vtdiag.program;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes jars that say whose they are, and have empty classes. */
final class TestJar {
  private TestJar() {}

  /** A file with that name in a folder, of which the name may be a path. */
  static Path in(Path folder, String name, String... content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    write(Files.newOutputStream(file), content);
    return file;
  }

  /** A jar's content, line by line: an attribute, a POM's coordinates or a class. */
  static void write(OutputStream to, String... content) throws IOException {
    List<String> attributes = new ArrayList<>();
    try (ZipOutputStream zip = new ZipOutputStream(to)) {
      for (String line : content) {
        if (line.contains(": ")) {
          attributes.add(line);
        } else if (line.contains(":")) {
          String[] pom = line.split(":", -1);
          put(
              zip,
              "META-INF/maven/" + pom[0] + "/" + pom[1] + "/pom.properties",
              "groupId=%s\nartifactId=%s\nversion=%s\n".formatted((Object[]) pom));
        } else {
          put(zip, line.replace('.', '/') + ".class", "");
        }
      }
      put(
          zip,
          "META-INF/MANIFEST.MF",
          "Manifest-Version: 1.0\n" + String.join("\n", attributes) + "\n\n");
    }
  }

  static void put(ZipOutputStream zip, String name, String content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }
}
