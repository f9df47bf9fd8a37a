package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars as Maven and Spring Boot pack them, run as they are: what of them is the user's own. */
final class OwnCodeIT {
  private static final String AGENT =
      Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath().toString();

  private static final String HOLDS =
      """
      public static synchronized void get() {
        try {
          Thread.sleep(60);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      """;

  private static final String APP =
      """
      package com.acme.app;

      public class Main {
        public static void main(String[] args) throws Exception {
          Thread.startVirtualThread(Main::get).join();
          Thread.startVirtualThread(com.acme.lib.Store::get).join();
          Thread.startVirtualThread(org.db.Query::get).join();
        }

      %s}
      """
          .formatted(HOLDS.indent(2));

  private static final String STORE =
      "package com.acme.lib;\n\npublic class Store {\n%s}\n".formatted(HOLDS.indent(2));
  private static final String QUERY =
      "package org.db;\n\npublic class Query {\n%s}\n".formatted(HOLDS.indent(2));

  /** As much of Spring Boot's launcher as a jar needs that has no jars in it. */
  private static final String LAUNCHER =
      """
      package org.springframework.boot.loader.launch;

      import java.net.URI;
      import java.net.URL;
      import java.net.URLClassLoader;
      import java.nio.file.Path;

      public class JarLauncher {
        public static void main(String[] args) throws Exception {
          Thread.startVirtualThread(org.springframework.boot.loader.jar.NestedJarFile::get).join();
          String jar = Path.of(System.getProperty("java.class.path")).toUri().toString();
          URL classes = URI.create("jar:" + jar + "!/BOOT-INF/classes/").toURL();
          try (URLClassLoader loader = new URLClassLoader(new URL[] {classes})) {
            loader
                .loadClass("com.acme.app.Main")
                .getMethod("main", String[].class)
                .invoke(null, (Object) args);
          }
        }
      }
      """;

