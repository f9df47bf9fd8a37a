package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Opens the jar that users attach. */
class AgentJarIT {
  @Test
  void everyClassIsVtdiagsOwnOrRelocated() throws IOException {
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile())) {
      List<String> foreign =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(JarEntry::getName)
              .filter(name -> !name.startsWith("io/github/vtdiag/"))
              // A release has it.
              .filter(name -> !name.equals("META-INF/THIRD-PARTY.txt"))
              .toList();
      assertEquals(
          List.of("META-INF/LICENSE", "META-INF/MANIFEST.MF", "META-INF/NOTICE"),
          foreign.stream().sorted().toList());
      assertNotNull(jar.getEntry("io/github/vtdiag/shaded/asm/ClassReader.class"));
      assertNotNull(jar.getEntry("io/github/vtdiag/shaded/bytebuddy/dynamic/DynamicType.class"));
      assertNotNull(jar.getEntry("io/github/vtdiag/boot/PinHook.class"));
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
          assertTrue(!bytes.contains("io/prometheus/"), entry.getName());
        }
      }
    }
  }

  /** Each would take its share of the start, in every JVM: {@code PlainCalls}. */
  @Test
  void noCallIsLeftToLinkWhereItRuns() throws IOException {
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile())) {
      Set<String> left = new TreeSet<>();
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().matches("io/github/vtdiag/(?!shaded/|boot/).+\\.class")) {
          byte[] classFile = jar.getInputStream(entry).readAllBytes();
          membersUsed(classFile).stream()
              .filter(
                  member ->
                      member.contains("(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"))
              .forEach(member -> left.add(entry.getName() + ": " + member));
        }
      }
      assertEquals(Set.of(), left);
      assertNotNull(jar.getEntry("io/github/vtdiag/agent/lifecycle/Session$$Runnable.class"));
    }
  }

  @Test
  void theManifestNamesTheAgent() throws IOException {
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("io.github.vtdiag.entry.Entry", manifest.getValue("Premain-Class"));
      assertEquals("io.github.vtdiag.entry.Entry", manifest.getValue("Agent-Class"));
      assertEquals("true", manifest.getValue("Can-Retransform-Classes"));
      assertEquals("true", manifest.getValue("Can-Redefine-Classes"));
      assertEquals("true", manifest.getValue("Can-Set-Native-Method-Prefix"));
      assertNotNull(manifest.getValue("Implementation-Version"));
    }
  }

  /** A JVM that cannot link what it enters by aborts, before anybody can say why. */
  @Test
  void whatTheJvmEntersByIsForJava8AndUsesNothingThatIsNewer() throws IOException {
    Path signatures = Path.of(System.getProperty("java.home"), "lib", "ct.sym");
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile());
        FileSystem java8 = FileSystems.newFileSystem(signatures)) {
      List<JarEntry> entries =
          jar.stream()
              .filter(entry -> entry.getName().matches("io/github/vtdiag/entry/.+\\.class"))
              .toList();
      assertFalse(entries.isEmpty());
      Set<String> used = new TreeSet<>();
      for (JarEntry entry : entries) {
        byte[] classFile = jar.getInputStream(entry).readAllBytes();
        assertEquals(
            Opcodes.V1_8, new ClassReader(classFile).readUnsignedShort(6), entry.getName());
        used.addAll(membersUsed(classFile));
      }
      assertTrue(used.contains("java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;"));
      List<String> newer = used.stream().filter(member -> !isIn(java8, member)).toList();
      assertEquals(List.of(), newer);
      assertFalse(isIn(java8, "java/lang/String.isBlank()Z"), "of Java 11");
    }
  }

  /** Of other classes: methods and fields as {@code owner.name} and descriptor. */
  private static Set<String> membersUsed(byte[] classFile) {
    Set<String> used = new TreeSet<>();
    MethodVisitor uses =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitMethodInsn(
              int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            used.add(owner + "." + name + descriptor);
          }

          @Override
          public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            used.add(owner + "." + name + descriptor);
          }

          @Override
          public void visitInvokeDynamicInsn(
              String name, String descriptor, Handle bootstrap, Object... arguments) {
            used.add(bootstrap.getOwner() + "." + bootstrap.getName() + bootstrap.getDesc());
          }
        };
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                return uses;
              }
            },
            0);
    used.removeIf(member -> member.startsWith("io/github/vtdiag/entry/"));
    return used;
  }

  /** Whether Java 8 declares a member, in the class that is named there. */
  private static boolean isIn(FileSystem java8, String member) {
    int dot = member.indexOf('.');
    Set<String> declared = new TreeSet<>();
    try (var modules = Files.walk(java8.getPath("8"), 1)) {
      for (Path module : modules.toList()) {
        Path type = module.resolve(member.substring(0, dot) + ".sig");
        if (Files.exists(type)) {
          new ClassReader(Files.readAllBytes(type))
              .accept(
                  new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                        int access, String name, String type, String signature, String[] thrown) {
                      declared.add(name + type);
                      return null;
                    }

                    @Override
                    public FieldVisitor visitField(
                        int access, String name, String type, String signature, Object value) {
                      declared.add(name + type);
                      return null;
                    }
                  },
                  0);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return declared.contains(member.substring(dot + 1));
  }

  @Test
  void itIsSmallEnoughToShip() throws IOException {
    assertTrue(Files.size(AgentJar.PATH) <= 6_000_000, Files.size(AgentJar.PATH) + " bytes");
  }
}
