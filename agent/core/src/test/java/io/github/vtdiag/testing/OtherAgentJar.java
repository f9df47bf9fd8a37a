package io.github.vtdiag.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.objectweb.asm.ClassReader;

/** Writes the jar of {@link InsertingAgent}. */
public final class OtherAgentJar {
  private OtherAgentJar() {}

  /** The jar, in a folder; it finds ASM where the tests have it. */
  public static Path write(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", InsertingAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    attributes.putValue(
        "Class-Path",
        ClassReader.class.getProtectionDomain().getCodeSource().getLocation().toString());
    Path jar = folder.resolve("probes.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (String name : List.of("", "$1", "$2", "$Probe", "$Probes")) {
        String entry = InsertingAgent.class.getName().replace('.', '/') + name + ".class";
        out.putNextEntry(new JarEntry(entry));
        try (InputStream in = InsertingAgent.class.getClassLoader().getResourceAsStream(entry)) {
          in.transferTo(out);
        }
        out.closeEntry();
      }
    }
    return jar;
  }
}
