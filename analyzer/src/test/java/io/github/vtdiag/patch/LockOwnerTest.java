package io.github.vtdiag.patch;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockOwnerTest {
  @TempDir private Path folder;

  @Test
  void aFieldThatCanChange() throws IOException {
    Expected.declines(
        folder,
        "A.mutex is not final",
        """
        class A {
          private Object mutex = new Object();
          void run() { synchronized (mutex) { mutex = new Object(); } }
        }
        """);
  }

  /** The text does not show that the variable's class is another one. */
  @Test
  void anotherFieldOfTheNameThatChanges() throws IOException {
    Expected.declines(
        folder,
        "A.mutex is not final, and line 5 may assign it another object",
        """
        class A {
          private Object mutex = new Object();
          void run() { synchronized (mutex) { hashCode(); } }
          static class B { private Object mutex; }
          void change(B b) { b.mutex = new Object(); }
        }
        """);
  }

  @Test
  void aFieldThatConstructorsAssignBecomesTheLock() throws IOException {
    Expected.rewrites(
        folder,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private static Object all = new Object();
          private final Object mutex;
          A() { this.mutex = new Object(); }
          A(int i) { mutex = new Object(); }
          void run() { synchronized (mutex) { synchronized (all) { hashCode(); } } }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private static ReentrantLock all = new ReentrantLock();
          private final ReentrantLock mutex;
          A() { this.mutex = new ReentrantLock(); }
          A(int i) { mutex = new ReentrantLock(); }
          void run() { mutex.lock(); try { all.lock(); try { hashCode(); } finally { all.unlock(); } } finally { mutex.unlock(); } }
        }
        """);
  }

  @Test
  void aFieldBecomesTheLockBesideOthersOfItsName() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          private final Object mutex;
          A() { mutex = new Object(); }
          void run() { synchronized (mutex) { hashCode(); } }
          static class B {
            private final Object mutex = new Object();
            boolean isIt(Object other) { return this.mutex == other || mutex.equals(other); }
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final ReentrantLock mutex;
          A() { mutex = new ReentrantLock(); }
          void run() { mutex.lock(); try { hashCode(); } finally { mutex.unlock(); } }
          static class B {
            private final Object mutex = new Object();
            boolean isIt(Object other) { return this.mutex == other || mutex.equals(other); }
          }
        }
        """);
  }

  /** In C the name means the field of A, which C inherits, and not that of B, which is around C. */
  @Test
  void aNameMayMeanAnInheritedField() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          final Object mutex = new Object();
          void run() { synchronized (mutex) { hashCode(); } }
        }
        class B {
          private final Object mutex = new Object();
          class C extends A {
            int hash() { return mutex == null ? 0 : 1; }
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          final Object mutex = new Object();
          private final transient ReentrantLock mutexLock = new ReentrantLock();
          void run() { mutexLock.lock(); try { hashCode(); } finally { mutexLock.unlock(); } }
        }
        class B {
          private final Object mutex = new Object();
          class C extends A {
            int hash() { return mutex == null ? 0 : 1; }
          }
        }
        """);
  }

  @Test
  void aConditionDoesNotComeBeforeItsLock() throws IOException {
    Expected.rewrites(
        folder,
        """
        import java.util.concurrent.locks.Condition;
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final Object mutex;
          A() { this.mutex = new Object(); }
          void run() { synchronized (mutex) { mutex.notify(); } }
        }
        """,
        """
        import java.util.concurrent.locks.Condition;
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final Object mutex;
          private final transient ReentrantLock mutexLock = new ReentrantLock();
          private final transient Condition mutexLockCondition = mutexLock.newCondition();
          A() { this.mutex = new Object(); }
          void run() { mutexLock.lock(); try { mutexLockCondition.signal(); } finally { mutexLock.unlock(); } }
        }
        """);
  }
}
