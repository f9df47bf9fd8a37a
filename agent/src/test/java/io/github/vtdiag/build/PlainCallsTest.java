package io.github.vtdiag.build;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.io.OutputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Runs what the build does to the classes of its jars, on a jar of calls of all kinds. */
class PlainCallsTest {
  @TempDir private Path folder;

  @Test
  void whatItDoesNotKnowEndsTheBuildAndLeavesTheJar() throws Exception {
    for (String site :
        List.of(
            "Object o = (Runnable & java.io.Serializable) () -> {};",
            "String s = a.length + \"\";",
            "switch (a.length) { default -> {} } Integer i = a.length; switch (i) { case 1 -> {}"
                + " case Integer j when j > 5 -> {} case Integer j -> {} }")) {
      Path jar = jar("class Main { public static void main(String[] a) { " + site + " } }", false);
      byte[] before = Files.readAllBytes(jar);
      Forked build = build(jar);
      assertNotEquals(0, build.exitCode(), site);
      assertTrue(
          build.err().contains("Main: no plain call") || build.err().contains("for the label"),
          build.err());
      assertArrayEquals(before, Files.readAllBytes(jar), site);
      try (Stream<Path> files = Files.list(jar.getParent())) {
        assertEquals(0, files.filter(file -> file.toString().endsWith(".plain")).count());
      }
    }
  }

  @Test
  void theyDoWhatTheyDidBefore() throws Exception {
    URL source = PlainCallsTest.class.getResource("Main.java.txt");
    Path jar = jar(Files.readString(Path.of(source.toURI())), true);
    assertTrue(dynamicCalls(jar) > 60, "as javac made it");
    Map<Jdk, String> before =
        Map.of(Jdk.JAVA_21, run(Jdk.JAVA_21, jar), Jdk.JAVA_25, run(Jdk.JAVA_25, jar));
    Forked build = build(jar);
    assertEquals("", build.err());
    assertEquals(0, build.exitCode());
    assertEquals(0, dynamicCalls(jar));
    for (Jdk jdk : Jdk.values()) {
      assertEquals(before.get(jdk), run(jdk, jar));
    }
    assertTrue(before.get(Jdk.JAVA_21).lines().count() > 60, before.get(Jdk.JAVA_21));
  }

  /** Twice: a build that is continued finds its jar as it left it. */
  @Test
  void whatIsPlainStaysAsItIs() throws Exception {
    Path jar = jar("class Main { Runnable r = () -> {}; }", true);
    build(jar);
    byte[] once = Files.readAllBytes(jar);
    assertEquals(0, build(jar).exitCode());
    assertArrayEquals(once, Files.readAllBytes(jar));
  }

  private static String run(Jdk jdk, Path jar) throws Exception {
    // All of the code that the build made is verified, as it would be with a loader of its own.
    Forked run =
        Forked.java(jdk, jar.getParent(), Forked.QUICK, "-cp", jar.toString(), "sample.Main");
    assertEquals("", run.err());
    assertEquals(0, run.exitCode());
    return run.out();
  }

  private Forked build(Path jar) throws Exception {
    String libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(file -> file.contains("asm"))
            .collect(Collectors.joining(File.pathSeparator));
    return Forked.run(
        folder,
        Map.of(),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            libraries,
            Path.of("src/build/PlainCalls.java").toAbsolutePath().toString(),
            jar.toString(),
            "2026-01-01T00:00:00Z",
            ""));
  }

  private Path jar(String source, boolean stringsInline) throws Exception {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path main =
        Files.writeString(Files.createTempDirectory(folder, "s").resolve("Main.java"), source);
    Javac.compile(
        classes, List.of(main), stringsInline ? "-XDstringConcat=inline" : "-XDstringConcat=indy");
    Path jar = Files.createTempDirectory(folder, "jar").resolve("main.jar");
    try (Stream<Path> files = Files.walk(classes);
        OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(classes.relativize(each).toString().replace('\\', '/')));
        out.write(Files.readAllBytes(each));
      }
    }
    return jar;
  }

  private static long dynamicCalls(Path jar) throws Exception {
    try (java.util.jar.JarFile file = new java.util.jar.JarFile(jar.toFile())) {
      long count = 0;
      for (var entry : file.stream().toList()) {
        ClassNode type = new ClassNode();
        new ClassReader(file.getInputStream(entry).readAllBytes()).accept(type, 0);
        count +=
            type.methods.stream()
                .flatMap(method -> Arrays.stream(method.instructions.toArray()))
                .filter(InvokeDynamicInsnNode.class::isInstance)
                .count();
      }
      return count;
    }
  }
}
