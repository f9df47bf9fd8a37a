package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What moves only in a whole program is decided, patched, compiled and run. */
final class WholeProgramTest {
  /** Each lock in a form of its own; the counters are torn where one excludes too little. */
  private static final String PROGRAM =
      """
      import java.time.Duration;

      public class Main {
        interface Shelf {
          int count();
          void more();
          default void twice() { synchronized (this) { more(); } synchronized (Shelf.this) { more(); } }
          default void later() {
            Runnable lambda = () -> { synchronized (this) { more(); } };
            lambda.run();
            new Object() { void run() { synchronized (Shelf.this) { more(); } } }.run();
            mine();
          }
          private void mine() {
            synchronized (this) { if (Thread.holdsLock(this)) { more(); notifyAll(); } }
          }
        }

        static class Box implements Shelf {
          int n;
          public synchronized int count() { return n; }
          public void more() { n++; }
        }

        static class Base {
          protected final Object guard = new Object();
          Object mutex;
          private Object early = new Object();
          int byGuard, byMutex, byEarly;

          Base() { mutex = new Object(); }

          void early() { synchronized (early) { byEarly++; } }
          private void help(int times, Object given) {
            for (int i = 0; i < times; i++) synchronized (given) { byEarly++; }
          }
          void helped() { help(2, early); }
        }

        static class Derived extends Base {
          void guarded() { synchronized (guard) { byGuard++; } }
        }

        static void add(Base to) {
          synchronized (to.guard) { to.byGuard++; }
          synchronized (to.mutex) { to.byMutex++; }
        }

        static void put(Shelf on) {
          synchronized (on) { ((Box) on).n++; }
        }

        private final Object gate = new Object();
        private boolean open;

        void await(Duration most) throws InterruptedException {
          synchronized (gate) {
            while (!open) gate.wait(most.toMillis(), most.getNano() % 1_000_000);
          }
        }

        void open() { synchronized (gate) { open = true; gate.notifyAll(); } }


        public static void main(String[] none) throws Exception {
          Derived derived = new Derived();
          Box box = new Box();
          Thread[] threads = new Thread[4];
          for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
              for (int i = 0; i < 20_000; i++) {
                add(derived); derived.guarded(); derived.early(); derived.helped(); put(box);
                box.twice(); box.later();
              }
            });
            threads[t].start();
          }
          for (Thread thread : threads) thread.join();
          System.out.println(derived.byGuard + " " + derived.byMutex + " " + derived.byEarly
              + " " + box.count());
          Main main = new Main();
          Thread opener = new Thread(main::open);
          opener.start();
          main.await(Duration.ofHours(1).plusNanos(1));
          opener.join();
          main.open = false;
          try {
            main.await(Duration.ofMillis(-5));
          } catch (IllegalArgumentException e) {
            System.out.println("negative");
          }
          try {
            put(null);
          } catch (NullPointerException e) {
            System.out.println("null");
          }
        }
      }
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @EitherJdk
  void itRunsAsBefore(Jdk jdk) throws Exception {
    Path sources = Files.createDirectories(folder.resolve("src"));
    Files.writeString(sources.resolve("Main.java"), PROGRAM);
    Path classes = compile(sources);
    Patch patch;
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      Program program = Program.read(classPath.all(), JdkClasses.running());
      SourceFolders found = new SourceFolders(List.of(sources));
      patch =
          WantedLocks.of(new LockSafety(program).all())
              .patch(program.lockMaps(found::hasSourceOf), found);
    }
    assertEquals(5, patch.moved().size(), patch::toString);
    Path after = Files.createDirectories(folder.resolve("after"));
    for (Patch.Change change : patch.files()) {
      Files.write(after.resolve(change.path().getFileName()), change.after().bytes());
    }
    assertFalse(Files.readString(after.resolve("Main.java")).contains("synchronized"));
    Forked before = Forked.java(jdk, folder, "-cp", classes.toString(), "Main");
    Forked patched = Forked.java(jdk, folder, "-cp", compile(after).toString(), "Main");
    assertEquals("160000 80000 240000 480000\nnegative\nnull\n", before.out(), before::err);
    assertEquals(before, patched);
  }

  /** Each class is in the place of the interface, where its name is not what it seems. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "class Main { private static class A implements I { public synchronized void f() { } } }",
        "class Main { static void g() { class A implements I {"
            + " public synchronized void f() { } } } }",
        "class Main { static class I implements Outer.I { public synchronized void f() { } } }",
      })
  void whatTheInterfaceCannotName(String source) throws Exception {
    boolean moves = source.contains("Outer");
    Path sources = Files.createDirectories(folder.resolve("src"));
    String type = "interface I { void f(); default void m() { synchronized (this) { } } }";
    String user = "class U { static void l(%sI i) { synchronized (i) { } } }";
    Files.writeString(sources.resolve("Main.java"), source);
    Files.writeString(
        sources.resolve("Other.java"),
        moves
            ? "class Outer { " + type + " " + user.formatted("") + " }"
            : type + user.formatted(""));
    Path classes = compile(sources);
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      Program program = Program.read(classPath.all(), JdkClasses.running());
      SourceFolders found = new SourceFolders(List.of(sources));
      Patch patch =
          WantedLocks.of(new LockSafety(program).all())
              .patch(program.lockMaps(found::hasSourceOf), found);
      assertEquals(moves ? 1 : 0, patch.moved().size(), patch::toString);
      for (Patch.Change change : patch.files()) {
        Files.write(change.path(), change.after().bytes());
      }
    }
    compile(sources);
  }

  @Test
  void anObjectOfALocalVariableIsLeftToTheUser() throws Exception {
    Path sources = Files.createDirectories(folder.resolve("src"));
    Files.writeString(
        sources.resolve("Main.java"),
        "class Main { void m() { Object o = new Object(); synchronized (o) { } } }");
    Path classes = compile(sources);
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(classes.toString()), 21)) {
      Program program = Program.read(classPath.all(), JdkClasses.running());
      SourceFolders found = new SourceFolders(List.of(sources));
      Patch patch =
          WantedLocks.of(new LockSafety(program).all())
              .patch(program.lockMaps(found::hasSourceOf), found);
      assertEquals(List.of(), patch.files());
      assertTrue(
          patch.declined().getFirst().reason().contains("a local variable of m"),
          patch.declined()::toString);
    }
  }

  private Path compile(Path sources) throws Exception {
    Path classes = Files.createTempDirectory(folder, "classes");
    try (Stream<Path> all = Files.list(sources)) {
      Javac.compile(classes, all.toList());
    }
    return classes;
  }
}
