package vtdiag.patch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vtdiag.model.ClassMonitors;
import vtdiag.model.LockSite;
import vtdiag.model.MethodMonitors;
import vtdiag.safety.Lock;

class PatcherTest {
  @TempDir private Path folder;

  /** The patch gives this text, moves all locks, compiles, and finds nothing to do again. */
  private void rewrites(String before, String after) throws IOException {
    String name = before.startsWith("package demo;") ? "demo/A.java" : "A.java";
    Programs program = Programs.of(folder.resolve("lf"), name, before);
    Patch patch = program.patch();
    assertEquals(List.of(), patch.declined());
    Programs patched = program.after(patch);
    assertEquals(after, patched.source(name));
    Programs.assertLockedBeforeTry(patched.source(name));
    patched.assertNoMonitorLeft();
    assertEquals(List.of(), patched.patch().files());

    Programs crlf = Programs.of(folder.resolve("crlf"), name, before.replace("\n", "\r\n"));
    assertEquals(after.replace("\n", "\r\n"), crlf.after(crlf.patch()).source(name));
  }

  /** Nothing is written, and the reason has these words. */
  private void declines(String words, String source) throws IOException {
    Programs program = Programs.of(folder, "A.java", source);
    assertTrue(!program.locks.isEmpty(), "no lock, so nothing is tested");
    Patch patch = program.patch();
    assertEquals(List.of(), patch.files());
    assertEquals(program.locks.size(), patch.declined().size());
    for (Patch.Declined declined : patch.declined()) {
      assertTrue(declined.reason().contains(words), declined.reason());
    }
  }

