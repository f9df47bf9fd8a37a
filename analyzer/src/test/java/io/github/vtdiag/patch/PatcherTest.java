package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatcherTest {
  @TempDir private Path folder;

  @Test
  void labelsSwitchesConstructorsAndInitializers() throws IOException {
    Expected.rewrites(
        folder,
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
  void oneDeclinedSiteKeepsAllOfItsLock() throws IOException {
    Expected.declines(
        folder,
        "has a comment in its timeout",
        """
        class A {
          synchronized void wait(int n, String s) throws InterruptedException { wait(n /**/ * 2L); }
          synchronized void other() { notifyAll(); }
          void third() { synchronized (this) { hashCode(); } }
        }
        """);
  }

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
           private final transient ReentrantLock lock = new ReentrantLock();
           int x ;  // caf\u00e9
            int  f ( ) {\t\r
                lock.lock();\r
                try {\r
               return  x ;
                } finally {
                    lock.unlock();
                }
            }


           } // no end\
          """;
      assertEquals(expected, new String(after, charset));
      program.after(patch).assertNoMonitorLeft();
    }
  }
}
