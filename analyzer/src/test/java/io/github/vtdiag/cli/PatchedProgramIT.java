package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small programs in which a monitor looks as if it could move: it stays, or the patched program
 * does what the other did. What each prints is what it prints before.
 */
@Order(1)
final class PatchedProgramIT {
  @TempDir private Path temporary;

  private Path folder() throws IOException {
    return temporary.toRealPath();
  }

  private void write(String source) throws IOException {
    Path sources = Files.createDirectories(folder().resolve("src"));
    Files.writeString(sources.resolve("Main.java"), source);
  }

  /** Compiles all that is in {@code src}. */
  private static void compile(Path in) throws IOException {
    try (Stream<Path> files = Files.walk(in.resolve("src"))) {
      Javac.compile(
          in.resolve("classes"), files.filter(file -> file.toString().endsWith(".java")).toList());
    }
  }

  private static Forked run(Jdk jdk, Path in, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(Forked.QUICK, "-XX:+UseSerialGC"));
    all.addAll(List.of("-cp", "classes", "Main"));
    all.addAll(List.of(arguments));
    return Forked.java(jdk, in, all.toArray(String[]::new));
  }

  private static void prints(String expected, Forked ran) {
    assertEquals("", ran.err());
    assertEquals(expected + "\n", ran.out());
  }

  private JsonNode patch(Jdk jdk) throws Exception {
    Forked ran =
        WarmCommandLine.run(
            jdk,
            "patch",
            "--all",
            "--verify",
            "--format",
            "json",
            "--classpath",
            folder().resolve("classes").toString(),
            "--sources",
            folder().resolve("src").toString());
    assertEquals(0, ran.exitCode(), ran.out() + ran.err());
    return new ObjectMapper().readTree(ran.out());
  }

  /** Its one lock stays, for this reason. */
  private void stays(Jdk jdk, String rung, String words, String printed, String source)
      throws Exception {
    write(source);
    compile(folder());
    prints(printed, run(jdk, folder()));
    JsonNode json = patch(jdk);
    assertEquals(0, json.path("locks").size(), json::toPrettyString);
    assertEquals(rung, json.at("/declined/0/rung").asText(), json::toPrettyString);
    String reason = json.at("/declined/0/reason").asText();
    assertTrue(reason.contains(words), reason);
  }

  /** All its locks move, and the new program prints what the old one did. */
  private Path moves(Jdk jdk, String printed, String source) throws Exception {
    write(source);
    compile(folder());
    prints(printed, run(jdk, folder()));
    JsonNode json = patch(jdk);
    assertEquals(0, json.path("declined").size(), json::toPrettyString);
    Path copy = folder().resolve("patched");
    Files.createDirectories(copy.resolve("src"));
    Files.copy(folder().resolve("src/Main.java"), copy.resolve("src/Main.java"));
    Path diff = Files.writeString(folder().resolve("locks.patch"), json.path("diff").asText());
    // The working folder of the command was elsewhere, so the paths are those in the sources.
    Forked applied =
        Forked.run(copy.resolve("src"), Map.of(), List.of("git", "apply", diff.toString()));
    assertEquals("", applied.err());
    assertEquals(0, applied.exitCode());
    compile(copy);
    prints(printed, run(jdk, copy));
    return copy;
  }

  // Copies.

  @ParameterizedTest
  @EitherJdk
  void copiesThatAConstructorMakesHaveTheirOwnLocks(Jdk jdk) throws Exception {
    moves(
        jdk,
        "7 7 true 9 9 true",
        """
        import java.io.*;

        class Main {
          static class Account implements Cloneable {
            int n;

            synchronized void add(int more) {
              n += more;
            }

            @Override
            public Account clone() {
              Account copy = new Account();
              copy.n = n;
              return copy;
            }
          }

          public static class Letter implements Externalizable {
            private static final long serialVersionUID = 1;
            int n;

            public Letter() {}

            synchronized void add(int more) {
              n += more;
            }

            @Override
            public void writeExternal(ObjectOutput out) throws IOException {
              out.writeInt(n);
            }

            @Override
            public void readExternal(ObjectInput in) throws IOException {
              n = in.readInt();
            }
          }

          public static void main(String[] args) throws Exception {
            Account account = new Account();
            account.add(7);
            Account clone = account.clone();
            boolean own;
            synchronized (account) {
              own = ends(() -> clone.add(0));
            }
            Letter letter = new Letter();
            letter.add(9);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
              out.writeObject(letter);
            }
            Letter read =
                (Letter)
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
                        .readObject();
            boolean ownToo;
            synchronized (letter) {
              ownToo = ends(() -> read.add(0));
            }
            System.out.println(
                account.n + " " + clone.n + " " + own + " "
                    + letter.n + " " + read.n + " " + ownToo);
          }

          static boolean ends(Runnable task) throws InterruptedException {
            Thread other = Thread.ofPlatform().daemon().start(task);
            other.join(60_000);
            return !other.isAlive();
          }
        }
        """);
  }

  // Method references.

  @ParameterizedTest
  @EitherJdk
  void aReferenceToNotifyAll(Jdk jdk) throws Exception {
    stays(
        jdk,
        "METHOD_REFERENCE",
        "Main.Box.put (line 7) refers to the method notifyAll",
        "1",
        """
        class Main {
          static class Box {
            private int n;

            synchronized void put() {
              n++;
              Runnable told = this::notifyAll;
              told.run();
            }

            synchronized int take() throws InterruptedException {
              while (n == 0) {
                wait();
              }
              return n--;
            }
          }

          public static void main(String[] args) throws Exception {
            Box box = new Box();
            Thread putting = new Thread(box::put);
            putting.start();
            System.out.println(box.take());
            putting.join();
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aReferenceInALambdaOfAnotherClass(Jdk jdk) throws Exception {
    stays(
        jdk,
        "METHOD_REFERENCE",
        "notify",
        "1",
        """
        import java.util.function.Consumer;
        class Main {
          static class Box {
            private int n;
            synchronized int add() { return ++n; }
          }

          public static void main(String[] args) {
            Box box = new Box();
            Runnable adding = () -> {
              synchronized (box) {
                Consumer<Box> told = Box::notify;
                told.accept(box);
                System.out.println(box.add());
              }
            };
            adding.run();
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aReferenceToHoldsLock(Jdk jdk) throws Exception {
    stays(
        jdk,
        "METHOD_REFERENCE",
        "holdsLock",
        "true",
        """
        import java.util.function.Predicate;
        class Main {
          static synchronized boolean isHeld() {
            Predicate<Class<?>> held = Thread::holdsLock;
            return held.test(Main.class);
          }

          public static void main(String[] args) {
            System.out.println(isHeld());
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aReferenceToAnotherObject(Jdk jdk) throws Exception {
    moves(
        jdk,
        "1",
        """
        class Main {
          static class Box {
            private int n;
            synchronized int add() { return ++n; }
          }

          public static void main(String[] args) {
            Thread other = new Thread();
            Runnable told = other::notify;
            System.out.println(new Box().add());
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aReferenceOnALockField(Jdk jdk) throws Exception {
    stays(
        jdk,
        "METHOD_REFERENCE",
        "a reference in Main.Box.put to the method notifyAll needs the monitor of Main.Box.lock",
        "1",
        """
        class Main {
          static class Box {
            private final Object lock = new Object();
            private int n;

            void put() {
              Runnable told = lock::notifyAll;
              synchronized (lock) {
                n++;
                told.run();
              }
            }
          }

          public static void main(String[] args) throws Exception {
            Box box = new Box();
            box.put();
            System.out.println(box.n);
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aReferenceToDataOfALockField(Jdk jdk) throws Exception {
    stays(
        jdk,
        "ESCAPES",
        "Main.LIST is captured by a lambda",
        "[1]",
        """
        import java.util.ArrayList;
        import java.util.List;
        import java.util.function.Consumer;
        class Main {
          private static final List<Integer> LIST = new ArrayList<>();

          public static void main(String[] args) throws Exception {
            Consumer<Integer> adding = LIST::add;
            synchronized (LIST) {
              adding.accept(1);
              System.out.println("" + LIST);
            }
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aNullCheckOfALockField(Jdk jdk) throws Exception {
    moves(
        jdk,
        "1",
        """
        import java.util.Objects;
        class Main {
          private static final Object LOCK = new Object();

          public static void main(String[] args) throws Exception {
            Objects.requireNonNull(LOCK);
            synchronized (LOCK) {
              System.out.println(1);
            }
          }
        }
        """);
  }

  // What superclasses do before the fields of a class are assigned.

  @ParameterizedTest
  @EitherJdk
  void aRegistryOfASuperclass(Jdk jdk) throws Exception {
    stays(
        jdk,
        "INITIALIZATION_ORDER",
        "let the object out before the lock field is assigned: see Main.Registry.add",
        "2",
        """
        import java.util.ArrayList;
        import java.util.List;
        class Main {
          interface Listener { void hear(); }

          static class Registry {
            private static final List<Listener> ALL = new ArrayList<>();

            static void add(Listener listener) {
              ALL.add(listener);
              ALL.forEach(Listener::hear);
            }
          }

          static abstract class Base implements Listener {
            Base() { Registry.add(this); }
          }

          static class Sub extends Base {
            private int heard;
            private Sub() { heard++; }
            public synchronized void hear() { heard++; }
          }

          public static void main(String[] args) {
            System.out.println(new Sub().heard);
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void anOverrideInASubclassOfTheLockedClass(Jdk jdk) throws Exception {
    stays(
        jdk,
        "INITIALIZATION_ORDER",
        "may call Main.Middle.next",
        "2",
        """
        class Main {
          static class Base {
            Base() { prepare(); }
            void prepare() {}
          }

          static class Middle extends Base {
            private int n;
            synchronized int next() { return ++n; }
          }

          static class Sub extends Middle {
            @Override void prepare() { next(); }
          }

          public static void main(String[] args) {
            System.out.println(new Sub().next());
          }
        }
        """);
  }

  @ParameterizedTest
  @CsvSource({
    "'new Thread(this).start(); started.await();'",
    "'last = this;'",
    "'held[0] = this;'",
    "'Runnable later = () -> run(); later.run();'",
    "'Runnable later = new Runnable() { public void run() { Base.this.run(); } }; call(later);'",
    "'self = this; call(self);'",
    "'java.util.Optional.of(this).ifPresent(Runnable::run);'",
    "'new java.util.TreeMap<Runnable, String>((a, b) -> 0).put(this, null);'"
  })
  void whatLetsTheObjectOut(String statement) throws Exception {
    stays(
        Jdk.JAVA_25,
        "INITIALIZATION_ORDER",
        "before the lock field is assigned",
        "ok",
        """
        import java.util.concurrent.CountDownLatch;
        class Main {
          static Object last;
          static final Object[] held = new Object[1];

          static abstract class Base implements Runnable {
            final CountDownLatch started = new CountDownLatch(1);
            Runnable self;
            Base() throws Exception { STATEMENT }
            static void call(Runnable each) { each.run(); }
          }

          static class Sub extends Base {
            Sub() throws Exception {}
            public synchronized void run() { started.countDown(); }
          }

          public static void main(String[] args) throws Exception {
            new Sub().run();
            System.out.println("ok");
          }
        }
        """
            .replace("STATEMENT", statement));
  }

  @ParameterizedTest
  @EitherJdk
  void superclassesThatKeepTheObjectToThemselves(Jdk jdk) throws Exception {
    moves(
        jdk,
        "3",
"""
        import java.io.FilterOutputStream;
        import java.io.OutputStream;
        import java.util.AbstractMap;
        import java.util.ArrayList;
        import java.util.List;
        import java.util.Map;
import java.util.stream.Stream;
        import java.util.Objects;
        import java.util.Set;
        class Main {
          static abstract class Base {
            private final String name;
            private final List<String> names = new ArrayList<>();
            private final Inner inner = new Inner();
            private final Runnable naming = () -> add("later");

            Base(String name) {
              this.name = Objects.requireNonNull(name);
              names.add(name);
              check();
            }

            private void check() {
              if (names.isEmpty()) throw new IllegalStateException("no name: " + name);
            }

            class Inner { int size() { return names.size(); } }

            abstract int add(String more);
          }

          static class Sub extends Base {
            private int n;
            Sub() { super("a"); }
            @Override synchronized int add(String more) { return ++n; }
          }

          static class Out extends FilterOutputStream {
            private int n;
            Out() { super(OutputStream.nullOutputStream()); }
            @Override public synchronized void write(int each) { n++; }
          }

          static class Entries extends AbstractMap<String, String> {
            @Override public synchronized Set<Map.Entry<String, String>> entrySet() {
              return Set.of();
            }
          }

          public static void main(String[] args) throws Exception {
            Sub sub = new Sub();
            Out out = new Out();
            out.write(1);
            System.out.println(sub.add("") + out.n + new Entries().size() + sub.add("") - 1);
          }
        }
""");
  }

  @ParameterizedTest
  @EitherJdk
  void aFinalizerOfAnObjectWhoseSuperclassThrew(Jdk jdk) throws Exception {
    stays(
        jdk,
        "INITIALIZATION_ORDER",
        "a superclass constructor of Main.Sub may throw before the lock field is assigned, and then"
            + " Main.Sub.finalize runs",
        "true",
        """
        class Main {
          static volatile boolean isFinalized;

          static class Base {
            Base() {
              throw new IllegalStateException();
            }
          }

          static class Sub extends Base {
            @SuppressWarnings("removal")
            @Override protected synchronized void finalize() {
              isFinalized = true;
            }
          }

          public static void main(String[] args) throws Exception {
            try {
              new Sub();
            } catch (IllegalStateException e) {
              // The JVM finalizes it all the same.
            }
            for (int i = 0; i < 500 && !isFinalized; i++) {
              System.gc();
              Thread.sleep(10);
            }
            System.out.println(isFinalized);
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aFinalizerBelowObject(Jdk jdk) throws Exception {
    moves(
        jdk,
        "true",
        """
        class Main {
          static volatile boolean isFinalized;

          static class Box {
            Box() {
              throw new IllegalStateException();
            }

            @SuppressWarnings("removal")
            @Override protected synchronized void finalize() {
              isFinalized = true;
            }
          }

          public static void main(String[] args) throws Exception {
            try {
              new Box();
            } catch (IllegalStateException e) {
              // The JVM finalizes it all the same.
            }
            for (int i = 0; i < 500 && !isFinalized; i++) {
              System.gc();
              Thread.sleep(10);
            }
            System.out.println(isFinalized);
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aFieldThatHoldsThis(Jdk jdk) throws Exception {
    stays(
        jdk,
        "ESCAPES",
        "Main.mutex is assigned an object in Main.<init> that comes from elsewhere (this)",
        "1",
        """
        class Main {
          private final Object mutex = this;
          private int n;

          int add() {
            synchronized (mutex) {
              return ++n;
            }
          }

          public static void main(String[] args) {
            System.out.println(new Main().add());
          }
        }
        """);
  }

  // A static field that an expression names is read without what stands before it, which runs.

  @ParameterizedTest
  @EitherJdk
  void aCallBeforeAStaticField(Jdk jdk) throws Exception {
    moves(
        jdk,
        "1",
        """
        class Main {
          private static final Object LOCK = new Object();
          private static int calls;

          static Main next() {
            calls++;
            return null;
          }

          public static void main(String[] args) {
            synchronized (next().LOCK) {
              System.out.println(calls);
            }
            if (calls != 1) {
              System.out.println(calls);
            }
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void aVariableBeforeAStaticField(Jdk jdk) throws Exception {
    Path copy =
        moves(
            jdk,
            "1",
            """
            class Main {
              private static class Box {
                static final Object LOCK = new Object();
                Box next = this;
              }

              public static void main(String[] args) {
                Box box = new Box();
                synchronized (box.next.LOCK) {
                  box = null;
                  System.out.println(1);
                }
                synchronized (Main.Box.LOCK) {
                  box = null;
                }
              }
            }
            """);
    String patched = Files.readString(copy.resolve("src/Main.java"));
    assertTrue(patched.contains("Main.Box.LOCK.unlock()"), patched);
  }

  // What runs before the static fields of a class are assigned.

  @ParameterizedTest
  @CsvSource({
    "'Sub.next();'",
    "'Runnable later = Sub::next; later.run();'",
    "'java.util.List.of(1).forEach(each -> Sub.next());'",
    "'new Sub();'",
    "'new Other();'",
    "'Other.touch();'",
    "'String text = \"\" + new Named();'"
  })
  void anInitializerOfASuperclass(String statement) throws Exception {
    for (String kind :
        statement.equals("Sub.next();")
            ? List.of("class Base", "interface Base")
            : List.of("class Base")) {
      String field = kind.startsWith("class") ? "static { STATEMENT }" : "int X = Other.run();";
      stays(
          Jdk.JAVA_25,
          "INITIALIZATION_ORDER",
          "the initializer of a class above Main.Sub may call Main.Sub.next",
          "2",
          """
          class Main {
            static KIND {
              FIELD
              default void used() {}
            }

            static class Sub HOW Base {
              static int n;
              Sub() { next(); }
              static synchronized int next() { return ++n; }
            }

            static class Other {
              static { Sub.next(); }
              static void touch() {}
              static int run() { return 0; }
            }

            static class Named {
              @Override public String toString() { return "" + Sub.next(); }
            }

            public static void main(String[] args) {
              System.out.println(Sub.next());
            }
          }
          """
              .replace("KIND", kind)
              .replace("FIELD", field)
              .replace("default void", kind.startsWith("class") ? "void" : "default void")
              .replace("HOW", kind.startsWith("class") ? "extends" : "implements")
              .replace("STATEMENT", statement));
    }
  }

  @ParameterizedTest
  @EitherJdk
  void anInitializerOfASuperclassThatLooksForTheClassByName(Jdk jdk) throws Exception {
    stays(
        jdk,
        "INITIALIZATION_ORDER",
        "may run code that is not known",
        "2",
        """
        class Main {
          static class Base {
            static {
              try {
                Class.forName("Main$Sub").getDeclaredMethod("next").invoke(null);
              } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
              }
            }
          }

          static class Sub extends Base {
            static int n;
            static synchronized int next() { return ++n; }
          }

          public static void main(String[] args) {
            System.out.println(Sub.next());
          }
        }
        """);
  }

  @ParameterizedTest
  @CsvSource({
    "ONE(next())",
    "'ONE(0) { final int more = next(); }'",
    "ONE(new Other().n)",
    "ONE(0) { { next(); } }",
    "ONE"
  })
  void constantsOfAnEnum(String constants) throws Exception {
    stays(
        Jdk.JAVA_21,
        "INITIALIZATION_ORDER",
        "making the constants of Main.Kind may call Main.Kind.next",
        "7",
        """
        class Main {
          enum Kind {
            CONSTANTS;
            final int k;
            Kind() { k = next(); }
            Kind(int k) { this.k = 7; }
            static synchronized int next() { return 7; }
          }

          static class Other { final int n = Kind.next(); }

          public static void main(String[] args) {
            System.out.println(Kind.ONE.k);
          }
        }
        """
            .replace("CONSTANTS", constants));
  }

  @ParameterizedTest
  @EitherJdk
  void theVersionOfASerializableClass(Jdk jdk) throws Exception {
    stays(
        jdk,
        "INITIALIZATION_ORDER",
        "the serialVersionUID of Main may call Main.next",
        "2",
        """
        class Main implements java.io.Serializable {
          private static final long serialVersionUID = next();
          private static int n;
          private static synchronized int next() { return ++n; }

          public static void main(String[] args) {
            next();
            System.out.println(n + serialVersionUID - (serialVersionUID + n) + 2);
          }
        }
        """);
  }

  @ParameterizedTest
  @CsvSource({
    "'static { System.out.println(\"init\"); }'",
    "'static final Object MADE = new Main();'",
    "'static int m = Main.many++;'",
    "'static { Main.many++; }'"
  })
  void aClassThatIsLockedBeforeItIsInitialized(String initializer) throws Exception {
    for (String base : List.of("", "extends Base")) {
      stays(
          Jdk.JAVA_25,
          "INITIALIZATION_ORDER",
          "would initialize Main.Box before it locks",
          "0" + (initializer.contains("init") ? "\ninit" : "") + "\n0",
          """
          class Main {
            static int many;
            static class Base { BASE }
            static class Box EXTENDS { OWN static int n; }

            public static void main(String[] args) {
              synchronized (Box.class) {
                System.out.println(many);
              }
              System.out.println(Box.n);
            }
          }
          """
              .replace("BASE", base.isEmpty() ? "" : initializer)
              .replace("OWN", base.isEmpty() ? initializer : "")
              .replace("EXTENDS", base));
    }
  }

  @ParameterizedTest
  @EitherJdk
  void anInitializerThatWaitsForAThreadThatLocks(Jdk jdk) throws Exception {
    stays(
        jdk,
        "INITIALIZATION_ORDER",
        "waits for another thread",
        "1",
        """
        class Main {
          static class Work implements Runnable {
            static Work work = new Work();
            static {
              Thread working = new Thread(work);
              working.start();
              try {
                working.join();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
            int n;
            public void run() {
              synchronized (Work.class) { n++; }
            }
          }

          public static void main(String[] args) {
            System.out.println(Work.work.n);
          }
        }
        """);
  }

  @ParameterizedTest
  @EitherJdk
  void staticLocksThatAreThereInTime(Jdk jdk) throws Exception {
    moves(
        jdk,
        "3 2 3 1 7 1 4",
        """
        import java.util.ArrayList;
        import java.util.List;
        class Main {
          /** Its own initializer comes behind the lock, whatever it calls. */
          static class First {
            static final First INSTANCE = new First();
            static final int MORE = next();
            static int n;
            First() { next(); }
            static synchronized int next() { return ++n; }
          }

          /** They initialize each other. */
          static class There {
            static int n;
            static { Back.touch(); }
            static synchronized int next() { return ++n; }
          }

          static class Back {
            static { There.next(); }
            static void touch() {}
          }

          /** What its superclasses do is known. */
          static class Base {
            static final List<String> NAMES = new ArrayList<>();
            static { NAMES.add("a".toUpperCase()); }
          }

          static class Sub extends Base {
            static int n = 2;
            static synchronized int next() { return ++n; }
          }

          enum Kind {
            ONE("one") { @Override int number() { return 1; } };
            final String name;
            Kind(String name) { this.name = name + "!"; }
            int number() { return 0; }
            static final int SEVEN = seven();
            static synchronized int seven() { return 7; }
          }

          /** Locked from outside, and nobody sees when it is initialized. */
          static class Quiet {
            static final List<String> ALL = new ArrayList<>();
            static int n;
          }

          public static void main(String[] args) {
            String text = First.next() + " " + (There.next() + " ");
            synchronized (Quiet.class) {
              Quiet.n++;
            }
            System.out.println(
                text + Sub.next() + " " + Kind.ONE.number() + " " + Kind.SEVEN + " " + Quiet.n
                    + " " + (First.n + 1));
          }
        }
        """);
  }

  // The default serialVersionUID.

  /** A Serializable class that locks its class object, and prints its version. */
  private static String serializable(String first) {
    return serializable(first, "Main.class");
  }

  private static String serializable(String first, String lock) {
    return """
    import java.io.ObjectStreamClass;
    import java.io.Serializable;
    class Main implements Serializable {
      FIRST
      private static int added;
      private int n;

      void add() {
        synchronized (LOCK) { added += ++n; }
      }

      public static void main(String[] args) {
        new Main().add();
        long version = ObjectStreamClass.lookup(Main.class).getSerialVersionUID();
        System.out.println(version + " " + added);
      }
    }
    """
        .replace("FIRST", first)
        .replace("LOCK", lock);
  }

  @ParameterizedTest
  @EitherJdk
  void aStaticFieldWhoseTypeCountsInTheDefaultVersion(Jdk jdk) throws Exception {
    stays(
        jdk,
        "SERIALIZABLE",
        "a static lock would change the default",
        "-9172997416967719186 1",
        serializable("static final Object LOCK = new Object();", "LOCK"));
  }

  @ParameterizedTest
  @EitherJdk
  void aPrivateStaticFieldWhoseTypeDoesNot(Jdk jdk) throws Exception {
    moves(
        jdk,
        "2597713180707393007 1",
        serializable("private static final Object LOCK = new Object();", "LOCK"));
  }

  @ParameterizedTest
  @EitherJdk
  void aStaticLockThatWouldChangeTheDefaultVersion(Jdk jdk) throws Exception {
    stays(
        jdk,
        "SERIALIZABLE",
        "a static lock would change the default",
        "-9105360046172679866 1",
        serializable(""));
  }

  @ParameterizedTest
  @EitherJdk
  void aStaticLockOfAClassThatDeclaresItsVersion(Jdk jdk) throws Exception {
    moves(jdk, "5 1", serializable("private static final long serialVersionUID = 5;"));
  }

  @ParameterizedTest
  @EitherJdk
  void aStaticLockThatLeavesTheDefaultVersionAsItIs(Jdk jdk) throws Exception {
    moves(
        jdk,
        "2597713180707393007 1",
        serializable("private static final Object FIRST = new Object();"));
  }

  // Objects made without a constructor.

  @ParameterizedTest
  @CsvSource({
    "unsafe().allocateInstance(Sub.class)",
    "'unsafe().allocateInstance(Class.forName(\"Main$Box\"))'",
    "'sun.reflect.ReflectionFactory.getReflectionFactory().newConstructorForSerialization(Box.class,"
        + " Object.class.getDeclaredConstructor()).newInstance()'"
  })
  void anObjectMadeWithoutAConstructor(String expression) throws Exception {
    stays(
        Jdk.JAVA_21,
        "NO_CONSTRUCTOR",
        "may make instances of Main.",
        "1",
        unconstructed(expression));
  }

  @ParameterizedTest
  @EitherJdk
  void anObjectOfAnotherClassMadeWithoutAConstructor(Jdk jdk) throws Exception {
    stays(
        jdk,
        "NO_CONSTRUCTOR",
        "may make instances of Main.Box",
        "1",
        unconstructed("make(Box.class)"));
  }

  private static String unconstructed(String expression) {
    return """
    class Main {
      static class Box {
        private int n;
        synchronized int add() { return ++n; }
      }

      static class Sub extends Box {}

      static sun.misc.Unsafe unsafe() throws Exception {
        var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (sun.misc.Unsafe) field.get(null);
      }

      static Object make(Class<?> type) throws Exception {
        return unsafe().allocateInstance(type);
      }

      public static void main(String[] args) throws Exception {
        System.out.println(((Box) EXPRESSION).add());
      }
    }
    """
        .replace("EXPRESSION", expression);
  }

  @ParameterizedTest
  @CsvSource({
    "'final synchronized int add() { return ++n; }', Main.Box.add",
    "'int add() { return Main.add(this); }', Main.add"
  })
  void whatRunsOnAProxyOfSpring(String method, String where) throws Exception {
    Path proxies = folder().resolve("src/org/springframework/aop/framework");
    Files.createDirectories(proxies);
    Files.writeString(
        proxies.resolve("ObjenesisCglibAopProxy.java"),
        "package org.springframework.aop.framework; class ObjenesisCglibAopProxy {}");
    stays(Jdk.JAVA_21, "NO_CONSTRUCTOR", where, "1", bean("static class Box", method));
  }

  @ParameterizedTest
  @EitherJdk
  void aBeanWhoseProxyOverridesWhatLocks(Jdk jdk) throws Exception {
    Path proxies = folder().resolve("src/org/springframework/aop/framework");
    Files.createDirectories(proxies);
    Files.writeString(
        proxies.resolve("ObjenesisCglibAopProxy.java"),
        "package org.springframework.aop.framework; class ObjenesisCglibAopProxy {}");
    moves(jdk, "1", bean("static class Box", "synchronized int add() { return ++n; }"));
  }

  private static String bean(String box, String method) {
    return """
    class Main {
      BOX {
        int n;
        METHOD
      }

      static int add(Box box) {
        SYNCHRONIZED { return ++box.n; }
      }

      public static void main(String[] args) {
        System.out.println(new Box().add());
      }
    }
    """
        .replace("BOX", box)
        .replace("METHOD", method)
        .replace("SYNCHRONIZED", method.contains("synchronized") ? "" : "synchronized (box)");
  }
}
