package io.github.vtdiag.safety;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.program.ClassBytes;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.testing.Javac;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class A is chosen; where it cannot be known what moves with it first. */
final class TogetherTest {
  @TempDir private Path folder;

  private Together together(String source, String... without) throws Exception {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path file = Files.writeString(classes.resolve("Program.java"), source);
    Javac.compile(classes, List.of(file));
    for (String name : without) {
      Files.delete(classes.resolve(name + ".class"));
    }
    List<ClassBytes> all;
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      all = classPath.all();
    }
    return new LockSafety(Program.read(all, JdkClasses.running())).together("A"::equals);
  }

  private void assertUnknown(String inReason, String source, String... without) throws Exception {
    Together.Unknown unknown = assertInstanceOf(Together.Unknown.class, together(source, without));
    assertTrue(unknown.reason().contains(inReason), unknown.reason());
  }

  private void assertTogether(String names, String source) throws Exception {
    Together together = together(source);
    Together.Classes classes =
        assertInstanceOf(Together.Classes.class, together, together::toString);
    Set<String> expected = new TreeSet<>(Arrays.asList(names.split(" ")));
    assertEquals(expected, new TreeSet<>(classes.names()));
  }

  @Test
  void aLockThatCanBeAnyObject() throws Exception {
    assertUnknown(
        "A.m (line 1) may lock any object",
        "class A { void m(Object o) { synchronized (o) { } } }");
  }

  @Test
  void aPlaceElsewhereThatMayLockAnything() throws Exception {
    assertUnknown(
        "B.m (line 2) may lock any object",
        """
        class A { synchronized void m() { } }
        class B { void m(Object o) { synchronized (o) { } } }
        """);
  }

  @Test
  void aLockThatGetsOutToWhoeverLocksAnything() throws Exception {
    assertUnknown(
        "B.m (line 2) may lock any object",
        """
        class A { final Object lock = new Object(); void m() { synchronized (lock) { } } Object l() { return lock; } }
        class B { void m(java.util.List<?> of) { synchronized (of.get(0)) { } } }
        """);
  }

  @Test
  void aSuperclassThatIsNotThere() throws Exception {
    assertUnknown(
        "A extends B, whose class file was not found",
        "class B { } class A extends B { synchronized void m() { } }",
        "B");
  }

  @Test
  void aClassObjectOfAClassThatIsNotThere() throws Exception {
    assertUnknown(
        "the class file of B was not found",
        "class B { } class A { void m() { synchronized (B.class) { } } }",
        "B");
  }

  @Test
  void aLockThatAReaderOfTheJdkGetsToo() throws Exception {
    assertUnknown(
        "B.<init> (line 2) passes the JDK an object to lock, which may be an instance of A",
        """
        class A { synchronized void m() { } }
        abstract class B extends java.io.Writer { B(A a) { super(a); } }
        """);
  }

  @Test
  void aClassThatCannotBeRead() throws Exception {
    Path jar = folder.resolve("b.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("b/B.class"));
      out.write(new byte[] {1, 2, 3});
    }
    try (Program program =
        Program.read(ClassPathBytes.open(List.of(jar.toString()), 21), JdkClasses.running())) {
      Together.Unknown unknown =
          assertInstanceOf(Together.Unknown.class, new LockSafety(program).together("A"::equals));
      assertEquals(
          "b.B in " + jar + " could not be read (it is damaged or cut off)", unknown.reason());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Itself, whatever others do.
        "A|class A { synchronized void m() { } } class B { synchronized void m() { } }",
        "A|class A { private Object lock = new Object(); void m() { synchronized (lock) { } } }"
            + " class B { private final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } }",
        "A|class A { void m(byte[] b) { synchronized (b) { } } }"
            + " class B { synchronized void m() { } }",
        // What refuses a patch is no reason here.
        "A|record A(int i) { synchronized void m() { } }",
        "A|class A implements java.io.Serializable, Cloneable { synchronized void m() { } }",
        "A|class A extends java.util.Vector<Object> { public synchronized void m() { } }",
        "A|class A { static { synchronized (A.class) { System.gc(); } } }",
        // Those above and below.
        "A B|class A { synchronized void m() { } } class B extends A { synchronized void n() { } }",
        "A B|class B { synchronized void m() { } } class A extends B { synchronized void n() { } }",
        "A B C|class B { synchronized void m() { } } class A extends B { synchronized void n() { }"
            + " } class C extends B { synchronized void n() { } }",
        "A|class B { } class A extends B { synchronized void n() { } }"
            + " class C extends B { synchronized void n() { } }",
        // Those that lock it from elsewhere.
        "A B|class A { synchronized void m() { } } class B { void m(A a) { synchronized (a) { } }"
            + " }",
        "A A$B|class A { synchronized void m() { } class B { void m() { synchronized (A.this) { } }"
            + " } }",
        "A A$1|class A { private final Object lock = new Object(); void m() { synchronized (lock) {"
            + " } } Runnable r() { return new Runnable() { public void run() { synchronized (lock)"
            + " { } } }; } }",
        "A B|class A { static synchronized void m() { } } class B { void m() { synchronized"
            + " (A.class) { } } }",
        "A B|class A implements Runnable { public synchronized void run() { } }"
            + " class B { void m(Runnable r) { synchronized (r) { } } }",
        "A B|class A { final Object lock = new Object(); void m() { synchronized (lock) { } } }"
            + " class B { void m(A a) { synchronized (a.lock) { } } }",
        "A B|class A { final Object lock = new Object(); void m() { synchronized (lock) { } } }"
            + " class B { Object mine; B(A a) { mine = a.lock; } void m() { synchronized (mine) { }"
            + " } }",
        // Those that only wait or notify.
        "A B|class A { synchronized void m() { } } class B { void m(A a) { a.notifyAll(); } }",
        // What locks along with them, and what locks natively.
        "A B C|class A { synchronized void m() { } }"
            + " class B { void m(A a, C c) { synchronized (a) { } synchronized (c) { } } }"
            + " class C { synchronized void m() { } }",
        "A A$B C|class A { synchronized void m() { }"
            + " static class B { void m(C c) { synchronized (c) { } } } }"
            + " class C { synchronized void m() { } }",
        "A B|class A { synchronized void m() { } } class B extends A { native synchronized void"
            + " n(); }"
      })
  void whatMovesWithIt(String names, String source) throws Exception {
    assertTogether(names, source);
  }
}
