package io.github.vtdiag.agent.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartedJarTest {
  @TempDir Path folder;

  private String jar(String mainClass, String title, String... artifacts) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, mainClass);
    main.put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    main.put(Attributes.Name.IMPLEMENTATION_VERSION, "2.0");
    String name = artifacts.length == 1 ? artifacts[0] + "-1.10.jar" : "quarkus-run.jar";
    Path jar = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      for (String artifact : artifacts) {
        entries.putNextEntry(
            new ZipEntry("META-INF/maven/com.acme/" + artifact + "/pom.properties"));
        entries.write(
            ("groupId=com.acme\nartifactId=" + artifact + "\nversion=1.10\n")
                .getBytes(StandardCharsets.UTF_8));
      }
    }
    return jar.toString();
  }

  /** Its runner has no coordinates, and an uber jar has those of every library. */
  @Test
  void quarkusNamesTheApplicationInTheManifest() throws Exception {
    String runner = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";
    StartedJar shop = new StartedJar("quarkus-shop", "2.0");
    assertEquals(shop, StartedJar.of(jar(runner, "quarkus-shop")));
    assertEquals(
        shop, StartedJar.of(jar("io.quarkus.runner.GeneratedMain", "quarkus-shop", "a", "b")));
  }

  @Test
  void ofOtherJarsTheCoordinatesCount() throws Exception {
    assertEquals(
        new StartedJar("shop", "1.10"), StartedJar.of(jar("com.acme.Main", "The Shop", "shop")));
    assertEquals(StartedJar.UNKNOWN, StartedJar.of(jar("com.acme.Main", "The Shop")));
  }

  @Test
  void whatCannotBeReadIsUnknown() throws Exception {
    Path text = Files.writeString(folder.resolve("text.jar"), "text");
    assertEquals(StartedJar.UNKNOWN, StartedJar.of(text.toString()));
    assertEquals(StartedJar.UNKNOWN, StartedJar.of(folder.resolve("none.jar").toString()));
    assertEquals(StartedJar.UNKNOWN, StartedJar.of(""));
  }
}
