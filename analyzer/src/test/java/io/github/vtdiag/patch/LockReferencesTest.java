package io.github.vtdiag.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockReferencesTest {
  @TempDir private Path folder;

  @Test
  void aLockThatIsReadIntoAVariable() throws IOException {
    Expected.declines(
        folder,
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
    Expected.declines(
        folder,
        "is a local variable",
        """
        class A {
          private final Object mutex = new Object();
          void f() { Object mutex = this.mutex; synchronized (mutex) { hashCode(); } }
        }
        """);
  }

  @Test
  void nestedTypesAndHierarchies() throws IOException {
    Expected.rewrites(
        folder,
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
          final transient ReentrantLock lock = new ReentrantLock();
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
            private final transient ReentrantLock lock = new ReentrantLock();

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

          final transient ReentrantLock lock = new ReentrantLock();

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
            .contains("  public final transient ReentrantLock lock = new ReentrantLock();\n"));
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
}
