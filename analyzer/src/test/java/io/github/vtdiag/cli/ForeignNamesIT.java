package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/**
 * The build of the jar renames its libraries, in string constants too: one that names a class of
 * the user's would no longer do so.
 */
final class ForeignNamesIT {
  private static final String RENAMED = "io/github/vtdiag/shaded/";
  private static final int STRING = 8;

  @Test
  void noConstantNamesAClassThatOnlyTheBuildMadeUp() throws Exception {
    List<String> wrong = new ArrayList<>();
    int strings = 0;
    try (JarFile jar = new JarFile(CliJar.PATH.toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().endsWith(".class") && !entry.getName().startsWith(RENAMED)) {
          for (String each : strings(jar, entry)) {
            strings++;
            String path = each.replace('.', '/');
            if (path.contains(RENAMED) && jar.getEntry(path + ".class") == null) {
              wrong.add(entry.getName() + ": " + each);
            }
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(strings > 1_000, "too few constants to tell anything: " + strings);
  }

  private static List<String> strings(JarFile jar, JarEntry entry) throws IOException {
    ClassReader reader = new ClassReader(jar.getInputStream(entry).readAllBytes());
    char[] buffer = new char[reader.getMaxStringLength()];
    List<String> strings = new ArrayList<>();
    for (int i = 1; i < reader.getItemCount(); i++) {
      int at = reader.getItem(i);
      if (at > 0 && reader.readByte(at - 1) == STRING) {
        strings.add(reader.readUTF8(at, buffer));
      }
    }
    return strings;
  }

  /**
   * What is compared with the names of the user's classes stands in files, which nothing renames.
   */
  @Test
  void theListsNameWhatTheySay() throws Exception {
    try (JarFile jar = new JarFile(CliJar.PATH.toFile())) {
      for (String list :
          List.of(
              "safety/field-readers.txt",
              "safety/transient-readers.txt",
              "advice/known-fixes.tsv",
              "cli/http-servers.txt",
              "advice/jdk-faults.tsv",
              "findings/thread-local-caches.tsv",
              "owner/launchers.txt",
              "waits/pools.tsv",
              "waits/waits.tsv")) {
        JarEntry entry = jar.getJarEntry("io/github/vtdiag/" + list);
        String text = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(!text.contains("vtdiag.shaded") && !text.contains(RENAMED), list);
      }
      String readers =
          new String(
              jar.getInputStream(jar.getEntry("io/github/vtdiag/safety/field-readers.txt"))
                  .readAllBytes(),
              StandardCharsets.UTF_8);
      assertTrue(readers.lines().anyMatch("com.google.gson."::equals), readers);
    }
  }
}
