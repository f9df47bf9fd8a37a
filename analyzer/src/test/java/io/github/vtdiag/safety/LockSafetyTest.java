package io.github.vtdiag.safety;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassBytes;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** One small program a case; what must not move first. */
final class LockSafetyTest {
  @TempDir private Path folder;

  /** Compiles one source file as a JDK 21 would. */
  private List<ClassBytes> compile(String source, String... options)
      throws IOException, DataException {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path file = Files.writeString(classes.resolve("Program.java"), source);
    Javac.compile(classes, List.of(file), options);
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      return classPath.all();
    }
  }

  private static LockSafety ladder(List<ClassBytes> classes) {
    Program program = Program.read(classes, JdkClasses.running());
    assertEquals(List.of(), program.problems());
    return new LockSafety(program);
  }

  private LockSafety ladder(String source, String... options) throws IOException, DataException {
    return ladder(compile(source, options));
  }

  /** The one lock of a program. */
  private static Decision only(LockSafety ladder) {
    assertEquals(1, ladder.all().size(), () -> ladder.all().toString());
    return ladder.all().getFirst();
  }

  private static void assertDeclined(RefusalReason rung, String inReason, Decision decision) {
    Decision.Declined declined = assertInstanceOf(Decision.Declined.class, decision);
    assertEquals(rung, declined.rung(), declined.reason());
    assertTrue(declined.reason().contains(inReason), declined.reason());
    assertTrue(!declined.sites().isEmpty());
  }

  private void declines(RefusalReason rung, String inReason, String source)
      throws IOException, DataException {
    assertDeclined(rung, inReason, only(ladder(source)));
  }

  private static Lock assertMovable(Lock.Identity identity, int sites, Decision decision) {
    Lock lock = assertInstanceOf(Decision.Movable.class, decision, decision::toString).lock();
    assertEquals(identity, lock.identity());
    assertEquals(sites, lock.sites().size(), () -> lock.sites().toString());
    return lock;
  }

  private static Decision of(LockSafety ladder, String method) {
    List<Decision> found =
        ladder.all().stream()
            .filter(
                decision ->
                    sites(decision).stream()
                        .anyMatch(
                            site -> (site.type().name() + "." + site.method()).equals(method)))
            .toList();
    assertEquals(1, found.size(), () -> method + " in " + ladder.all());
    return found.getFirst();
  }

  private static List<LockSite> sites(Decision decision) {
    return switch (decision) {
      case Decision.Movable(Lock lock) -> lock.sites();
      case Decision.Declined declined -> declined.sites();
    };
  }

  // Fields.

  @ParameterizedTest
  @CsvSource({
    "'Object get() { return lock; }', returned",
    "'void f() { System.out.println(lock); }', println",
    "'Object other; void f() { other = lock; }', stored",
    "'void f(Object[] to) { to[0] = lock; }', array",
    "'Runnable f() { Object l = lock; return () -> l.hashCode(); }', lambda",
    "'Object f(boolean b) { Object l = b ? lock : null; return (Object) l; }', returned",
    "'java.util.List<?> f() { return java.util.List.of(lock); }', List.of"
  })
  void aFieldWhoseObjectGetsOut(String how, String inReason) throws Exception {
    declines(
        RefusalReason.ESCAPES,
        inReason,
        "class A { private final Object lock = new Object(); "
            + how
            + " void m() { synchronized (lock) { } } }");
  }

  @Test
  void aFieldWhoseObjectGetsOutOfTheConstructor() throws Exception {
    declines(
        RefusalReason.ESCAPES,
        "add",
        """
        class A {
          static final java.util.List<Object> all = new java.util.ArrayList<>();
          private final Object lock;
          A() { Object made = new Object(); all.add(made); lock = made; }
          void m() { synchronized (lock) { } }
        }
        """);
  }

  @Test
  void aFieldWhoseObjectIsGiven() throws Exception {
    declines(
        RefusalReason.ESCAPES,
        "parameter",
        """
        class A {
          private final Object lock;
          A(Object lock) { this.lock = lock; }
          void m() { synchronized (lock) { } }
        }
        """);
  }

  @ParameterizedTest
  @CsvSource({
    "String, '\"lock\"', INTERNED_STRING",
    "Object, '\"lock\"', INTERNED_STRING",
    "Integer, '1', VALUE_BASED",
    "java.time.LocalDate, 'java.time.LocalDate.now()', VALUE_BASED",
    "java.util.Vector, 'new java.util.Vector()', JDK_COLLECTION",
    "java.util.List, 'new java.util.Vector()', JDK_COLLECTION",
    "java.util.Map, 'new java.util.Properties()', JDK_COLLECTION",
    "StringBuffer, 'new StringBuffer()', JDK_LOCKS",
    "Thread, 'new Thread()', JDK_LOCKS",
    "java.util.List, 'java.util.Collections.synchronizedList(new java.util.ArrayList<>())',"
        + " JDK_COLLECTION"
  })
  void aFieldWithAnObjectThatIsLockedElsewhere(String type, String value, RefusalReason rung)
      throws Exception {
    declines(
        rung,
        "A.",
        "class A { private final "
            + type
            + " lock = "
            + value
            + "; void m() { synchronized (lock) { } } }");
  }

  @Test
  void aSerializableClassHasNoLockAfterReading() throws Exception {
    declines(
        RefusalReason.SERIALIZABLE,
        "A is Serializable",
        """
        class A implements java.io.Serializable {
          private final Object lock = new Object();
          void m() { synchronized (lock) { } }
        }
        """);
  }

  @Test
  void aFieldWithAnObjectThatLocksItselfIsNoLockField() throws Exception {
    LockSafety ladder =
        ladder(
            """
            class A {
              private final B b = new B();
              void m() { synchronized (b) { b.n(); } }
            }
            class B { synchronized void n() { } }
            """);
    assertMovable(new Lock.Identity.Instances("B"), 2, only(ladder));
  }

  @Test
  void aFieldThatIsOnlyALockBecomesTheLock() throws Exception {
    Lock lock =
        assertMovable(
            new Lock.Identity.InstanceField("A", "lock"),
            4,
            only(
                ladder(
                    """
                    class A {
                      private final Object lock = new Object();
                      void m() throws Exception {
                        Object local = lock;
                        synchronized (local) { lock.wait(10); lock.notifyAll(); }
                        if (Thread.holdsLock(lock)) { }
                      }
                      Runnable n() { return () -> { synchronized (lock) { } }; }
                      class Inner { void o() { synchronized (lock) { } } }
                      static class Nested { void p(A a) { synchronized (a.lock) { } } }
                    }
                    """)));
    assertEquals(Lock.Keeper.SAME_FIELD, lock.keeper());
    assertEquals(
        List.of("holdsLock", "notifyAll", "wait"),
        lock.calls().stream().map(Lock.MonitorCall::called).sorted().toList());
  }

  @Test
  void accessorsOfBeforeJava11AreSeenThrough() throws Exception {
    Lock lock =
        assertMovable(
            new Lock.Identity.InstanceField("A", "lock"),
            2,
            only(
                ladder(
                    """
                    class A {
                      private final Object lock = new Object();
                      void m() { synchronized (lock) { } }
                      class Inner { void o() { synchronized (lock) { } } }
                    }
                    """,
                    "--release",
                    "8")));
    assertEquals(Lock.Keeper.SAME_FIELD, lock.keeper());
  }

  @ParameterizedTest
  @CsvSource({
    "Object, new Object(), SAME_FIELD",
    "Object[], new Object[0], SAME_FIELD",
    "byte[], new byte[0], SAME_FIELD",
    "L, new L(), SAME_FIELD",
    "java.util.Map, new java.util.HashMap(), NEW_FIELD"
  })
  void aFieldOfAClass(String type, String value, Lock.Keeper keeper) throws Exception {
    Lock lock =
        assertMovable(
            new Lock.Identity.StaticField("A", "lock"),
            1,
            only(
                ladder(
                    "class A { private static class L { L() { } } private static final "
                        + type
                        + " lock = "
                        + value
                        + "; void m() { synchronized (lock) { } } }")));
    assertEquals(keeper, lock.keeper());
  }

  @Test
  void aFieldWithDataGetsALockBesideIt() throws Exception {
    Lock lock =
        assertMovable(
            new Lock.Identity.InstanceField("A", "map"),
            2,
            only(
                ladder(
                    """
                    import java.util.*;
                    class A {
                      private final Map<String, String> map = new HashMap<>();
                      void m() { synchronized (map) { map.put("a", "b"); } }
                      int n() { synchronized (map) { return map.size(); } }
                    }
                    """)));
    assertEquals(Lock.Keeper.NEW_FIELD, lock.keeper());
  }

  @Test
  void dataThatGetsOutKeepsItsMonitor() throws Exception {
    declines(
        RefusalReason.ESCAPES,
        "returned",
        """
        import java.util.*;
        class A {
          private final Map<String, String> map = new HashMap<>();
          void m() { synchronized (map) { map.put("a", "b"); } }
          Map<String, String> n() { return map; }
        }
        """);
    declines(
        RefusalReason.ESCAPES,
        "returned",
        """
        class A {
          private final StringBuilder text = new StringBuilder();
          CharSequence m() { synchronized (text) { return text.append("a"); } }
        }
        """);
  }

  // Instances.

  @ParameterizedTest
  @CsvSource({
    "Thread, JDK_LOCKS",
    "java.util.Vector<String>, JDK_LOCKS",
    "java.util.Properties, JDK_LOCKS",
    "java.io.StringWriter, JDK_LOCKS",
    "java.io.ByteArrayOutputStream, JDK_LOCKS",
    "Exception, JDK_LOCKS",
    "java.util.ArrayList<String>, SERIALIZABLE"
  })
  void aSubclassOfWhatTheJdkLocks(String parent, RefusalReason rung) throws Exception {
    declines(rung, "A", "class A extends " + parent + " { synchronized void m() { } }");
  }

  @ParameterizedTest
  @CsvSource({
    "'record A(int i) { synchronized void m() { } }', RECORD, A is a record",
    "'interface A { default void m() { synchronized (this) { } } }', INTERFACE, A",
    "'interface A { static void m() { synchronized (A.class) { } } }', INTERFACE, A is an"
        + " interface",
    "'class A { synchronized native void n(); synchronized void m() { } }', NATIVE_METHOD, A.n",
    "'class A { static synchronized native void n(); static synchronized void m() { } }',"
        + " NATIVE_METHOD, A.n",
    "'class A { static { synchronized (A.class) { } } }', CLASS_INITIALIZER, A",
    "'class A { void m() { synchronized (getClass()) { } } }', GET_CLASS, getClass() in A.m returns"
        + " a different object in each subclass",
    "'final class F { } class A { void m(F f, A a) { synchronized ((f == null ? a : f).getClass())"
        + " { } } }', GET_CLASS, a different object in each subclass",
    "'final class A { void m() { synchronized (getClass()) { } } }', GET_CLASS, getClass() in A.m"
        + " gives one class",
    "'class A { void m() { synchronized (String.class) { } } }', JDK_CODE, String.class",
    "'class A { void m() { synchronized (\"a\") { } } }', INTERNED_STRING, A.m",
    "'class A { void m(String s) { synchronized (s.intern()) { } } }', INTERNED_STRING, A.m",
    "'class A { void m(Integer i) { synchronized (i) { } } }', VALUE_BASED, Integer",
    "'class A { void m(Object o) { synchronized (o) { } } }', UNRESOLVED, parameter o",
    "'class A { void m(java.util.List<?> l) { synchronized (l) { } } }', UNRESOLVED, parameter l",
    "'class A { void m(Thread t) { synchronized (t) { } } }', JDK_LOCKS, Thread",
    "'class A { void m(Object[] a) { synchronized (a[0]) { } } }', UNRESOLVED, array element",
    "'class A { void m() { synchronized (System.out) { } } }', JDK_LOCKS, A.m",
    "'class A { java.util.Map<String, Object> l = new java.util.concurrent.ConcurrentHashMap<>();"
        + " void m() { synchronized (l.computeIfAbsent(\"a\", k -> new Object())) { } } }',"
        + " VALUE_OF_MAP, A.m",
    "'class A { void m(java.util.HashMap<String, Object> l) { Object o = l.get(\"a\");"
        + " synchronized (o) { } } }', VALUE_OF_MAP, A.m",
    "'class A { void m(java.util.List<Object> l) { synchronized (l.get(0)) { } } }', UNRESOLVED,"
        + " result of List.get",
    "'class A { void m(java.util.Map<String, Object> l) { synchronized (l.keySet()) { } } }',"
        + " UNRESOLVED, result of Map.keySet",
    "'class A { Object m() { Object o = new Object(); synchronized (o) { } return o; } }',"
        + " UNRESOLVED, new Object",
    "'class A { Object f; void m() { Object o = new Object(); f = o; synchronized (o) { } } }',"
        + " UNRESOLVED, new Object",
    "'class A { void m() { Object o = new Object(); synchronized (o) { o.notify(); } } }',"
        + " UNRESOLVED, new Object",
    "'class A { void m(Object p) { Object o = p == null ? new Object() : p; synchronized (o) { } }"
        + " }', UNRESOLVED, A.m",
    "'class A { Runnable m() { Object o = new Object(); return () -> { synchronized (o) {"
        + " o.hashCode(); } }; } }', UNRESOLVED, A.lambda",
    "'class A { java.util.function.Supplier<?> m() { Object o = new Object(); synchronized (o) { }"
        + " return o::toString; } }', UNRESOLVED, new Object",
    "'class A implements java.io.Serializable { synchronized void m() { } }', SERIALIZABLE, A",
    "'class A implements java.io.Serializable { static synchronized void m() { } }', SERIALIZABLE,"
        + " serialVersionUID",
    "'class A implements java.io.Serializable { static final Object L = new Object();"
        + " void m() { synchronized (L) { } } }', SERIALIZABLE, serialVersionUID",
    "'class A implements Cloneable { synchronized void m() { }"
        + " Object copy() throws Exception { return clone(); } }', CLONEABLE, A",
    "'class A implements Cloneable { synchronized void m() { }"
        + " static Object copy(A of) throws Exception { return of.clone(); } }', CLONEABLE, A",
    "'class A implements Cloneable { synchronized void m() { }"
        + " java.util.concurrent.Callable<Object> copy() { return super::clone; } }', CLONEABLE, A",
    "'class A implements Cloneable { synchronized void m() { } Object copy() throws Throwable {"
        + " return java.lang.invoke.MethodHandles.lookup().findSpecial(Object.class, \"clone\","
        + " java.lang.invoke.MethodType.methodType(Object.class), A.class).invoke(this); } }',"
        + " CLONEABLE, A",
    "'class P { Object copy() throws Exception { return clone(); } }"
        + " class A extends P implements Cloneable { synchronized void m() { } }', CLONEABLE, A",
    "'class A { synchronized void m() { } } class B extends A implements Cloneable {"
        + " public B clone() { try { return (B) super.clone(); } catch (Exception e) {"
        + " return null; } } }', CLONEABLE, B",
    "'class A extends java.security.MessageDigestSpi implements Cloneable { synchronized void m() {"
        + " } protected void engineUpdate(byte b) { } protected void engineUpdate(byte[] b, int i,"
        + " int j) { } protected void engineReset() { } protected byte[] engineDigest() { return"
        + " null; } }', CLONEABLE, A",
    "'class A implements java.io.Externalizable { public A() { } synchronized void m() { }"
        + " public void writeExternal(java.io.ObjectOutput o) { }"
        + " public void readExternal(java.io.ObjectInput i) { } }', SERIALIZABLE, A",
    "'class A { synchronized void m() { } boolean r(int i) { return"
        + " java.lang.reflect.Modifier.isSynchronized(i); } }', REFLECTION, A.r",
    "'class P { P() { m(); } void m() { } } class A extends P { synchronized void m() { } }',"
        + " INITIALIZATION_ORDER, A.m",
    "'class P { P() { i(); } void i() { m(); } void m() { } } class A extends P { synchronized void"
        + " m() { } }', INITIALIZATION_ORDER, A.m"
  })
  void aClassThatStandsInItsOwnWay(String source, RefusalReason rung, String inReason)
      throws Exception {
    declines(rung, inReason, source);
  }

  /** The method and its lambdas lock the same object, so they move together. */
  @Test
  void anObjectOfALocalVariableThatIsOnlyLocked() throws Exception {
    assertMovable(
        new Lock.Identity.LocalVariable("A", "m"),
        3,
        only(
            ladder(
                """
                class A {
                  int n;
                  void m(long p) {
                    Object o = new Object();
                    synchronized (o) { n++; }
                    Runnable r = () -> {
                      synchronized (o) { n += p; }
                      Runnable inner = () -> { synchronized (o) { n++; } };
                      inner.run();
                    };
                    r.run();
                  }
                }
                """)));
  }

  @Test
  void aWriterLocksTheObjectItIsGiven() throws Exception {
    declines(
        RefusalReason.MAY_BE_SHARED,
        "W.<init>",
        """
        class A {
          synchronized void m() { new W(this); }
        }
        class W extends java.io.Writer {
          W(Object lock) { super(lock); }
          public void write(char[] c, int from, int length) { }
          public void flush() { }
          public void close() { }
        }
        """);
  }

  private static final String OWN_WRITER =
      """
      class A {
        synchronized void m() { }
      }
      class W extends java.io.PrintWriter {
        W(java.io.Writer to) { super(to); }
        %s
        void l() { synchronized (lock) { } }
      }
      """;

  @Test
  void theLockOfAWriterIsAStream() throws Exception {
    Decision decision = of(ladder(OWN_WRITER.formatted("")), "A.m");
    assertInstanceOf(Decision.Movable.class, decision, decision::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"void f(A a) { lock = a; }", "void f(Object a) { lock = a; }"})
  void aWriterThatPutsTheObjectInLocksIt(String assignment) throws Exception {
    assertDeclined(
        RefusalReason.MAY_BE_SHARED, "W.l", of(ladder(OWN_WRITER.formatted(assignment)), "A.m"));
  }

  @Test
  void aFieldOfTheSameNameHidesTheLockOfAWriter() throws Exception {
    String hiding = OWN_WRITER.formatted("Object lock; void f(A a) { lock = a; }");
    assertDeclined(RefusalReason.MAY_BE_SHARED, "W.l", of(ladder(hiding), "A.m"));
  }

  @Test
  void aStreamIsLockedByTheWriterAroundIt() throws Exception {
    String stream =
        OWN_WRITER
            .formatted("")
            .replace(
                "class A {", "class A extends java.io.OutputStream { public void write(int b) { }");
    assertDeclined(RefusalReason.MAY_BE_SHARED, "W.l", of(ladder(stream), "A.m"));
  }

  @ParameterizedTest
  @CsvSource({
    "'class U { static void l(Object o) { synchronized (o) { } } void f(A a) { l(a); } }',"
        + " parameter",
    "'class U { Object o; U(A a) { o = a; } void l() { synchronized (o) { } } }', field",
    "'class U { Object g(A a) { return a; } void l(A a) { synchronized (g(a)) { } } }', result",
    "'class U { void l(java.util.List<?> all) { synchronized (all.get(0)) { } } }', from the JDK",
    "'class U { static void l(I i) { synchronized (i) { } } void f(I i) { l(i); } }', interface",
    "'class U { void l(java.util.function.Consumer<A> c, A a) { c.accept(a); } void f(A a) { l(o ->"
        + " { Object x = o; lock(x); }, a); } static void lock(Object o) { synchronized (o) { } }"
        + " }', lambda",
    "'class U { static boolean l(Object o) { return Thread.holdsLock(o); } void f(A a) { l(a); }"
        + " }', holdsLock",
    "'class U { static boolean l(Object o) { return Thread.holdsLock(o); } void f(A"
        + " a) { java.util.function.Predicate<Object> p = U::l; p.test(a); } }', holdsLock",
    "'class U { boolean l(java.util.List<?> all) { return Thread.holdsLock(all.get(0)); } }',"
        + " holdsLock"
  })
  void anObjectThatIsLockedUnderAWiderType(String user, String how) throws Exception {
    LockSafety ladder =
        ladder(
            "interface I { } class A implements I { synchronized void m() { } } class Z implements"
                + " I { } "
                + user);
    assertDeclined(RefusalReason.MAY_BE_SHARED, "U.", of(ladder, "A.m"));
  }

  @ParameterizedTest
  @CsvSource({
    "'class U { static void l(Object o) { synchronized (o) { } } void f(B b) { l(b); } } class B {"
        + " }'",
    "'class U { static void l(Object o) { synchronized (o) { } } void f() { l(new Object()); } }'",
    "'class U { Object o = new Object(); void l() { synchronized (o) { } } }'",
    "'class U { void l(java.util.List<?> all) { synchronized (all) { } } }'",
    "'class U { static boolean l(Object o) { return Thread.holdsLock(o); } } class T { boolean"
        + " l(Object o) { return true; } void f(T t, A a) { t.l(a); } }'",
    "'class U { static void l(J j) { synchronized (j) { } } void f(J j) { l(j); } } interface J {"
        + " }'",
    "'class U { void l() { synchronized (getClass()) { } } }'"
  })
  void anUnrelatedUtilityIsInNobodysWay(String user) throws Exception {
    LockSafety ladder = ladder("class A { synchronized void m() { } } " + user);
    assertMovable(new Lock.Identity.Instances("A"), 1, of(ladder, "A.m"));
  }

  @Test
  void classObjectsThatOthersMayLock() throws Exception {
    LockSafety ladder =
        ladder(
            """
            class A {
              static synchronized void m() { }
              void n() { synchronized (getClass()) { } }
            }
            class B extends A { static synchronized void m2() { } }
            class C { static synchronized void m3() { } }
            """);
    assertDeclined(RefusalReason.MAY_BE_SHARED, "A.n", of(ladder, "A.m"));
    assertDeclined(RefusalReason.MAY_BE_SHARED, "A.n", of(ladder, "B.m2"));
    assertMovable(new Lock.Identity.ClassObject("C"), 1, of(ladder, "C.m3"));
  }

  @Test
  void aHierarchyIsOneLock() throws Exception {
    LockSafety ladder =
        ladder(
            """
            class Root { }
            class A extends Root {
              synchronized void m() throws Exception { wait(); }
              class Inner { void o() { synchronized (A.this) { A.this.notify(); } } }
              Runnable n() { return () -> { synchronized (this) { } }; }
            }
            class B extends A { void p() { synchronized (this) { } } }
            class C extends B { synchronized void q() { } }
            class U {
              final B b = new B();
              void r(C c) { synchronized (c) { } }
              void s() { synchronized (b) { } }
              B t() { return b; }
              void u() { synchronized (t()) { } }
            }
            class Other extends Root { synchronized void v() { } }
            """);
    Lock lock = assertMovable(new Lock.Identity.Instances("A"), 8, of(ladder, "A.m"));
    assertEquals(2, lock.calls().size());
    assertMovable(new Lock.Identity.Instances("Other"), 1, of(ladder, "Other.v"));
    assertEquals(2, ladder.all().size());
  }

  @Test
  void theTopmostClassThatIsLockedHasTheLock() throws Exception {
    LockSafety ladder =
        ladder(
            """
            class A { }
            class B extends A { synchronized void m() { } }
            class C extends A { synchronized void n() { } }
            class U { void o(A a) { synchronized (a) { } } }
            """);
    assertMovable(new Lock.Identity.Instances("A"), 3, only(ladder));
  }

  @Test
  void enumConstantsWithBodiesShareTheEnumsLock() throws Exception {
    assertMovable(
        new Lock.Identity.Instances("E"),
        2,
        only(
            ladder(
                """
                enum E {
                  A { @Override synchronized void m() { } }, B;
                  synchronized void m() { }
                }
                """)));
  }

  @Test
  void aClassObjectIsLockedFromAnywhere() throws Exception {
    assertMovable(
        new Lock.Identity.ClassObject("A"),
        3,
        only(
            ladder(
                """
                class A { static synchronized void m() { } void n() { synchronized (A.class) { } } }
                class B { void o() { synchronized (A.class) { A.class.notify(); } } }
                """)));
  }

  @Test
  void aSuperclassWhoseConstructorCallsNothingIsInNobodysWay() throws Exception {
    assertMovable(
        new Lock.Identity.Instances("A"),
        1,
        only(
            ladder(
                """
                class P { P() { o(); } private void o() { } void m() { } }
                class A extends P { synchronized void m() { } }
                """)));
  }

  @Test
  void whatTheJdkCopiesDoesNotEscape() throws Exception {
    assertMovable(
        new Lock.Identity.InstanceField("A", "names"),
        2,
        only(
            ladder(
                """
                import java.util.*;
                class A {
                  private final Set<String> names = new HashSet<>();
                  void add(String name) { synchronized (names) { names.add(name); } }
                  Set<String> all() { synchronized (names) { return new HashSet<>(names); } }
                  List<String> list() { return List.copyOf(names); }
                }
                """)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Collections.unmodifiableSet(names)|is passed to Collections.unmodifiableSet()",
        "new Vector<>(names)|is passed to Vector.<init>()",
        "new HashSet<String>(names) { }|is passed to",
        "new TreeSet<String>(comparator(names))|is passed to A.comparator()"
      })
  void whatItKeepsOrHandsOnDoes(String expression, String reason) throws Exception {
    declines(
        RefusalReason.ESCAPES,
        reason,
        """
        import java.util.*;
        class A {
          private final Set<String> names = new HashSet<>();
          void add(String name) { synchronized (names) { names.add(name); } }
          Collection<String> all() { return %s; }
          static Comparator<String> comparator(Object any) { return null; }
        }
        """
            .formatted(expression));
  }

  // Whose code it is, and what is known of it.

  private static ClassBytes in(String library, ClassBytes bytes) {
    return new ClassBytes(
        bytes.bytes(), library, new Owner.Library(new Coordinates("g", library, "1"), library));
  }

  @Test
  void sitesInAnotherJarCannotMoveAlong() throws Exception {
    List<ClassBytes> classes =
        compile(
                """
                class A { synchronized void m() { } }
                class B extends A { synchronized void n() { } }
                """)
            .stream()
            .map(
                bytes ->
                    new ClassReader(bytes.bytes()).getClassName().equals("A")
                        ? in("a", bytes)
                        : bytes)
            .toList();
    assertDeclined(
        RefusalReason.SEVERAL_OWNERS, "A belongs to g:a 1, and B.n", only(ladder(classes)));
  }

  @Test
  void callsInAnotherJarCannotMoveAlong() throws Exception {
    List<ClassBytes> classes = new ArrayList<>();
    for (ClassBytes bytes :
        compile(
            """
            class A { synchronized void m() { } }
            class B { boolean n(A a) { return Thread.holdsLock(a); } }
            """)) {
      boolean isA = new ClassReader(bytes.bytes()).getClassName().equals("A");
      classes.add(isA ? in("a", bytes) : bytes);
    }
    assertDeclined(RefusalReason.SEVERAL_OWNERS, "B.n", only(ladder(classes)));
  }

  private static final String FINDS_BY_NAME =
      """
      class A {
        private final Object lock = new Object();
        void m() { synchronized (lock) { } }
      }
      class Other %s { }
      class Finder {
        Object read(Other of, String name) throws Exception {
          return find(of.getClass(), name).get(of);
        }
        private static java.lang.reflect.Field find(Class<?> type, String name) {
          try {
            return type.getDeclaredField(name);
          } catch (NoSuchFieldException e) {
            return find(type.getSuperclass(), name);
          }
        }
      }
      """;

  @Test
  void aFieldThatIsFoundInASuperclassMayBeLocked() throws Exception {
    declines(
        RefusalReason.REFLECTION,
        "may find the field A.lock by reflection",
        FINDS_BY_NAME.formatted("extends A"));
  }

  @Test
  void fieldsOfOtherClassesAreFoundInTheirSuperclasses() throws Exception {
    assertInstanceOf(
        Decision.Movable.class, only(ladder(FINDS_BY_NAME.formatted("extends Thread"))));
  }

  /** Only the application, and what is in the same jar, knows the names of its fields. */
  @ParameterizedTest
  @CsvSource({"size, true", "lock, false"})
  void whatNobodyKnowsInTheSameJarDoesNotNameFieldsOfTheApplication(String name, boolean moves)
      throws Exception {
    List<ClassBytes> classes = new ArrayList<>();
    for (ClassBytes bytes :
        compile(
            """
            class A {
              private final Object lock = new Object();
              void m() { synchronized (lock) { } }
              String name() { return "%s"; }
            }
            class Finder {
              Object read(Object of, String name) throws Exception {
                return of.getClass().getDeclaredField(name).get(of);
              }
            }
            """
                .formatted(name))) {
      boolean isA = new ClassReader(bytes.bytes()).getClassName().equals("A");
      Owner owner = isA ? new Owner.Application("app.jar") : new Owner.UnknownJar("app.jar");
      classes.add(new ClassBytes(bytes.bytes(), "app.jar", owner));
    }
    Decision decision = only(ladder(classes));
    assertEquals(moves, decision instanceof Decision.Movable, decision::toString);
  }

  @Test
  void aSuperclassThatIsMissing() throws Exception {
    List<ClassBytes> classes =
        compile("class A { } class B extends A { synchronized void n() { } }").stream()
            .filter(bytes -> new ClassReader(bytes.bytes()).getClassName().equals("B"))
            .toList();
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "B extends A", only(ladder(classes)));
  }

  @Test
  void whatIsNotInTheProgram() throws Exception {
    LockSafety ladder = ladder("class A { synchronized void m() { } }");
    LockSite site = sites(only(ladder)).getFirst();
    assertEquals(only(ladder), ladder.decide(site));
    LockSite missing = new LockSite(new ClassRef("x.Y", "app"), "m", "()V", site.region());
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "x.Y", ladder.decide(missing));
    LockSite nameless = new LockSite(new ClassRef("", ""), "", "", site.region());
    assertDeclined(
        RefusalReason.CLASS_UNKNOWN, "does not name the method", ladder.decide(nameless));
    LockSite jdk = new LockSite(new ClassRef("java.util.Vector", ""), "size", "()I", site.region());
    assertDeclined(RefusalReason.JDK_CODE, "java.util.Vector", ladder.decide(jdk));
    LockSite other = new LockSite(site.type(), "other", "()V", site.region());
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "a different version", ladder.decide(other));
  }

  private static ClassBytes rewritten(ClassBytes bytes, int flags, String source) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes.bytes())
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public void visit(
                  int version,
                  int access,
                  String name,
                  String type,
                  String parent,
                  String[] faces) {
                super.visit(version, access | flags, name, type, parent, faces);
              }

              @Override
              public void visitSource(String file, String debug) {
                if (source != null) {
                  super.visitSource(source, debug);
                }
              }
            },
            0);
    return new ClassBytes(writer.toByteArray(), bytes.location(), bytes.owner());
  }

  /** The rules are those of bytecode; what the patch cannot write is done by hand. */
  @Test
  void aLockOfAnotherLanguageIsDecidedAsOneOfJava() throws Exception {
    ClassBytes bytes = compile("class A { synchronized void m() { } }").getFirst();
    Decision.Movable movable =
        assertInstanceOf(
            Decision.Movable.class, only(ladder(List.of(rewritten(bytes, 0, "Main.groovy")))));
    assertEquals(Optional.of("Main.groovy"), movable.lock().inOtherLanguage());
    Decision.Movable ofJava =
        assertInstanceOf(Decision.Movable.class, only(ladder(List.of(bytes))));
    assertEquals(Optional.empty(), ofJava.lock().inOtherLanguage());
  }

  @Test
  void aGeneratedClass() throws Exception {
    ClassBytes bytes = compile("class A { synchronized void m() { } }").getFirst();
    assertDeclined(
        RefusalReason.NO_SOURCE,
        "A is generated",
        only(ladder(List.of(rewritten(bytes, Opcodes.ACC_SYNTHETIC, null)))));
  }

  @Test
  void aLibraryWithoutDebugTablesHasSourcesAllTheSame() throws Exception {
    ClassBytes bytes = compile("class A { synchronized void m() { } }").getFirst();
    assertMovable(
        new Lock.Identity.Instances("A"), 1, only(ladder(List.of(rewritten(bytes, 0, null)))));
  }

  /** {@code if (b) monitorenter(this); if (b) monitorexit(this);}, as no javac writes it. */
  @Test
  void monitorsThatAreNotPaired() throws Exception {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_6, 0, "A", null, TypeHierarchy.OBJECT, null);
    writer.visitSource("A.java", null);
    MethodVisitor method = writer.visitMethod(0, "m", "(Z)V", null, null);
    method.visitCode();
    for (int opcode : new int[] {Opcodes.MONITORENTER, Opcodes.MONITOREXIT}) {
      Label end = new Label();
      method.visitVarInsn(Opcodes.ILOAD, 1);
      method.visitJumpInsn(Opcodes.IFEQ, end);
      method.visitVarInsn(Opcodes.ALOAD, 0);
      method.visitInsn(opcode);
      method.visitLabel(end);
    }
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
    writer.visitEnd();
    ClassBytes bytes = new ClassBytes(writer.toByteArray(), "x", new Owner.Application("x"));
    assertDeclined(RefusalReason.UNSTRUCTURED, "A.m", only(ladder(List.of(bytes))));
  }

  // What cannot be read may lock what it can get at.

  /** A program with class files cut off, named by the start of their names. */
  private LockSafety withUnread(String unread, String source) throws IOException, DataException {
    List<ClassBytes> classes = new ArrayList<>();
    for (ClassBytes bytes : compile(source)) {
      boolean isCut = new ClassReader(bytes.bytes()).getClassName().equals(unread);
      classes.add(
          isCut
              ? new ClassBytes(
                  Arrays.copyOf(bytes.bytes(), bytes.bytes().length / 2),
                  bytes.location(),
                  bytes.owner())
              : bytes);
    }
    Path jar = folder.resolve("program.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      List<String> names = compile(source).stream().map(LockSafetyTest::file).toList();
      for (int i = 0; i < classes.size(); i++) {
        out.putNextEntry(new ZipEntry(names.get(i)));
        out.write(classes.get(i).bytes());
      }
    }
    Program program =
        Program.read(ClassPathBytes.open(List.of(jar.toString()), 21), JdkClasses.running());
    assertEquals(1, program.unread().size());
    return new LockSafety(program);
  }

  private static String file(ClassBytes bytes) {
    return new ClassReader(bytes.bytes()).getClassName() + ".class";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "class A { synchronized void m() { } }",
        "class A { static synchronized void m() { } }",
        "class A { void m() { synchronized (this) { } } }",
        "class A { private final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } }",
        "class A { private static final Object lock = new Object();"
            + " void m() { synchronized (lock) { } } }",
        "class A { final B b = new B(); synchronized void m() { } }"
      })
  void whatAClassThatCannotBeReadMayGetAt(String source) throws Exception {
    Decision decision = only(withUnread("B", source + " class B { }"));
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "B in " + folder, decision);
    assertDeclined(
        RefusalReason.CLASS_UNKNOWN, "could not be read (it is damaged or cut off)", decision);
  }

  @Test
  void aPrivateFieldOfAClassThatExtendsWhatCannotBeRead() throws Exception {
    Decision decision =
        only(
            withUnread(
                "java_/B",
                """
                package java_;
                class A extends B {
                  private final Object lock = new Object();
                  void m() { synchronized (lock) { } }
                }
                class B implements java.io.Serializable { }
                """));
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "java_.B in ", decision);
  }

  @Test
  void aPrivateFieldIsOutOfReachForAnotherPackage() throws Exception {
    List<ClassBytes> classes =
        compile(
            """
            package a;
            class A {
              private final Object lock = new Object();
              void m() { synchronized (lock) { } }
              synchronized void n() { }
            }
            """);
    Path jar = folder.resolve("program.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("a/A.class"));
      out.write(classes.getFirst().bytes());
      out.putNextEntry(new ZipEntry("b/B.class"));
      out.write(new byte[] {1, 2, 3});
    }
    LockSafety ladder =
        new LockSafety(
            Program.read(ClassPathBytes.open(List.of(jar.toString()), 21), JdkClasses.running()));
    assertMovable(new Lock.Identity.InstanceField("a.A", "lock"), 1, of(ladder, "a.A.m"));
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "b.B in ", of(ladder, "a.A.n"));
  }

  /** What speaks against the lock anyway is told rather. */
  @Test
  void aRecordStaysARecord() throws Exception {
    Decision decision =
        only(withUnread("B", "record A(int i) { synchronized void m() { } } class B { }"));
    assertDeclined(RefusalReason.RECORD, "A is a record", decision);
  }

  /** It changes between the first look at the program and the decision. */
  @Test
  void aClassThatCannotBeReadAnyMore() throws Exception {
    compile(
        "class A { synchronized void m() { } } class B { void n(A a) { synchronized (a) { } } }");
    Path classes;
    try (Stream<Path> files = Files.list(folder)) {
      classes = files.filter(Files::isDirectory).findFirst().orElseThrow();
    }
    Program program =
        Program.read(ClassPathBytes.open(List.of(classes.toString()), 21), JdkClasses.running());
    Files.write(classes.resolve("B.class"), new byte[] {1});
    LockSafety ladder = new LockSafety(program);
    assertDeclined(RefusalReason.CLASS_UNKNOWN, "B in ", only(ladder));
    assertEquals(1, program.problems().size());
  }

  @Test
  void onlyTheClassesAskedFor() throws Exception {
    LockSafety ladder =
        ladder("class A { synchronized void m() { } } class B { synchronized void n() { } }");
    assertEquals(List.of(of(ladder, "B.n")), ladder.all(Stream.of("B").toList()));
  }
}
