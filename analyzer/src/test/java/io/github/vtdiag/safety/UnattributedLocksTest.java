package io.github.vtdiag.safety;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassBytes;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Assumptions.Clients;
import io.github.vtdiag.safety.Assumptions.TrustedSite;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application with one synchronized method, beside a library that locks an {@code Object}. What
 * really may be the application's comes first: it must not move.
 */
final class UnattributedLocksTest {
  @TempDir private Path folder;

  /** The application: its class {@code Mine} has the lock. */
  private static final String MINE =
      """
      package app;
      public class Mine implements Runnable {
        int n;
        public synchronized void add() { n++; }
        public void run() { }
      }
      """;

  private Decision decide(Assumptions assumed, String... sources)
      throws IOException, DataException {
    Program program = Program.read(compile(sources), JdkClasses.running());
    assertEquals(List.of(), program.problems());
    List<Decision> decisions = new LockSafety(program, assumed).all(List.of("app.Mine"));
    assertEquals(1, decisions.size(), decisions::toString);
    return decisions.getFirst();
  }

  /** Compiles the application and more; what is in a package lib is a library's. */
  private List<ClassBytes> compile(String... more) throws IOException, DataException {
    Path root = Files.createTempDirectory(folder, "program");
    Path classes = Files.createDirectory(root.resolve("classes"));
    List<Path> files = new ArrayList<>();
    List<String> sources = new ArrayList<>(List.of(more));
    sources.add(MINE);
    for (String source : sources) {
      String type = source.replaceAll("(?s).*?\\b(?:class|interface) (\\w+).*", "$1");
      Path file = Files.createDirectory(root.resolve(type)).resolve(type + ".java");
      files.add(Files.writeString(file, source));
    }
    Javac.compile(classes, files);
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      return classPath.all().stream().map(UnattributedLocksTest::inItsJar).toList();
    }
  }

  private static ClassBytes inItsJar(ClassBytes bytes) {
    String name = new org.objectweb.asm.ClassReader(bytes.bytes()).getClassName();
    return name.startsWith("lib/")
        ? new ClassBytes(
            bytes.bytes(), "lib", new Owner.Library(new Coordinates("g", "lib", "1"), "lib"))
        : bytes;
  }

  private void stays(String inReason, String... sources) throws Exception {
    Decision.Declined declined =
        assertInstanceOf(Decision.Declined.class, decide(Assumptions.WHOLE_PROGRAM, sources));
    assertEquals(RefusalReason.MAY_BE_SHARED, declined.rung(), declined.reason());
    assertTrue(declined.reason().contains(inReason), declined.reason());
    assertTrue(!declined.blockers().isEmpty());
  }

  private void moves(String... sources) throws Exception {
    List<LockSite> sites =
        assertInstanceOf(Decision.Movable.class, decide(Assumptions.WHOLE_PROGRAM, sources))
            .lock()
            .sites();
    assertEquals(1, sites.size(), sites::toString);
  }

  /** A library that locks what its constructor is given. */
  private static final String LOCKER =
      """
      package lib;
      public class Locker {
        private final Object mutex;
        protected Locker(Object mutex) { this.mutex = mutex; }
        public static Locker of() { return new Locker(new Object()); }
        public void work() { synchronized (mutex) { mutex.hashCode(); } }
      }
      """;

  @Test
  void aSubclassThatPassesItStays() throws Exception {
    stays(
        "Locker.work",
        LOCKER,
        """
        package app;
        class Sub extends lib.Locker { Sub(Mine mine) { super(mine); } }
        """);
  }

  @Test
  void aConstructorThatNobodyCallsPassesNothing() throws Exception {
    moves(
        LOCKER,
        """
        package lib;
        class Sub extends Locker { protected Sub(Object mutex) { super(mutex); } }
        """);
  }

  /** A framework may call what is annotated. */
  @Test
  void anAnnotatedConstructorStays() throws Exception {
    stays(
        "Locker.work",
        LOCKER,
        """
        package lib;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) @interface Inject { }
        """,
        """
        package lib;
        class Sub extends Locker { @Inject protected Sub(Object mutex) { super(mutex); } }
        """);
  }

  /** The application's own methods may be called by whoever has it: a script, a container. */
  @Test
  void aMethodOfTheApplicationThatNobodyCallsStays() throws Exception {
    stays(
        "Entry.handle",
        """
        package app;
        class Entry { void handle(Object event) { synchronized (event) { event.hashCode(); } } }
        """);
  }

  @Test
  void aMethodThatReflectionFindsByNameStays() throws Exception {
    String target =
        """
        package lib;
        public class Target {
          public static void handle(Object o) { synchronized (o) { o.hashCode(); } }
        }
        """;
    moves(target);
    stays(
        "Target.handle",
        target,
        """
        package app;
        class Reflective {
          void m(Class<?> c) throws Exception {
            c.getMethod("handle", Object.class).invoke(null, new Mine());
          }
        }
        """);
  }

  @Test
  void aMethodOfAHiddenClassThatReflectionFindsByNameStays() throws Exception {
    String target =
        """
        package lib;
        class Target {
          private static void handle(Object o) { synchronized (o) { o.hashCode(); } }
        }
        """;
    moves(
        target,
        """
        package app;
        class Other {
          void m(Class<?> c) throws Exception { c.getMethod("handle", Object.class); }
        }
        """);
    stays(
        "Target.handle",
        target,
        """
        package lib;
        class Reflective {
          static void m(Object o) throws Exception {
            Target.class.getDeclaredMethod("handle", Object.class).invoke(null, o);
          }
        }
        """);
    stays(
        "Target.handle",
        target,
        """
        package app;
        class Reflective {
          void m(String name) throws Exception { Class.forName("lib.Target"); }
        }
        """);
  }

  @Test
  void aSetterStays() throws Exception {
    stays(
        "Bean.work",
        """
        package lib;
        public class Bean {
          private Object mutex = new Object();
          public void setMutex(Object mutex) { this.mutex = mutex; }
          public void work() { synchronized (mutex) { mutex.hashCode(); } }
        }
        """);
  }

  /** What an annotation injects is put there by no instruction. */
  @Test
  void anInjectedFieldStays() throws Exception {
    stays(
        "Bean.work",
        """
        package lib;
        public class Bean {
          private Runnable task;
          public void work() { synchronized (task) { task.run(); } }
        }
        """);
  }

  @Test
  void aListenerThatARegistryCallsStays() throws Exception {
    String[] registry = {
      """
      package lib;
      public interface Listener { void on(Object event); }
      """,
      """
      package lib;
      public class Registry {
        private final java.util.List<Listener> all = new java.util.ArrayList<>();
        public void add(Listener each) { all.add(each); }
        public void fire(Object event) { for (Listener each : all) each.on(event); }
      }
      """,
      """
      package lib;
      public class Locking implements Listener {
        @Override public void on(Object event) { synchronized (event) { event.hashCode(); } }
      }
      """
    };
    moves(registry);
    stays(
        "Locking.on",
        registry[0],
        registry[1],
        registry[2],
        """
        package app;
        class Firing { void m(lib.Registry all) { all.fire(new Mine()); } }
        """);
  }

  @Test
  void aLambdaThatLocksItsParameterStays() throws Exception {
    stays(
        "lambda",
        """
        package lib;
        public class Consuming {
          public static java.util.function.Consumer<Object> locking() {
            return each -> { synchronized (each) { each.hashCode(); } };
          }
        }
        """);
  }

  /** Seven calls deep: no limit may end the search with nothing. */
  @Test
  void itIsFollowedThroughManyCalls() throws Exception {
    StringBuilder deep =
        new StringBuilder("package lib; public class Deep { static void m0(Object o) { ")
            .append("synchronized (o) { o.hashCode(); } } ");
    for (int i = 1; i < 12; i++) {
      deep.append("static void m%d(Object o) { m%d(o); } ".formatted(i, i - 1));
    }
    deep.append("public static void m(Object o) { m11(o); } }");
    moves(deep.toString());
    stays(
        "Deep.m0",
        deep.toString(),
        """
        package app;
        class Calling { void m() { lib.Deep.m(new Mine()); } }
        """);
  }

  private static String locks(String field, String methods) {
    return """
    package lib;
    import java.util.*;
    import java.util.concurrent.*;
    import java.util.function.*;
    public class Locks {
      %s
      %s
      public void work(String name) {
        Object lock = locks.computeIfAbsent(name, key -> new Object());
        synchronized (lock) { lock.hashCode(); }
      }
    }
    """
        .formatted(field, methods);
  }

  private static final String OWN =
      "private final Map<String, Object> locks = new ConcurrentHashMap<>();";

  @Test
  void aMapThatOnlyItsFieldHasHoldsWhatIsPutIntoIt() throws Exception {
    moves(locks(OWN, "void forget(String name) { locks.remove(name); }"));
    moves(locks(OWN, "void put(String name) { locks.put(name, new int[1]); }"));
  }

  @Test
  void aMapIntoWhichItIsPutStays() throws Exception {
    String putting =
        """
        package app;
        class Putting { void m(lib.Locks locks) { locks.put(new Mine()); } }
        """;
    stays("Locks.work", locks(OWN, "public void put(Object o) { locks.put(\"\", o); }"), putting);
    stays(
        "Locks.work",
        locks(OWN, "public void put(Object o) { locks.computeIfAbsent(\"\", key -> o); }"),
        putting);
    stays(
        "Locks.work",
        locks(OWN, "public void put(Object o) { locks.replaceAll((key, old) -> o); }"),
        putting);
    stays(
        "Locks.work",
        locks(
            OWN,
            "public void put(Object o) { locks.computeIfAbsent(\"\", function(o)); }"
                + " static Function<String, Object> function(Object o) { return key -> o; }"),
        putting);
  }

  @Test
  void aMapThatOthersGetAtStays() throws Exception {
    for (String leak :
        List.of(
            "public Map<String, Object> all() { return locks; }",
            "public void copy(Map<String, Object> from) { locks.putAll(from); }",
            "public Set<Map.Entry<String, Object>> all() { return locks.entrySet(); }",
            "static void fill(Map<String, Object> any) { } void m() { fill(locks); }",
            "Runnable m() { return () -> locks.clear(); } Map<String, Object> o = locks;",
            "Supplier<Map<String, Object>> all() { Map<String, Object> l = locks;"
                + " return () -> l; }",
            "Object[] all() { return new Object[] {locks}; }")) {
      stays("Locks.work", locks(OWN, leak));
    }
    stays(
        "Locks.work",
        locks(
            "private final Map<String, Object> locks;",
            "public Locks(Map<String, Object> locks) { this.locks = locks; }"));
    stays(
        "Locks.work",
        locks(
            "private final Map<String, Object> locks;",
            "public Locks(Map<String, Object> from) { locks = new ConcurrentHashMap<>(from); }"));
  }

  /** As Spring keeps the mutex of a session. */
  private static final String SESSIONS =
      """
      package lib;
      public class Sessions {
        public interface Session {
          Object getAttribute(String name);
          void setAttribute(String name, Object value);
        }
        public static final String MUTEX = Sessions.class.getName() + ".MUTEX";
        public void work(Session session) {
          Object mutex = session.getAttribute(MUTEX);
          if (mutex == null) mutex = session;
          synchronized (mutex) { mutex.hashCode(); }
        }
        public void created(Session session) { session.setAttribute(MUTEX, new Object()); }
        public void other(Session session, String name, Object value) {
          session.setAttribute(name, value);
        }
      }
      """;

  @Test
  void anAttributeUnderANameOfItsOwn() throws Exception {
    moves(SESSIONS);
    moves(
        SESSIONS,
        """
        package app;
        class Cart { void m(lib.Sessions.Session s) { s.setAttribute("cart", new Mine()); } }
        """);
    stays(
        "Sessions.work",
        SESSIONS,
        """
        package app;
        class Cart {
          void m(lib.Sessions.Session s) { s.setAttribute(lib.Sessions.MUTEX, new Mine()); }
        }
        """);
    stays(
        "Sessions.work",
        SESSIONS,
        """
        package app;
        class Cart { String name() { return lib.Sessions.MUTEX; } }
        """);
    stays(
        "Sessions.work",
        SESSIONS,
        """
        package app;
        class Session implements lib.Sessions.Session {
          public Object getAttribute(String name) { return new Mine(); }
          public void setAttribute(String name, Object value) { }
        }
        """);
  }

  @Test
  void aFieldThatIsReadByReflection() throws Exception {
    String reading =
        """
        package lib;
        public class Reading {
          public void m(Thread thread) throws Exception {
            if (!thread.getClass().getName().startsWith("java.util.Timer")) return;
            java.lang.reflect.Field field = thread.getClass().getDeclaredField("queue");
            Object queue = field.get(thread);
            synchronized (queue) { queue.hashCode(); }
          }
        }
        """;
    moves(reading);
    stays(
        "Reading.m",
        reading,
        """
        package app;
        class Worker extends Thread { Object queue = new Mine(); }
        """);
    stays("Reading.m", reading.replace("\"queue\"", "System.getProperty(\"field\")"));
    stays("Reading.m", reading.replace("startsWith(\"java.util.Timer\")", "isEmpty()"));
    stays("Reading.m", reading.replace("thread.getClass()", "Class.forName(thread.getName())"));
  }

  @Test
  void theLockOfAClassLoader() throws Exception {
    String loader =
        """
        package lib;
        public class Loading extends ClassLoader {
          @Override protected Class<?> loadClass(String name, boolean resolve)
              throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) { return super.loadClass(name, resolve); }
          }
        }
        """;
    moves(loader);
    stays(
        "Loading.loadClass",
        loader,
        """
        package app;
        class Own extends lib.Loading {
          private final Mine mine = new Mine();
          @Override protected Object getClassLoadingLock(String name) { return mine; }
        }
        """);
  }

  /** Byte Buddy asks for it by reflection, in a method of the same name. */
  @Test
  void theLockOfAClassLoaderByReflection() throws Exception {
    String asking =
        """
        package lib;
        import java.lang.reflect.Method;
        public class Asking {
          static Method found() throws Exception {
            return ClassLoader.class.getDeclaredMethod("getClassLoadingLock", String.class);
          }
          static Object getClassLoadingLock(ClassLoader of, String name) throws Exception {
            return found().invoke(of, name);
          }
          public void load(ClassLoader of) throws Exception {
            synchronized (getClassLoadingLock(of, "")) { of.hashCode(); }
          }
        }
        """;
    moves(asking);
    stays("Asking.load", asking.replace("\"getClassLoadingLock\"", "\"another\""));
    stays(
        "Asking.load",
        asking
            .replace("Object getClassLoadingLock", "Object lock")
            .replace("(getC", "(l")
            .replace("lassLoadingLock(of,", "ock(of,"));
  }

  @Test
  void instanceofTellsWhatIsLocked() throws Exception {
    String comparing =
        """
        package lib;
        public class Comparing {
          int n;
          @Override public int hashCode() { return n; }
          @Override public boolean equals(Object other) {
            if (!(other instanceof Comparing)) return false;
            synchronized (other) { return ((Comparing) other).n == n; }
          }
        }
        """;
    moves(comparing);
    stays("Comparing.equals", comparing.replace("return false;", "System.out.println();"));
    stays("Comparing.equals", comparing.replace("(!(", "((").replace("Comparing))", "String))"));
  }

  /** Kotlin's compiler copies variables where it inlines a function, and checks one of them. */
  @Test
  void instanceofOfACopyTellsWhatIsLocked() throws Exception {
    String completing =
        """
        package lib;
        public class Job {
          Object state;
          static class Finishing { int n; }
          Object state() { return state; }
          public void complete() {
            while (true) {
              Object state = state();
              Object checked = state;
              if (checked instanceof Finishing) {
                Object lock = state;
                Object monitor = lock;
                synchronized (monitor) { ((Finishing) state).n++; return; }
              }
            }
          }
        }
        """;
    String shelf =
        """
        package lib;
        public class Shelf { public synchronized void add() { System.out.println(); } }
        """;
    moves(completing, shelf);
    String complete = "Job.complete";
    stays(complete, shelf, completing.replace("instanceof Finishing", "instanceof Object"));
    stays(
        complete,
        shelf,
        completing.replace("Object checked = state;", "Object checked = this.state;"));
    stays(complete, shelf, completing.replace("Object lock = state;", "Object lock = state();"));
    stays(complete, shelf, completing.replace("if (checked", "if (state == null || checked"));
    stays(
        complete,
        shelf,
        completing.replace("Object lock = state;", "state = state(); Object lock = state;"));
  }

  @Test
  void whatGivesItsArgumentBack() throws Exception {
    String checking =
        """
        package lib;
        public class Checking {
          static <T> T check(T any) { return any; }
          private final Object lock = check(new Object());
          Object given;
          public Object lock() { return lock; }
          public void work() { synchronized (lock) { lock.hashCode(); } }
          static Object other = check(new Checking());
        }
        """;
    moves(
        checking,
        """
        package lib;
        class Also { static Object o; void m(Object x) { o = Checking.check(x); } }
        """);
    stays(
        "Checking.work",
        checking.replace("check(new Object())", "check(this.given)"),
        """
        package app;
        class Given { void m(lib.Checking c) { } }
        """);
  }

  /** What a library needs and nobody has is never run; what the application needs is. */
  @Test
  void aCallOfAClassThatIsNotThere() throws Exception {
    List<ClassBytes> classes =
        compile(
            """
            package opt;
            public class Optional { public static Object mutex() { return null; } }
            """,
            """
            package lib;
            public class Using {
              public void m() {
                Object mutex = opt.Optional.mutex();
                synchronized (mutex) { mutex.hashCode(); }
              }
            }
            """);
    List<ClassBytes> without =
        classes.stream()
            .filter(
                each ->
                    !new org.objectweb.asm.ClassReader(each.bytes())
                        .getClassName()
                        .startsWith("opt/"))
            .toList();
    assertInstanceOf(Decision.Movable.class, mine(without, Assumptions.WHOLE_PROGRAM));
    assertInstanceOf(
        Decision.Declined.class,
        mine(without, new Assumptions(Clients.UNSEEN, List.of(), Set.of())));
    List<ClassBytes> applications =
        without.stream()
            .map(each -> new ClassBytes(each.bytes(), "classes", new Owner.Application("classes")))
            .toList();
    assertInstanceOf(Decision.Declined.class, mine(applications, Assumptions.WHOLE_PROGRAM));
  }

  /** As log4j's class for a library that is seldom there: what is private overrides nothing. */
  @Test
  void whatPrivateMethodsOfSuchAClassAreGiven() throws Exception {
    String waiting =
        """
        package lib;
        class Waiting implements opt.Strategy {
          private final Object mutex = new Object();
          public void pause() throws InterruptedException {
            synchronized (mutex) { await(mutex); }
          }
          %s void await(Object mutex) throws InterruptedException { mutex.wait(1); }
        }
        """;
    for (String modifier : List.of("private static", "private", "static")) {
      assertInstanceOf(
          Decision.Movable.class,
          mine(withoutStrategy(waiting, modifier), Assumptions.WHOLE_PROGRAM));
    }
    assertInstanceOf(
        Decision.Declined.class,
        mine(withoutStrategy(waiting, "public"), Assumptions.WHOLE_PROGRAM));
  }

  private List<ClassBytes> withoutStrategy(String waiting, String modifier) throws Exception {
    return compile(
            "package opt; public interface Strategy { default void other(Object o) { } }",
            waiting.formatted(modifier))
        .stream()
        .filter(
            each ->
                !new org.objectweb.asm.ClassReader(each.bytes()).getClassName().startsWith("opt/"))
        .toList();
  }

  private static Decision mine(List<ClassBytes> classes, Assumptions assumed) {
    return new LockSafety(Program.read(classes, JdkClasses.running()), assumed)
        .all(List.of("app.Mine"))
        .getFirst();
  }

  @Test
  void unseenClientsMayPassAnything() throws Exception {
    assertInstanceOf(
        Decision.Declined.class,
        decide(new Assumptions(Clients.UNSEEN, List.of(), Set.of()), LOCKER));
    moves(LOCKER);
  }

  private static final String[] SHARED = {
    """
    package lib;
    public class One { public void a(Object o) { synchronized (o) { o.hashCode(); } } }
    """,
    """
    package app;
    class Calling { void m() { new lib.One().a(new Mine()); } }
    """
  };

  @Test
  void theUsersWordCounts() throws Exception {
    stays("One.a", SHARED);
    assertInstanceOf(Decision.Declined.class, decide(trusting("lib.One", "b"), SHARED));
    assertInstanceOf(Decision.Declined.class, decide(trusting("lib.Other", "a"), SHARED));
    assertInstanceOf(Decision.Movable.class, decide(trusting("lib.One", "a"), SHARED));
    assertInstanceOf(Decision.Declined.class, decide(notShared("app.Calling"), SHARED));
    assertInstanceOf(Decision.Movable.class, decide(notShared("app.Mine"), SHARED));
  }

  @Test
  void theUsersWordIsCheckedForWhatIsNotThere() throws Exception {
    LockSafety ladder = new LockSafety(Program.read(compile(SHARED), JdkClasses.running()));
    assertEquals(Optional.empty(), ladder.unfounded(Assumptions.WHOLE_PROGRAM));
    assertEquals(Optional.empty(), ladder.unfounded(trusting("lib.One", "a")));
    assertEquals(Optional.empty(), ladder.unfounded(notShared("app.Mine")));
    assertEquals(
        Optional.of("--trust-site lib.Two#a: lib.Two is not on the class path"),
        ladder.unfounded(trusting("lib.Two", "a")));
    assertEquals(
        Optional.of("--trust-site lib.One#b: this method takes no monitor; check its name"),
        ladder.unfounded(trusting("lib.One", "b")));
    assertEquals(
        Optional.of("--assume-not-shared app.You: this class is not on the class path"),
        ladder.unfounded(notShared("app.You")));
  }

  private static Assumptions trusting(String type, String method) {
    return new Assumptions(Clients.NONE, List.of(new TrustedSite(type, method)), Set.of());
  }

  private static Assumptions notShared(String type) {
    return new Assumptions(Clients.NONE, List.of(), Set.of(type));
  }

  // Proxies: an object of an interface that no class file implements.

  private static final String HOLDER =
      """
      package lib;
      public interface Holder {
        Object mutex();
        class Plain implements Holder { public Object mutex() { return new int[0]; } }
        class Locking { void work(Holder of) { synchronized (of.mutex()) { of.hashCode(); } } }
      }
      """;

  @Test
  void whatAProxyGivesStays() throws Exception {
    String made =
        """
        package %s;
        import java.lang.reflect.Proxy;
        public class Proxies {
          public static Object make(Class<?> of, Object behind) {
            return Proxy.newProxyInstance(
                null, %s, (proxy, method, arguments) -> new app.Mine());
          }
          Object runnable() { return make(Runnable.class, null); }
          %s
        }
        """;
    String named = "new Class<?>[] {Runnable.class, %s}";
    stays("Locking.work", HOLDER, made.formatted("app", named.formatted("lib.Holder.class"), ""));
    String holder = "Object holder() { return make(lib.Holder.class, null); }";
    stays("Locking.work", HOLDER, made.formatted("app", named.formatted("of"), holder));
    String ofBehind = "behind.getClass().getInterfaces()";
    stays("Locking.work", HOLDER, made.formatted("app", ofBehind, ""));
    moves(HOLDER, made.formatted("app", named.formatted("AutoCloseable.class"), ""));
    // That a library's proxy hands on what is behind it is an assumption (docs/patching.md).
    moves(HOLDER, made.formatted("lib", ofBehind, ""));
    moves(HOLDER, made.formatted("lib", named.formatted("lib.Holder.class"), ""));
    moves(HOLDER);
    // Of what a library keeps for itself the application makes none, unless something extends it.
    String inside =
        """
        package lib;
        public class Loader {
          %s interface Holder { Object mutex(); }
          static class Plain implements Holder { public Object mutex() { return new int[0]; } }
          static class Locking {
            void work(Holder of) { synchronized (of.mutex()) { of.hashCode(); } }
          }
          %s
        }
        """;
    String ofAny = made.formatted("app", ofBehind, "");
    moves(inside.formatted("protected", ""), ofAny);
    moves(inside.formatted("private", ""), ofAny);
    stays("Locking.work", inside.formatted("public", ""), ofAny);
    String below = "public interface More extends Holder {}";
    stays("Locking.work", inside.formatted("protected", below), ofAny);
  }
}
