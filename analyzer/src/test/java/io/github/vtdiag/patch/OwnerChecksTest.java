package io.github.vtdiag.patch;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerChecksTest {
  @TempDir private Path folder;

  @Test
  void anObjectThatIsReadFromAStream() throws IOException {
    Expected.declines(
        folder,
        "A is Serializable: a deserialized instance would have no lock",
        """
        class A extends java.util.ArrayList<String> {
          private static final long serialVersionUID = 1;
          synchronized void run() {}
        }
        """);
  }

  @Test
  void aVersionThatDependsOnSynchronized() throws IOException {
    Expected.declines(
        folder,
        "declare the one that serialver prints",
        """
        class A implements java.io.Serializable {
          static synchronized void run() {}
        }
        """);
  }

  @Test
  void aCloneThatWouldTakeSignals() throws IOException {
    Expected.declines(
        folder,
        "A is Cloneable",
        """
        class A implements Cloneable {
          synchronized void run() { notify(); }
        }
        """);
  }

  @Test
  void aFieldMadeInTheSameDeclarationThatNeedsTheLock() throws IOException {
    Expected.declines(
        folder,
        "declares several fields at once",
        """
        class A {
          private static final java.util.List<String> a = new java.util.ArrayList<>(), b = make();
          static java.util.List<String> make() { add(""); return null; }
          static void add(String s) { synchronized (a) { a.add(s); } }
        }
        """);
  }

  @Test
  void aRecordHasNoOtherFields() throws IOException {
    Expected.declines(
        folder, "is a record", "record A(int n) { synchronized int get() { return n; } }");
  }

  @Test
  void aLockOfAnInterfaceWouldBePublic() throws IOException {
    Expected.declines(
        folder, "is an interface", "interface A { static void f() { synchronized (A.class) {} } }");
  }

  @Test
  void anInnerClassHasNoStatics() throws IOException {
    Expected.declines(
        folder,
        "inner class",
        "class A { class B { void f() { synchronized (B.class) { hashCode(); } } } }");
  }

  @Test
  void constantsAreMadeBeforeStaticFields() throws IOException {
    Expected.declines(
        folder,
        "creates its constants",
        """
        enum A {
          ONE;
          A() { f(); }
          static synchronized void f() {}
        }
        """);
  }

  @Test
  void constantsWithoutAnythingBelowThemGetAnEnd() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          int f() {
            synchronized (Level.class) {
              return 1;
            }
          }

          enum Level { LOW, HIGH }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          int f() {
            Level.LOCK.lock();
            try {
              return 1;
            } finally {
              Level.LOCK.unlock();
            }
          }

          enum Level { LOW, HIGH; private static final ReentrantLock LOCK = new ReentrantLock(); }
        }
        """);
  }

  @Test
  void constantsOnLinesOfTheirOwn() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          int f() {
            synchronized (Level.class) {
              return 1;
            }
          }

          enum Level {
            LOW,
            HIGH, // the last
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          int f() {
            Level.LOCK.lock();
            try {
              return 1;
            } finally {
              Level.LOCK.unlock();
            }
          }

          enum Level {
            LOW,
            HIGH,; // the last

            private static final ReentrantLock LOCK = new ReentrantLock();
          }
        }
        """);
  }
}
