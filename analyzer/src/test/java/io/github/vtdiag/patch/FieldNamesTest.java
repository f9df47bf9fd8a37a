package io.github.vtdiag.patch;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FieldNamesTest {
  @TempDir private Path folder;

  @Test
  void namesThatAreTaken() throws IOException {
    Expected.rewrites(
        folder,
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

          private final transient java.util.concurrent.locks.ReentrantLock instanceLock = new java.util.concurrent.locks.ReentrantLock();
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

  @Test
  void whatIsCalledALockAlready() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          private final int[] stateLock = new int[1];
          private static final int[] COUNT_LOCK = new int[1];

          void add() {
            synchronized (stateLock) {
              stateLock[0]++;
            }
            synchronized (COUNT_LOCK) {
              COUNT_LOCK[0]++;
            }
          }
        }
        """,
        """
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final int[] stateLock = new int[1];
          private final transient ReentrantLock stateReentrantLock = new ReentrantLock();
          private static final int[] COUNT_LOCK = new int[1];
          private static final ReentrantLock COUNT_REENTRANT_LOCK = new ReentrantLock();

          void add() {
            stateReentrantLock.lock();
            try {
              stateLock[0]++;
            } finally {
              stateReentrantLock.unlock();
            }
            COUNT_REENTRANT_LOCK.lock();
            try {
              COUNT_LOCK[0]++;
            } finally {
              COUNT_REENTRANT_LOCK.unlock();
            }
          }
        }
        """);
  }
}
