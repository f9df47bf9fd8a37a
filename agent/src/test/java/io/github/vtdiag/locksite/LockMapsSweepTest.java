package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Reads every class at hand: none may fail, and every monitorenter must be paired. */
class LockMapsSweepTest {
  private int classes;
  private int methods;
  private int enters;
  private int paired;
  private int synchronizedMethods;
  private final List<String> inexact = new ArrayList<>();

  @Test
  void everyMonitorOfJavaBaseIsPaired() throws IOException {
    sweep(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base"));
    report("java.base " + Runtime.version().feature());
    assertTrue(classes > 6_000 && methods > 50_000, "classes read: " + classes);
    assertTrue(enters > 500 && synchronizedMethods > 500, "monitors seen: " + enters);
    assertEquals(List.of(), inexact);
    assertEquals(enters, paired);
  }

  @Test
  void everyMonitorOfJavaBase21IsPaired() throws IOException {
    try (FileSystem image =
        FileSystems.newFileSystem(
            URI.create("jrt:/"), Map.of("java.home", Jdks.java21().toString()))) {
      sweep(image.getPath("/modules/java.base"));
    }
    report("java.base 21");
    assertEquals(List.of(), inexact);
    assertTrue(enters > 900, "monitors seen: " + enters); // 967 in 21.0.8
    assertEquals(enters, paired);
  }

  @Test
  void everyMonitorOfTheClassPathIsPaired() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path)) {
        sweep(path);
      } else if (entry.endsWith(".jar") && Files.exists(path)) {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          sweep(jar.getPath("/"));
        }
      }
    }
    report("class path");
    assertTrue(classes > 2_000 && enters > 20, "classes " + classes + ", monitors " + enters);
    assertEquals(List.of(), inexact);
    assertEquals(enters, paired);
  }

  private void sweep(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files.filter(file -> file.toString().endsWith(".class")).forEach(this::read);
    }
  }

  private void read(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (hasSubroutines(bytes)) {
      return; // Not paired, and said so: MonitorFlow declines JSR.
    }
    ClassMonitors monitors =
        LockMaps.read(
            bytes,
            new ClassRef(file.toString(), ""),
            file.toString(),
            ClassMonitors.Evidence.CLASS_PATH);
    classes++;
    methods += monitors.methods().size();
    enters += countMonitorEnters(bytes);
    for (MethodMonitors method : monitors.methods()) {
      if (!method.exact()) {
        inexact.add(file + " " + method.name());
      }
      for (MonitorRegion region : method.regions()) {
        if (region.kind() == MonitorRegion.Kind.METHOD) {
          synchronizedMethods++;
        } else if (method.exact()) {
          paired++;
        }
      }
    }
    List<MethodMonitors> written =
        monitors.methods().stream()
            .filter(
                method ->
                    !method.regions().isEmpty() || !method.exact() || !method.callSites().isEmpty())
            .toList();
    assertEquals(
        written, LockMaps.parse(LockMaps.write(monitors.methods(), (method, bci) -> true)));
  }

  /** Whether a compiler before Java 6 made some {@code finally} a subroutine. */
  private static boolean hasSubroutines(byte[] bytes) {
    return count(bytes, Opcodes.JSR) > 0;
  }

  private static int countMonitorEnters(byte[] bytes) {
    return count(bytes, Opcodes.MONITORENTER);
  }

  private static int count(byte[] bytes, int wanted) {
    int[] count = {0};
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitInsn(int opcode) {
                    count[0] += opcode == wanted ? 1 : 0;
                  }

                  @Override
                  public void visitJumpInsn(int opcode, Label label) {
                    count[0] += opcode == wanted ? 1 : 0;
                  }
                };
              }
            },
            0);
    return count[0];
  }

  private void report(String what) {
    System.out.printf(
        "%s: %d classes, %d methods, %d synchronized methods, %d of %d monitorenter paired%n",
        what, classes, methods, synchronizedMethods, paired, enters);
  }
}
