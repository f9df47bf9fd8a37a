package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What names the old lock beside the code: annotations that are checked, and comments. */
class GuardsTest {
  @TempDir private Path folder;

  @Test
  void annotationsThatNameALockThatMoves() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          @interface GuardedBy { String value(); }
          private static final java.util.List<String> all = new java.util.ArrayList<>();
          @GuardedBy("this") int n;
          @GuardedBy("A.class") static int s;
          @GuardedBy(value = "all") int size;
          synchronized void add() { n++; }
          @GuardedBy("this") void more() { n++; }
          static synchronized void count() { s++; }
          void put() {
            synchronized (all) {
              all.add("");
              size++;
            }
          }
          class Inner {
            @GuardedBy("A.this") int m;
            @GuardedBy("this") int own;
            void in() {
              synchronized (A.this) {
                m++;
              }
            }
          }
          static class Sub extends A {
            @GuardedBy("this") int k;
            synchronized void sub() { k++; }
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          @interface GuardedBy { String value(); }
          private static final ReentrantLock LOCK = new ReentrantLock();
          private static final java.util.List<String> all = new java.util.ArrayList<>();
          private static final ReentrantLock allLock = new ReentrantLock();
          final transient ReentrantLock lock = new ReentrantLock();
          @GuardedBy("lock") int n;
          @GuardedBy("LOCK") static int s;
          @GuardedBy(value = "allLock") int size;
          void add() {
            lock.lock();
            try {
              n++;
            } finally {
              lock.unlock();
            }
          }
          @GuardedBy("lock") void more() { n++; }
          static void count() {
            LOCK.lock();
            try {
              s++;
            } finally {
              LOCK.unlock();
            }
          }
          void put() {
            allLock.lock();
            try {
              all.add("");
              size++;
            } finally {
              allLock.unlock();
            }
          }
          class Inner {
            @GuardedBy("A.this.lock") int m;
            @GuardedBy("this") int own;
            void in() {
              A.this.lock.lock();
              try {
                m++;
              } finally {
                A.this.lock.unlock();
              }
            }
          }
          static class Sub extends A {
            @GuardedBy("lock") int k;
            void sub() {
              lock.lock();
              try {
                k++;
              } finally {
                lock.unlock();
              }
            }
          }
        }
        """);
  }

  @Test
  void annotationsThatNameSomethingElse() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          @interface GuardedBy { String value(); }
          @interface Named { String value(); }
          final Object lock = new Object();
          @GuardedBy("lock") int n;
          @GuardedBy("B.this") int b;
          @GuardedBy("B.lock") int c;
          @Named("this") int d;
          void add() {
            synchronized (lock) {
              n++;
            }
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          @interface GuardedBy { String value(); }
          @interface Named { String value(); }
          final ReentrantLock lock = new ReentrantLock();
          @GuardedBy("lock") int n;
          @GuardedBy("B.this") int b;
          @GuardedBy("B.lock") int c;
          @Named("this") int d;
          void add() {
            lock.lock();
            try {
              n++;
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void annotationsThatOnlyAReaderUnderstands() throws IOException {
    Programs program =
        Programs.of(
            folder,
            "A.java",
            """
            class A {
              @interface GuardedBy { String value(); }
              static final String THIS = "this";
              @GuardedBy("itself")
              private final java.util.List<String> all = new java.util.ArrayList<>();
              @GuardedBy(THIS) int n;
              @GuardedBy("itself") int m;
              synchronized void add() { n++; }
              void put() { synchronized (all) { all.add(""); } }
              static class B { @GuardedBy(THIS) int n; }
            }
            """);
    List<Integer> lines = program.patch().comments().stream().map(Patch.Comment::line).toList();
    assertEquals(List.of(4, 6), lines);
  }

  @Test
  void commentsOfWhatChanges() throws IOException {
    Programs program =
        Programs.of(
            folder,
            "A.java",
            """
            /** Fully synchronized. */
            class A {
              /**
               * Adds one, holding the
               * monitor of this.
               */
              synchronized void add() {
                // Nothing else is Synchronised here.
                notify();
              }

              /** Is not synchronized. */
              void other() {}

              // synchronize after this
            }
            """);
    List<Integer> lines = program.patch().comments().stream().map(Patch.Comment::line).toList();
    assertEquals(List.of(5, 8), lines);
  }
}