  @Test
  void aSynchronizedMethod() throws IOException {
    rewrites(
        """
        class A {
          private int n;

          /** Counts. */
          public synchronized int next() {
            // one more
            return ++n;
          }
          synchronized void one() { n++; }
          synchronized void none() {}
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final ReentrantLock lock = new ReentrantLock();
          private int n;

          /** Counts. */
          public int next() {
            lock.lock();
            try {
              // one more
              return ++n;
            } finally {
              lock.unlock();
            }
          }
          void one() {
            lock.lock();
            try {
              n++;
            } finally {
              lock.unlock();
            }
          }
          void none() {
            lock.lock();
            try {
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void blocksKeepTheLinesOfTheirBodies() throws IOException {
    rewrites(
        """
        import java.util.ArrayList;
        import java.util.List;

        class A {
        \tprivate static final Object MUTEX = new Object(); // guards count
        \tprivate static int count;
        \tprivate final List<String> list = new ArrayList<>(); // guarded by itself

        \tint add(String s) {
        \t\tsynchronized (list) {
        \t\t\tif (list.add(s))
        \t\t\t\tsynchronized (MUTEX) {
        \t\t\t\t\tcount++;
        \t\t\t\t}
        \t\t\telse throw new IllegalStateException();
        \t\t\tfor (String t : list) synchronized (A.class) { if (t == s) continue; break; }
        \t\t\treturn list.size();
        \t\t}
        \t}
        }
        """,
        """
        import java.util.ArrayList;
        import java.util.List;
        import java.util.concurrent.locks.ReentrantLock;

        class A {
        \tprivate static final ReentrantLock LOCK = new ReentrantLock();
        \tprivate static final ReentrantLock MUTEX = new ReentrantLock(); // guards count
        \tprivate static int count;
        \tprivate final List<String> list = new ArrayList<>(); // guarded by itself
        \tprivate final ReentrantLock listLock = new ReentrantLock();

        \tint add(String s) {
        \t\tlistLock.lock();
        \t\ttry {
        \t\t\tif (list.add(s)) {
        \t\t\t\tMUTEX.lock();
        \t\t\t\ttry {
        \t\t\t\t\tcount++;
        \t\t\t\t} finally {
        \t\t\t\t\tMUTEX.unlock();
        \t\t\t\t}
        \t\t\t}
        \t\t\telse throw new IllegalStateException();
        \t\t\tfor (String t : list) { LOCK.lock(); try { if (t == s) continue; break; } finally { LOCK.unlock(); } }
        \t\t\treturn list.size();
        \t\t} finally {
        \t\t\tlistLock.unlock();
        \t\t}
        \t}
        }
        """);
  }

  @Test
  void theStyleOfTheFile() throws IOException {
    rewrites(
        """
        class A
        {
            int n;
            @Deprecated
            synchronized
            public int next()
            {
                String text = \"""
                    kept
                  as it is\""";
                synchronized (A.class)
                {
                    n += text.length();
                }
                synchronized (A.class) { n++; }
                return n;
            }
            static synchronized /* why */ int size(
                int a, int b) { // sum
                return a
                    + b; }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A
        {
            private static final ReentrantLock LOCK = new ReentrantLock();
            private final ReentrantLock lock = new ReentrantLock();
            int n;
            @Deprecated
            public int next()
            {
                lock.lock();
                try
                {
                    String text = \"""
                    kept
                  as it is\""";
                    LOCK.lock();
                    try
                    {
                        n += text.length();
                    }
                    finally
                    {
                        LOCK.unlock();
                    }
                    LOCK.lock();
                    try { n++; } finally { LOCK.unlock(); }
                    return n;
                }
                finally
                {
                    lock.unlock();
                }
            }
            static /* why */ int size(
                int a, int b) { // sum
                LOCK.lock();
                try {
                    return a
                        + b;
                } finally {
                    LOCK.unlock();
                }
            }
        }
        """);
  }

  @Test
  void nestedTypesAndHierarchies() throws IOException {
    rewrites(
        """
        class A {
          int n;
          synchronized void top() { n++; }

          class Inner {
            void both() {
              synchronized (A.this) {
                Runnable later = () -> {
                  synchronized (this) {
                    n++;
                  }
                };
                later.run();
              }
            }
          }

          static class Sub extends A {
            @Override synchronized void top() {
              super.top();
            }
            A another() {
              return new A() {
                @Override
                synchronized void top() {
                  n--;
                }
              };
            }
          }
        }

        enum Constants {
          ONE {
            @Override
            synchronized int get() {
              return 1;
            }
          },
          TWO;

          synchronized int get() {
            return 2;
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          final ReentrantLock lock = new ReentrantLock();
          int n;
          void top() {
            lock.lock();
            try {
              n++;
            } finally {
              lock.unlock();
            }
          }

          class Inner {
            private final ReentrantLock lock = new ReentrantLock();

            void both() {
              A.this.lock.lock();
              try {
                Runnable later = () -> {
                  lock.lock();
                  try {
                    n++;
                  } finally {
                    lock.unlock();
                  }
                };
                later.run();
              } finally {
                A.this.lock.unlock();
              }
            }
          }

          static class Sub extends A {
            @Override void top() {
              lock.lock();
              try {
                super.top();
              } finally {
                lock.unlock();
              }
            }
            A another() {
              return new A() {
                @Override
                void top() {
                  lock.lock();
                  try {
                    n--;
                  } finally {
                    lock.unlock();
                  }
                }
              };
            }
          }
        }

        enum Constants {
          ONE {
            @Override
            int get() {
              lock.lock();
              try {
                return 1;
              } finally {
                lock.unlock();
              }
            }
          },
          TWO;

          final ReentrantLock lock = new ReentrantLock();

          int get() {
            lock.lock();
            try {
              return 2;
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void labelsSwitchesConstructorsAndInitializers() throws IOException {
    rewrites(
        """
        class A {
          private final Object a = new Object();
          private int n;

          {
            synchronized (a) {
              n = 1;
            }
          }

          A() {
            synchronized (a) { n++; }
          }

          A(int start) {
            n = start;
          }

          int run(int k) {
            out: synchronized (a) {
              if (k > 3) break out;
              switch (k) {
                case 1: synchronized (a) {
                  n++;
                }
                default:
                  synchronized (this.a /* again */) {
                    n--;
                  }
              }
            }
            try {
              n++;
            } finally {
              synchronized (a) {
                n++;
              }
            }
            return switch (k) {
              case 2 -> {
                synchronized (a) {
                  yield n;
                }
              }
              default -> 0;
            };
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final ReentrantLock a = new ReentrantLock();
          private int n;

          {
            a.lock();
            try {
              n = 1;
            } finally {
              a.unlock();
            }
          }

          A() {
            a.lock();
            try { n++; } finally { a.unlock(); }
          }

          A(int start) {
            n = start;
          }

          int run(int k) {
            out: {
              a.lock();
              try {
                if (k > 3) break out;
                switch (k) {
                  case 1: a.lock();
                  try {
                    n++;
                  } finally {
                    a.unlock();
                  }
                  default:
                    /* again */ this.a.lock();
                    try {
                      n--;
                    } finally {
                      this.a.unlock();
                    }
                }
              } finally {
                a.unlock();
              }
            }
            try {
              n++;
            } finally {
              a.lock();
              try {
                n++;
              } finally {
                a.unlock();
              }
            }
            return switch (k) {
              case 2 -> {
                a.lock();
                try {
                  yield n;
                } finally {
                  a.unlock();
                }
              }
              default -> 0;
            };
          }
        }
        """);
  }

  @Test
  void waitingBecomesACondition() throws IOException {
    rewrites(
        """
        package demo;

        import static java.util.Objects.requireNonNull;

        import java.util.ArrayDeque;
        import org.w3c.dom.Document;

        class A<T> {
          private final ArrayDeque<T> queue = new ArrayDeque<>();

          synchronized T take(long timeout) throws InterruptedException {
            assert Thread.holdsLock(this);
            while (queue.isEmpty()) {
              wait(timeout);
              wait(0);
              this.wait(10L);
              wait(0, 1);
              wait();
            }
            return queue.remove();
          }

          synchronized void put(T value) {
            queue.add(requireNonNull(value));
            notifyAll();
            notify();
          }
        }
        """,
        """
        package demo;

        import static java.util.Objects.requireNonNull;

        import java.util.ArrayDeque;
        import java.util.concurrent.TimeUnit;
        import java.util.concurrent.locks.Condition;
        import java.util.concurrent.locks.ReentrantLock;
        import org.w3c.dom.Document;

        class A<T> {
          private final ReentrantLock lock = new ReentrantLock();
          private final Condition condition = lock.newCondition();
          private final ArrayDeque<T> queue = new ArrayDeque<>();

          T take(long timeout) throws InterruptedException {
            lock.lock();
            try {
              assert lock.isHeldByCurrentThread();
              while (queue.isEmpty()) {
                if (timeout > 0) {
                  condition.await(timeout, TimeUnit.MILLISECONDS);
                } else if (timeout == 0) {
                  condition.await();
                } else {
                  throw new IllegalArgumentException("timeout value is negative");
                }
                condition.await();
                condition.await(10L, TimeUnit.MILLISECONDS);
                condition.await(1, TimeUnit.MILLISECONDS);
                condition.await();
              }
              return queue.remove();
            } finally {
              lock.unlock();
            }
          }

          void put(T value) {
            lock.lock();
            try {
              queue.add(requireNonNull(value));
              condition.signalAll();
              condition.signal();
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void namesThatAreTaken() throws IOException {
    rewrites(
        """
        class A {
          static class ReentrantLock {}

          final int before = 1;

          synchronized int get(int lock) {
            return lock + before;
          }
        }
        """,
        """
        class A {
          static class ReentrantLock {}

          private final java.util.concurrent.locks.ReentrantLock instanceLock = new java.util.concurrent.locks.ReentrantLock();
          final int before = 1;

          int get(int lock) {
            instanceLock.lock();
            try {
              return lock + before;
            } finally {
              instanceLock.unlock();
            }
          }
        }
        """);
  }

  /** Only the class files know what a call gives, and nobody that it gives the same twice. */
  @Test
  void anObjectThatACallGives() throws IOException {
    Programs.write(
        folder,
        "one/Locked.java",
        """
        package one;

        public abstract class Locked {
          public synchronized void f() {}
        }
        """
            .getBytes(UTF_8));
    Programs.write(
        folder,
        "two/User.java",
        """
        package two;

        class User {
          one.Locked locked;

          one.Locked get() {
            return locked;
          }

          void use() {
            synchronized (get()) {
              locked = null;
            }
          }
        }
        """
            .getBytes(UTF_8));
    Programs program = Programs.compiled(folder);
    Lock known = program.locks.getFirst();
    List<LockSite> sites = new ArrayList<>();
    for (ClassMonitors type : program.program) {
      for (MethodMonitors method : type.methods()) {
        method
            .regions()
            .forEach(
                region ->
                    sites.add(
                        new LockSite(type.type(), method.name(), method.descriptor(), region)));
      }
    }
    Patch patch =
        Patcher.patch(
            List.of(new Lock(known.identity(), known.keeper(), sites, List.of())),
            program.program,
            new SourceFolders(List.of(program.sources)));
    assertEquals(List.of(), patch.declined());
    Programs after = program.after(patch);
    after.assertNoMonitorLeft();
    assertTrue(
        after
            .source("one/Locked.java")
            .contains("  public final ReentrantLock lock = new ReentrantLock();\n"));
    assertEquals(
        """
        package two;

        import java.util.concurrent.locks.ReentrantLock;

        class User {
          one.Locked locked;

          one.Locked get() {
            return locked;
          }

          void use() {
            ReentrantLock held = ((one.Locked) get()).lock;
            held.lock();
            try {
              locked = null;
            } finally {
              held.unlock();
            }
          }
        }
        """,
        after.source("two/User.java"));
  }

  // ---- what stays as it is

  @Test
  void aFieldThatCanChange() throws IOException {
    declines(
        "A.mutex is not final",
        """
        class A {
          private Object mutex = new Object();
          void run() { synchronized (mutex) { mutex = new Object(); } }
        }
        """);
  }

  @Test
  void anObjectThatIsReadFromAStream() throws IOException {
    declines(
        "A is Serializable: an instance that was read would have no lock",
        """
        class A extends java.util.ArrayList<String> {
          private static final long serialVersionUID = 1;
          synchronized void run() {}
        }
        """);
  }

  @Test
  void aVersionThatDependsOnSynchronized() throws IOException {
    declines(
        "declare the serialVersionUID",
        """
        class A implements java.io.Serializable {
          static synchronized void run() {}
        }
        """);
  }

  @Test
  void aCloneThatWouldTakeSignals() throws IOException {
    declines(
        "A is Cloneable",
        """
        class A implements Cloneable {
          synchronized void run() { notify(); }
        }
        """);
  }

  @Test
  void aTimeoutThatIsComputed() throws IOException {
    declines(
        "computes its timeout",
        """
        class A {
          synchronized void run(int seconds) throws InterruptedException { wait(seconds * 1000L); }
        }
        """);
  }

  @Test
  void aTimeoutThatChangesMeanwhile() throws IOException {
    declines(
        "computes its timeout",
        """
        class A {
          volatile long timeout;
          synchronized void run() throws InterruptedException { wait(timeout); }
        }
        """);
  }

  @Test
  void nanosecondsThatAreComputed() throws IOException {
    declines(
        "nanoseconds",
        """
        class A {
          synchronized void run(int n) throws InterruptedException { wait(1, n); }
        }
        """);
  }

  @Test
  void aWaitThatIsAnExpression() throws IOException {
    declines(
        "no statement of its own",
        """
        class A {
          interface Act { void act() throws InterruptedException; }
          synchronized Act run() { Act act = () -> this.wait(5); return act; }
        }
        """);
  }

  @Test
  void aRecordHasNoOtherFields() throws IOException {
    declines("is a record", "record A(int n) { synchronized int get() { return n; } }");
  }

  @Test
  void aLockOfAnInterfaceWouldBePublic() throws IOException {
    declines("is an interface", "interface A { static void f() { synchronized (A.class) {} } }");
  }

  @Test
  void anInnerClassHasNoStatics() throws IOException {
    declines(
        "inner class",
        "class A { class B { void f() { synchronized (B.class) { hashCode(); } } } }");
  }

  @Test
  void constantsAreMadeBeforeStaticFields() throws IOException {
    declines(
        "makes its constants",
        """
        enum A {
          ONE;
          A() { f(); }
          static synchronized void f() {}
        }
        """);
  }

  @Test
  void aLockThatIsReadIntoAVariable() throws IOException {
    declines(
        "does not name the field",
        """
        class A {
          private final Object mutex = new Object();
          void f() { Object m = mutex; synchronized (m) { hashCode(); } }
        }
        """);
  }

  @Test
  void aVariableThatHidesTheField() throws IOException {
    declines(
        "is a variable",
        """
        class A {
          private final Object mutex = new Object();
          void f() { Object mutex = this.mutex; synchronized (mutex) { hashCode(); } }
        }
        """);
  }

  @Test
  void oneDeclinedSiteKeepsAllOfItsLock() throws IOException {
    declines(
        "computes its timeout",
        """
        class A {
          synchronized void wait(int n, String s) throws InterruptedException { wait(n * 2L); }
          synchronized void other() { notifyAll(); }
          void third() { synchronized (this) { hashCode(); } }
        }
        """);
  }

  // ---- sources that are not those of the classes

  /** Patches other sources than those the classes are from. */
  private void declinesOther(String words, String compiled, String name, byte[] found)
      throws IOException {
    Programs program = Programs.of(folder.resolve("old"), "A.java", compiled);
    Programs.write(folder.resolve("new"), name, found);
    Patch patch =
        Patcher.patch(
            program.locks,
            program.program,
            new SourceFolders(List.of(folder.resolve("new").resolve("src"))));
    assertEquals(List.of(), patch.files());
    assertEquals(program.locks.size(), patch.declined().size());
    assertTrue(
        patch.declined().getFirst().reason().contains(words), patch.declined().getFirst().reason());
  }

  private static final String COUNTER =
      """
      class A {
        int n;
        synchronized void f() {
          n++;
        }
        void g() {
          synchronized (this) {
            n--;
          }
        }
      }
      """;

  @Test
  void sourcesThatAreNotThere() throws IOException {
    declinesOther("the source of A is not in", COUNTER, "B.java", "class B {}".getBytes(UTF_8));
  }

  @Test
  void sourcesOfAnotherLanguage() throws IOException {
    declinesOther("only Java sources are patched", COUNTER, "A.kt", "class A".getBytes(UTF_8));
  }

  @Test
  void sourcesThatDoNotParse() throws IOException {
    declinesOther("cannot be parsed", COUNTER, "A.java", (COUNTER + "}").getBytes(UTF_8));
    declinesOther("cannot be parsed", COUNTER, "A.java", new byte[] {0, 1, 2, (byte) 0xff});
  }

  @Test
  void sourcesThatMoved() throws IOException {
    String words = "does not match the classes";
    declinesOther(words, COUNTER, "A.java", ("\n\n" + COUNTER).getBytes(UTF_8));
    declinesOther(
        words, COUNTER, "A.java", COUNTER.replace("synchronized void f", "void f").getBytes(UTF_8));
    declinesOther(words, COUNTER, "A.java", COUNTER.replace("f()", "f(int a)").getBytes(UTF_8));
    declinesOther(words, COUNTER, "A.java", COUNTER.replace("class A", "class B").getBytes(UTF_8));
    declinesOther(
        words,
        COUNTER,
        "A.java",
        COUNTER.replace("n--", "synchronized (this) { n--; }").getBytes(UTF_8));
  }

  @Test
  void aLinkOutOfTheFolder() throws IOException {
    Programs program = Programs.of(folder.resolve("old"), "A.java", COUNTER);
    Path outside = folder.resolve("new").resolve("src");
    Files.createDirectories(outside);
    Files.createSymbolicLink(
        outside.resolve("A.java"), program.sources.resolve("A.java").toAbsolutePath());
    Patch patch =
        Patcher.patch(program.locks, program.program, new SourceFolders(List.of(outside)));
    assertEquals(List.of(), patch.files());
    assertTrue(patch.declined().getFirst().reason().contains("symbolic link"));
  }

  // ---- bytes

  @Test
  void bytesOutsideTheEditsStay() throws IOException {
    String odd =
        """
        \t/* caf\u00e9 */ class A { \r
         int x ;  // caf\u00e9
          synchronized  int  f ( ) {\t\r
         return  x ; }


         } // no end\
        """;
    for (var charset : List.of(ISO_8859_1, UTF_8)) {
      Path here = folder.resolve(charset.name());
      Programs.write(here, "A.java", odd.getBytes(charset));
      Programs program = Programs.compiled(here);
      Patch patch = program.patch();
      assertEquals(List.of(), patch.declined());
      byte[] after = patch.files().getFirst().after().bytes();
      String expected =
          """
          import java.util.concurrent.locks.ReentrantLock;\r
          \r
          \t/* caf\u00e9 */ class A { \r
           private final ReentrantLock lock = new ReentrantLock();\r
           int x ;  // caf\u00e9
            int  f ( ) {\t\r
                lock.lock();\r
                try {\r
               return  x ;\r
                } finally {\r
                    lock.unlock();\r
                }\r
            }


           } // no end\
          """;
      assertEquals(expected, new String(after, charset));
      program.after(patch).assertNoMonitorLeft();
    }
  }
}