  private static final String NESTED =
      "package org.springframework.boot.loader.jar;\n\npublic class NestedJarFile {\n%s}\n"
          .formatted(HOLDS.indent(2));

  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void compile() throws IOException {
    folder = temporary.toRealPath();
    write("app/com/acme/app/Main.java", APP);
    write("lib/com/acme/lib/Store.java", STORE);
    write("db/org/db/Query.java", QUERY);
    write("loader/org/springframework/boot/loader/launch/JarLauncher.java", LAUNCHER);
    write("loader/org/springframework/boot/loader/jar/NestedJarFile.java", NESTED);
    for (String part : List.of("db", "lib", "app", "loader")) {
      String classPath = folder.resolve("classes/db") + ":" + folder.resolve("classes/lib");
      try (Stream<Path> files = Files.walk(folder.resolve(part))) {
        Javac.compile(
            folder.resolve("classes/" + part),
            files.filter(file -> file.toString().endsWith(".java")).toList(),
            "-cp",
            classPath);
      }
    }
    jar("lib/lib-1.0.jar", "com.acme:lib:1.0", Map.of(), Map.of("lib", ""));
    jar("lib/db-1.0.jar", "org.db:db:1.0", Map.of(), Map.of("db", ""));
    jar(
        "app-1.0.jar",
        "com.acme:app:1.0",
        Map.of("Main-Class", "com.acme.app.Main", "Class-Path", "lib/lib-1.0.jar lib/db-1.0.jar"),
        Map.of("app", ""));
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /**
   * Packs a jar as Maven does.
   *
   * @param parts which classes, and in which folder of the jar
   */
  private void jar(
      String name, String pom, Map<String, String> attributes, Map<String, String> parts)
      throws IOException {
    Path file = folder.resolve("dist").resolve(name);
    Files.createDirectories(file.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(manifest.getMainAttributes()::putValue);
    try (OutputStream to = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(to, manifest)) {
      String[] of = pom.split(":", -1);
      jar.putNextEntry(new JarEntry("META-INF/maven/" + of[0] + "/" + of[1] + "/pom.properties"));
      jar.write("groupId=%s\nartifactId=%s\nversion=%s\n".formatted((Object[]) of).getBytes(UTF_8));
      for (Map.Entry<String, String> part : parts.entrySet()) {
        Path root = folder.resolve("classes").resolve(part.getKey());
        try (Stream<Path> all = Files.walk(root)) {
          for (Path each : all.filter(Files::isRegularFile).toList()) {
            jar.putNextEntry(new JarEntry(part.getValue() + root.relativize(each)));
            jar.write(Files.readAllBytes(each));
          }
        }
      }
    }
  }

  private void record(String... start) throws Exception {
    String[] options = {Forked.QUICK, "-javaagent:" + AGENT + "=output=../app.jfr,summary=off"};
    Forked ran =
        Forked.java(
            Jdk.JAVA_21,
            folder.resolve("dist"),
            Stream.concat(Stream.of(options), Stream.of(start)).toArray(String[]::new));
    assertEquals(0, ran.exitCode(), ran.err());
  }

  private Forked run(String command, String... more) throws Exception {
    List<String> arguments = Stream.concat(Stream.of(command, "app.jfr"), Stream.of(more)).toList();
    return CliJar.run(folder, arguments.toArray(String[]::new));
  }

  /** Of each class that held a carrier the owner and the kind of advice. */
  private static Map<String, String> owners(Forked json) throws IOException {
    assertEquals(0, json.exitCode(), json.err());
    Map<String, String> owners = new TreeMap<>();
    for (JsonNode finding : new ObjectMapper().readTree(json.out()).get("findings")) {
      JsonNode owner = finding.get("owner");
      owners.put(
          finding.get("site").get("class").asText(),
          String.join(
              " ",
              owner.get("kind").asText(),
              owner.path("group").asText(),
              owner.path("artifact").asText(),
              finding.get("advice").get("recommendation").get("kind").asText()));
    }
    return owners;
  }

  @ParameterizedTest
  @ValueSource(strings = {"-jar app-1.0.jar", "-cp app-1.0.jar:lib/* com.acme.app.Main"})
  void anApplicationsJarIsItsOwn(String start) throws Exception {
    record((start + " password.jar").split(" "));
    String classPath = "dist/app-1.0.jar:dist/lib/*";
    assertEquals(
        Map.of(
            "com.acme.app.Main", "APPLICATION com.acme app REWRITE",
            "com.acme.lib.Store", "APPLICATION com.acme lib REWRITE",
            "org.db.Query", "LIBRARY org.db db UPGRADE_JDK"),
        owners(run("advise", "-cp", classPath, "--json")));
    // The same by what the recording tells alone.
    assertEquals(
        Map.of(
            "com.acme.app.Main", "APPLICATION com.acme app KEEP",
            "com.acme.lib.Store", "APPLICATION com.acme lib KEEP",
            "org.db.Query", "LIBRARY org.db db UPGRADE_JDK"),
        owners(run("analyze", "--json")));
    assertFalse(run("advise").out().contains("if it is your own code"));

    Forked patch = run("patch", "-cp", classPath, "--sources", "app", "--sources", "lib");
    assertEquals(0, patch.exitCode(), patch.err());
    assertTrue(patch.out().contains("+++ b/app/com/acme/app/Main.java"), patch.out());
    assertTrue(patch.out().contains("+++ b/lib/com/acme/lib/Store.java"), patch.out());
    Forked page = run("report", "-cp", classPath, "-o", "-");
    assertTrue(page.out().contains("Replace the monitor of Main.class"), page.err());
    assertTrue(page.out().contains("Replace the monitor of Store.class"), page.err());

    write(
        "own.yml",
        """
        budgets:
          - owner: application
            max-count: 1
          - owner: libraries
            max-count: 1
          - library: com.acme:lib
            max-count: 0
        """);
    Forked gate = run("gate", "--policy", "own.yml");
    assertEquals(Exit.FAIL, gate.exitCode(), gate.err());
    assertTrue(gate.out().startsWith("FAIL  2 of 3 limits exceeded"), gate.out());
    assertTrue(gate.out().contains("pins (application) 2, limit 1"), gate.out());
    assertTrue(gate.out().contains("pins (com.acme:lib) 1, limit 0"), gate.out());
  }

  @Test
  void thePolicyAndTheOptionSayWhatIsOwnToo() throws Exception {
    record("-jar", "app-1.0.jar");
    String own = "APPLICATION org.db db KEEP";
    assertEquals(own, owners(run("analyze", "--own", "org.db:*", "--json")).get("org.db.Query"));
    assertEquals(own, owners(run("analyze", "--sources", "db", "--json")).get("org.db.Query"));
    write("vtdiag.yml", "own:\n  - package: org.db\n");
    assertEquals(own, owners(run("analyze", "--json")).get("org.db.Query"));
    write("vtdiag.yml", "own:\n  - packages: org.db\n");
    Forked broken = run("analyze", "--json");
    assertEquals(Exit.BAD_INPUT, broken.exitCode());
    assertTrue(broken.err().contains("vtdiag.yml, line 2: 'packages'"), broken.err());
  }

  @Test
  void whatStartsASpringBootJarIsSpringBoots() throws Exception {
    jar(
        "shop-1.0.jar",
        "com.acme:shop:1.0",
        Map.of(
            "Main-Class", "org.springframework.boot.loader.launch.JarLauncher",
            "Start-Class", "com.acme.app.Main",
            "Spring-Boot-Version", "3.5.0"),
        Map.of(
            "loader",
            "",
            "app",
            "BOOT-INF/classes/",
            "lib",
            "BOOT-INF/classes/",
            "db",
            "BOOT-INF/classes/"));
    record("-jar", "shop-1.0.jar");
    String loader = "LIBRARY org.springframework.boot spring-boot-loader UPGRADE_JDK";
    String type = "org.springframework.boot.loader.jar.NestedJarFile";
    for (Forked advice :
        List.of(run("advise", "--json"), run("advise", "-cp", "dist/shop-1.0.jar", "--json"))) {
      assertEquals(loader, owners(advice).get(type));
    }
    Forked text = run("advise");
    assertTrue(
        text.out().contains("for org.springframework.boot:spring-boot-loader 3.5.0"), text.out());
    assertFalse(text.out().contains("if it is your own code"), text.out());
  }
}
