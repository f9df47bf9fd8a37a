package io.github.vtdiag.patch;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SynchronizedRendererTest {
  @TempDir private Path folder;

  @Test
  void aSynchronizedMethod() throws IOException {
    Expected.rewrites(
        folder,
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
          private final transient ReentrantLock lock = new ReentrantLock();
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
  void anAnnotationWithAnIndentationOfItsOwn() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
            private int n;

         @Deprecated
            public synchronized int next() {
                return ++n;
            }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
            private final transient ReentrantLock lock = new ReentrantLock();
            private int n;

         @Deprecated
            public int next() {
                lock.lock();
                try {
                    return ++n;
                } finally {
                    lock.unlock();
                }
            }
        }
        """);
  }

  @Test
  void blocksKeepTheLinesOfTheirBodies() throws IOException {
    Expected.rewrites(
        folder,
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
        \tprivate final transient ReentrantLock listLock = new ReentrantLock();

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
    Expected.rewrites(
        folder,
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
            private final transient ReentrantLock lock = new ReentrantLock();
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
  void aBlockThatYields() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          int kind(int k) {
            return switch (k) {
              case 1 -> {
                synchronized (this) {
                  if (k > 0) yield 3;
                  yield (k);
                }
              }
              default -> 2;
            };
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final transient ReentrantLock lock = new ReentrantLock();

          int kind(int k) {
            return switch (k) {
              case 1 -> {
                lock.lock();
                try {
                  if (k > 0) yield 3;
                  yield (k);
                } finally {
                  lock.unlock();
                }
              }
              default -> 2;
            };
          }
        }
        """);
  }
}
