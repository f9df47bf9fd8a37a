package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.testing.Javac;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be read first. */
final class ProgramTest {
  private static final String SOURCE =
      """
      package p;
      class A {
        int number;
        synchronized void m() { n(); number++; }
        void n() { }
        Runnable lambda() { return this::n; }
      }
      class B extends A { void m2() { n(); synchronized (this) { super.m(); } } }
      class Quiet { int number; int get() { return number; } }
      """;

  @TempDir private Path folder;

  private final Map<String, byte[]> classes = new TreeMap<>();

  @BeforeEach
  void compile() throws IOException {
    Path out = Files.createDirectory(folder.resolve("classes"));
    Path file = Files.writeString(folder.resolve("Program.java"), SOURCE);
    Javac.compile(out, List.of(file));
    for (String name : List.of("A", "B", "Quiet")) {
      classes.put("p/" + name + ".class", Files.readAllBytes(out.resolve("p/" + name + ".class")));
    }
  }

  private static byte[] zip(Map<String, byte[]> entries, int level) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(level);
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(each.getKey()));
        zip.write(each.getValue());
      }
    }
    return out.toByteArray();
  }

  private Path jar(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("app.jar"), bytes);
  }

  private Program read(Path jar) throws Exception {
    return Program.read(ClassPathBytes.open(List.of(jar.toString()), 21), JdkClasses.running());
  }

  private void assertUnread(String why, Program program) {
    assertEquals(1, program.unread().size(), () -> program.unread().toString());
    assertEquals("p.A", program.unread().getFirst().name());
    assertTrue(program.unread().getFirst().why().contains(why), program.problems().toString());
    assertEquals(1, program.problems().size());
    String problem = program.problems().getFirst();
    assertTrue(problem.startsWith("p.A in " + folder), problem);
    assertTrue(problem.endsWith("so what it locks is not known"), problem);
    assertEquals(List.of("p.B", "p.Quiet"), program.classNames(), "the others are read");
    assertEquals(Set.of(new MethodName("p/B", "m2", "()V")), program.uses().callers("n()V"));
  }

  @Test
  void aClassThatIsCutOff() throws Exception {
    byte[] a = classes.get("p/A.class");
    classes.put("p/A.class", Arrays.copyOf(a, a.length - 10));
    try (Program program = read(jar(zip(classes, 9)))) {
      assertUnread("damaged or cut off", program);
    }
  }

  @Test
  void aClassThatIsNone() throws Exception {
    classes.put("p/A.class", new byte[] {1, 2, 3});
    try (Program program = read(jar(zip(classes, 9)))) {
      assertUnread("damaged or cut off", program);
    }
  }

  @Test
  void aClassForANewerJava() throws Exception {
    classes.get("p/A.class")[7] = 120;
    try (Program program = read(jar(zip(classes, 9)))) {
      assertUnread("newer Java than vtdiag reads (class file version 120)", program);
    }
  }

  @Test
  void aClassWhoseDataInTheJarIsDamaged() throws Exception {
    byte[] jar = zip(classes, 9);
    // The first entry's compressed data, behind its header and name.
    Arrays.fill(jar, 30 + "p/A.class".length(), 30 + "p/A.class".length() + 20, (byte) 0xFF);
    try (Program program = read(jar(jar))) {
      assertUnread("damaged", program);
    }
  }

  @Test
  void aClassWithDamageInANestedJar() throws Exception {
    byte[] a = classes.get("p/A.class");
    classes.put("p/A.class", Arrays.copyOf(a, a.length / 2));
    byte[] nested = zip(classes, 9);
    Path boot = jar(zip(Map.of("BOOT-INF/lib/x-1.jar", nested), 9));
    try (Program program = read(boot)) {
      assertUnread("damaged or cut off", program);
      assertTrue(program.unread().getFirst().location().endsWith("app.jar!/BOOT-INF/lib/x-1.jar"));
    }
  }

  @Test
  void aClassInADirectoryThatIsDamaged() throws Exception {
    Path directory = folder.resolve("classes");
    Files.write(directory.resolve("p/A.class"), new byte[] {1});
    try (Program program = read(directory)) {
      assertUnread("damaged or cut off", program);
    }
  }

  /** A build that runs meanwhile. */
  @Test
  void aClassThatChangesAfterItWasRead() throws Exception {
    Path directory = folder.resolve("classes");
    try (Program program = read(directory)) {
      Files.write(directory.resolve("p/A.class"), new byte[] {1, 2, 3});
      ClassFile a = program.hierarchy().type("p/A").orElseThrow();
      assertThrows(UnreadableClassException.class, a::methods);
      assertThrows(UnreadableClassException.class, a::monitors);
      Files.delete(directory.resolve("p/B.class"));
      ClassFile b = program.hierarchy().type("p/B").orElseThrow();
      assertThrows(UnreadableClassException.class, b::bytes);
      assertEquals(2, program.problems().size(), () -> program.problems().toString());
      assertEquals(List.of(), program.lockMaps(name -> true));
    }
  }

  @Test
  void ofTwoClassesOfOneNameTheFirstCounts() throws Exception {
    ClassBytes mine =
        new ClassBytes(classes.get("p/A.class"), "first", new Owner.Application("first"));
    ClassBytes other =
        new ClassBytes(classes.get("p/A.class"), "second", new Owner.Application("second"));
    ClassBytes b =
        new ClassBytes(classes.get("p/B.class"), "second", new Owner.Application("second"));
    Program program = Program.read(List.of(mine, other, b), JdkClasses.running());
    assertEquals("first", program.hierarchy().type("p/A").orElseThrow().location());
    assertEquals(
        List.of(
            new MethodName("p/A", "m", "()V"),
            new MethodName("p/A", "lambda", "()Ljava/lang/Runnable;"),
            new MethodName("p/B", "m2", "()V")),
        List.copyOf(program.uses().callers("n()V")));
  }

  @Test
  void theClassesThatDeclareAFieldOfAName() throws Exception {
    Path out = Files.createDirectory(folder.resolve("fields"));
    Path file = folder.resolve("Fields.java");
    // Classes without methods have the number of the next one's first method.
    Files.writeString(
        file,
        "package q; interface A { int N = 1; } interface B { int M = 1; } interface C { int N = 2;"
            + " } class D { int N; int other; } interface E { int N = 3; }");
    Javac.compile(out, List.of(file));
    try (Program program = read(out)) {
      assertEquals(List.of("q.A", "q.B", "q.C", "q.D", "q.E"), program.classNames());
      assertEquals(Set.of("q/A", "q/C", "q/D", "q/E"), program.uses().fields("N").keySet());
      assertEquals(Set.of("q/D"), program.uses().fields("other").keySet());
      assertEquals("q/B", program.uses().fields("M").get("q/B").name().owner());
      assertEquals(Map.of(), program.uses().fields("none"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9})
  void whoExtendsCallsAndLocks(int level) throws Exception {
    try (Program program = read(jar(zip(classes, level)))) {
      assertEquals(List.of(), program.problems());
      assertEquals(List.of("p.A", "p.B", "p.Quiet"), program.classNames());
      assertEquals(Set.of("p/B"), program.hierarchy().subclasses("p/A"));
      assertTrue(program.hierarchy().isSubtype("p/B", "p/A"));
      assertEquals(
          Set.of(new MethodName("p/A", "m", "()V")),
          program.uses().fieldUsers(new FieldName("p/A", "number")),
          "a field of another class has this name too");
      assertTrue(program.uses().mayBeLambda("java/lang/Runnable"));
      assertEquals(21, program.javaVersion("p.A"));
      assertEquals(
          List.of("p.A", "p.B"),
          program.lockMaps(name -> true).stream().map(map -> map.type().name()).toList());
      assertEquals(
          List.of("m2"),
          program.lockMaps("p.B"::equals).getFirst().methods().stream()
              .map(method -> method.name())
              .toList());
      assertArrayEquals(
          classes.get("p/A.class"), program.hierarchy().type("p/A").orElseThrow().bytes());
    }
  }
}
