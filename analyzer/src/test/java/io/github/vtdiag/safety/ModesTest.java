package io.github.vtdiag.safety;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Assumptions.Clients;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What moves in a whole program, and what in a library; what must stay first. */
final class ModesTest {
  private static final Assumptions LIBRARY = new Assumptions(Clients.UNSEEN, List.of(), Set.of());

  @TempDir private Path folder;

  /** Sources, each after a line with its path. */
  private LockSafety ladder(Assumptions assumed, String sources) throws IOException, DataException {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path in = Files.createTempDirectory(folder, "src");
    List<Path> files = new ArrayList<>();
    String named = sources.startsWith("//") ? sources : "// A.java\n" + sources;
    for (String source : named.split("(?m)^// (?=\\S+\\.java$)", -1)) {
      if (!source.isBlank()) {
        Path file = in.resolve(source.substring(0, source.indexOf('\n')).strip());
        Files.createDirectories(file.getParent());
        Files.writeString(file, source.substring(source.indexOf('\n')));
        files.add(file);
      }
    }
    Javac.compile(classes, files);
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      Program program = Program.read(classPath.all(), JdkClasses.running());
      assertEquals(List.of(), program.problems());
      return new LockSafety(program, assumed);
    }
  }

  private void declines(Assumptions assumed, RefusalReason rung, String words, String sources)
      throws IOException, DataException {
    List<Decision> all = ladder(assumed, sources).all();
    assertTrue(!all.isEmpty());
    Decision.Declined declined =
        assertInstanceOf(Decision.Declined.class, all.getFirst(), all::toString);
    assertEquals(rung, declined.rung(), declined.reason());
    assertTrue(declined.reason().contains(words), declined.reason());
  }

  private Lock moves(Assumptions assumed, int sites, String sources)
      throws IOException, DataException {
    List<Decision> all = ladder(assumed, sources).all();
    assertEquals(1, all.size(), all::toString);
    Lock lock = assertInstanceOf(Decision.Movable.class, all.getFirst(), all::toString).lock();
    assertEquals(sites, lock.sites().size(), () -> lock.sites().toString());
    return lock;
  }

  // A library: what code that nobody sees can lock.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public class A { synchronized void m() { } }",
        "public final class A { synchronized void m() { } }",
        "public final class A { private A() { } void m() { synchronized (this) { } } }",
        "class A implements Runnable { public synchronized void run() { } }",
        "public class A { private static class N extends A { synchronized void m() { } } }",
        "public class A { protected static class N { synchronized void m() { } } }",
        "class S { synchronized void m() { } } public class A extends S { }",
        "public class A { static synchronized void m() { } }",
        "public class A { void m() { synchronized (A.class) { } } }",
        "public class A { public final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } }",
        "public class A { protected final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } }",
        "class S { protected final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } } public class A extends S { }",
      })
  void clientsOfALibraryMayLockIt(String source) throws Exception {
    RefusalReason rung =
        source.contains("new Object()") ? RefusalReason.NOT_PRIVATE : RefusalReason.UNSEEN_CLIENTS;
    declines(LIBRARY, rung, "outside", source);
    // A whole program has no other clients.
    List<Decision> all = ladder(Assumptions.WHOLE_PROGRAM, source).all();
    assertInstanceOf(Decision.Movable.class, all.getFirst(), all::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { synchronized void m() { } }",
        "class A { static synchronized void m() { } }",
        "class S { } class A extends S { synchronized void m() { } }",
        "public class A { private final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } }",
        "public class A { final Object lock = new Object(); void m() { synchronized (lock) { } } }",
        "class A { public final Object lock = new Object(); void m() { synchronized (lock) { } } }",
      })
  void whatClientsOfALibraryCannotLock(String source) throws Exception {
    moves(LIBRARY, 1, source);
  }

  // A whole program: fields.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { private Object lock = new Object(); void m() { synchronized (lock) { } }"
            + " void n() { lock = new Object(); } }",
        "class A { private Object lock = new Object(); A() { lock = new Object(); }"
            + " void m() { synchronized (lock) { } } }",
        "class A { private Object lock; A() { for (int i = 0; i < 2; i++) { lock = new Object(); }"
            + " } void m() { synchronized (lock) { } } }",
        "class A { private Object lock = new Object(); A(A other) { other.lock = new Object(); }"
            + " void m() { synchronized (lock) { } } }",
        "class A { private Object lock; A() { Runnable r = () -> lock = new Object(); r.run(); }"
            + " void m() { synchronized (lock) { } } }",
        "class A { Object lock = new Object(); void m() { synchronized (lock) { } } }"
            + " class B { void n(A a) { a.lock = new Object(); } }",
        "class A { static Object lock = new Object(); void m() { synchronized (lock) { } }"
            + " A() { lock = new Object(); } }",
        "class A { @Deprecated Object lock = new Object(); void m() { synchronized (lock) { } } }",
      })
  void aFieldThatMayHoldAnotherObjectLater(String source) throws Exception {
    declines(Assumptions.WHOLE_PROGRAM, RefusalReason.NOT_FINAL, "A.lock is not final", source);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class B { Object m(A a) { return a.lock; } }",
        "class B extends A { Object n() { return lock; } }",
        "class B { void m(A a, java.util.List<Object> all) { all.add(a.lock); } }",
        "class B { Runnable m(A a) { Object o = a.lock; return () -> o.hashCode(); } }",
      })
  void aFieldWhoseObjectAnotherClassGivesOut(String other) throws Exception {
    declines(
        Assumptions.WHOLE_PROGRAM,
        RefusalReason.ESCAPES,
        "A.lock",
        "class A { final Object lock = new Object(); void m() { synchronized (lock) { } } } "
            + other);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void n(int k) { synchronized (k == 0 ? lock : odd) { } }",
        "void n(int k) { Object o = k == 0 ? lock : odd; synchronized (o) { } }",
        "void n(int k) { (k == 0 ? lock : odd).notify(); }",
        "boolean n(int k) { return Thread.holdsLock(k == 0 ? lock : odd); }",
        "A() { Object o = new Object(); lock = o; synchronized (o) { } }",
      })
  void aFieldThatIsLockedUnderAnotherName(String how) throws Exception {
    declines(
        Assumptions.WHOLE_PROGRAM,
        RefusalReason.ESCAPES,
        "is locked as something else",
        "class A { void m() { synchronized (lock) { } } private final Object odd = new Object();"
            + " private final Object lock"
            + (how.startsWith("A()") ? "; " : " = new Object(); ")
            + how
            + " }");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { private Object lock = new Object(); void m() { synchronized (lock) { } } }",
        "class A { private Object lock; A() { lock = new Object(); }"
            + " A(int i) { lock = new Object(); for (int k = 0; k < i; k++) { hashCode(); } }"
            + " A(long i) { this(); } void m() { synchronized (lock) { } } }",
        "class A { private final Object lock; A() { lock = new Object(); }"
            + " void m() { synchronized (lock) { } } }",
        "class A { static Object lock = new Object(); void m() { synchronized (lock) { } } }",
        "class A { public final Object lock = new Object(); void m() { synchronized (lock) { } } }",
      })
  void aFieldThatIsAsGoodAsFinal(String source) throws Exception {
    assertEquals(Lock.Keeper.SAME_FIELD, moves(Assumptions.WHOLE_PROGRAM, 1, source).keeper());
  }

  @Test
  void otherClassesMoveWithTheField() throws Exception {
    moves(
        Assumptions.WHOLE_PROGRAM,
        3,
        """
        // p/A.java
        package p;
        public class A {
          protected final Object lock = new Object();
          void m() { synchronized (lock) { } }
        }
        // q/B.java
        package q;
        class B extends p.A {
          void m() { synchronized (lock) { } }
          class C { void m() { synchronized (lock) { } } }
        }
        """);
  }

  @Test
  void aLockThatIsPrintedStaysWhatIsPrinted() throws Exception {
    Lock lock =
        moves(
            Assumptions.WHOLE_PROGRAM,
            1,
            """
            class A {
              private final Object lock = new Object();
              void m() { synchronized (lock) { } }
              String n(StringBuilder b) { b.append(lock); return "a" + lock; }
            }
            """);
    assertEquals(Lock.Keeper.NEW_FIELD, lock.keeper());
  }

  // A whole program: parameters.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void m() { help(lock); help(new Object()); } private void help(Object o) { S }",
        "void m(A other) { help(lock); help(other.lock); } private void help(Object o) { S }",
        "void m(A other) { other.help(lock); } private void help(Object o) { S }",
        "void m() { help(this, lock); } private static void help(A a, Object o) { S }",
        "void m() { help(lock); } private void help(Object o) { if (o == this) o = new Object(); S"
            + " }",
        "void m() { help(lock); java.util.function.Consumer<Object> c = this::help; }"
            + " private void help(Object o) { S }",
        "void m() { help(lock); } void help(Object o) { S }",
      })
  void aParameterThatMayBeAnotherObject(String members) throws Exception {
    for (Decision each :
        ladder(
                Assumptions.WHOLE_PROGRAM,
                "class A { private final Object lock = new Object(); void k() { synchronized (lock)"
                    + " { } } "
                    + members.replace("S }", "synchronized (o) { } }")
                    + " }")
            .all()) {
      assertInstanceOf(Decision.Declined.class, each);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"return o;", "kept = o;", "other(o);", "new Thread(() -> o.notify());"})
  void aParameterThatIsPassedOn(String how) throws Exception {
    declines(
        Assumptions.WHOLE_PROGRAM,
        RefusalReason.ESCAPES,
        "A.lock",
        """
        class A {
          private final Object lock = new Object();
          static Object kept;
          void m() { synchronized (lock) { help(1L, lock); } }
          private Object help(long time, Object o) { %s }
          void other(Object o) { }
        }
        """
            .formatted(how.startsWith("return") ? how : how + " return null;"));
  }

  @Test
  void aParameterThatIsAlwaysTheField() throws Exception {
    Lock lock =
        moves(
            Assumptions.WHOLE_PROGRAM,
            2,
            """
            class A {
              private final Object lock = new Object();
              void m() throws Exception { synchronized (lock) { help(1L, lock, 2); } }
              private void help(long time, Object o, int n) throws Exception {
                synchronized (o) { o.wait(time, n); }
              }
            }
            """);
    assertEquals(1, lock.calls().size());
  }

  // A whole program: interfaces.

  private static final String BY_INTERFACE =
      "interface I { void m(); } class A implements I { public synchronized void m() { } }"
          + " class U { void l(I i) { synchronized (i) { } } } ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class B implements I { public void m() { } }",
        "class B { I i = () -> { }; }",
        "class B { I i = new A()::m; }",
        "interface J extends I { } class B { J i = () -> { }; }",
        "class B { Object o(Class<?>[] all) { return java.lang.reflect.Proxy.newProxyInstance("
            + "null, all, (p, m, a) -> null); } }",
        "class L extends ClassLoader { Class<?> d(byte[] b) { return defineClass(null, b, 0, 1); }"
            + " }",
      })
  void anInterfaceThatNotOnlyOneClassImplements(String other) throws Exception {
    for (Decision each : ladder(Assumptions.WHOLE_PROGRAM, BY_INTERFACE + other).all()) {
      assertInstanceOf(Decision.Declined.class, each);
    }
  }

  @Test
  void anInterfaceOfALibrary() throws Exception {
    for (Decision each : ladder(LIBRARY, "// I.java\npublic " + BY_INTERFACE).all()) {
      assertInstanceOf(Decision.Declined.class, each);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "class B extends A { public void m() { } }",
        "class P { final Class<?>[] all; P(Class<?>[] all) { this.all = all; } Object o() {"
            + " return java.lang.reflect.Proxy.newProxyInstance(null, all, (p, m, a) -> null); } }",
      })
  void anInterfaceThatOneClassImplements(String other) throws Exception {
    Lock lock = moves(Assumptions.WHOLE_PROGRAM, 2, BY_INTERFACE + other);
    assertEquals(new Lock.Identity.Instances("A"), lock.identity());
  }

  @Test
  void thisInAnInterfaceThatNotOnlyOneClassImplements() throws Exception {
    for (Decision each :
        ladder(
                Assumptions.WHOLE_PROGRAM,
                "interface I { default void m() { synchronized (this) { } } }"
                    + " class A implements I { synchronized void n() { } }"
                    + " class B implements I { }")
            .all()) {
      assertInstanceOf(Decision.Declined.class, each);
    }
  }

  @Test
  void thisInAnInterfaceThatOneClassImplements() throws Exception {
    Lock lock =
        moves(
            Assumptions.WHOLE_PROGRAM,
            4,
            """
            interface I {
              void h();
              default void m() { synchronized (this) { h(); } }
              default Runnable r() { return () -> { synchronized (this) { h(); } }; }
            }
            class A implements I {
              int n;
              synchronized void f() { n++; }
              public void h() { n++; }
            }
            class U { void l(I i) { synchronized (i) { } } }
            """);
    assertEquals(new Lock.Identity.Instances("A"), lock.identity());
  }

  // Copies: by a constructor, each has a lock of its own.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A implements Cloneable { synchronized void m() { } }",
        "class A implements Cloneable { synchronized void m() { }"
            + " @Override public A clone() { return new A(); } }",
        "class A implements Cloneable { int[] all = {}; synchronized void m() {"
            + " all = all.clone(); new java.util.ArrayList<>().clone(); } }",
        "class A implements java.io.Externalizable { public A() { }"
            + " static final long serialVersionUID = 1; synchronized void m() { }"
            + " public void writeExternal(java.io.ObjectOutput o) { }"
            + " public void readExternal(java.io.ObjectInput i) { } }",
        "class A implements java.io.Externalizable { public A() { }"
            + " static final long serialVersionUID = 1; final java.util.List<String> all ="
            + " new java.util.ArrayList<>(); void m() { synchronized (all) { all.clear(); } }"
            + " public void writeExternal(java.io.ObjectOutput o) { }"
            + " public void readExternal(java.io.ObjectInput i) { } }",
      })
  void aCopyThatAConstructorMakesHasALockOfItsOwn(String source) throws Exception {
    moves(Assumptions.WHOLE_PROGRAM, 1, source);
  }
}
