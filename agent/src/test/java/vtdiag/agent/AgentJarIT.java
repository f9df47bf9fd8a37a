package vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** Opens the jar that users attach. */
class AgentJarIT {
  @Test
  void everyClassIsVtdiagsOwnOrRelocated() throws IOException {
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile())) {
      List<String> foreign =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(JarEntry::getName)
              .filter(name -> !name.startsWith("vtdiag/"))
              .toList();
      assertEquals(
          List.of("META-INF/LICENSE", "META-INF/MANIFEST.MF", "META-INF/NOTICE"),
          foreign.stream().sorted().toList());
      assertNotNull(jar.getEntry("vtdiag/shaded/asm/ClassReader.class"));
      assertNotNull(jar.getEntry("vtdiag/shaded/bytebuddy/agent/builder/AgentBuilder.class"));
      assertNotNull(jar.getEntry("vtdiag/boot/PinHook.class"));
    }
  }

  @Test
  void noConstantNamesAnUnrelocatedPackage() throws IOException {
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile())) {
      for (JarEntry entry : jar.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
          String bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          assertTrue(!bytes.contains("org/objectweb/asm"), entry.getName());
          assertTrue(!bytes.contains("net/bytebuddy/"), entry.getName());
        }
      }
    }
  }

  @Test
  void theManifestNamesTheAgent() throws IOException {
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("vtdiag.agent.Premain", manifest.getValue("Premain-Class"));
      assertEquals("true", manifest.getValue("Can-Retransform-Classes"));
      assertEquals("true", manifest.getValue("Can-Redefine-Classes"));
      assertNotNull(manifest.getValue("Implementation-Version"));
    }
  }

  @Test
  void itIsSmallEnoughToShip() throws IOException {
    assertTrue(Files.size(AgentJar.PATH) <= 6_000_000, Files.size(AgentJar.PATH) + " bytes");
  }
}
