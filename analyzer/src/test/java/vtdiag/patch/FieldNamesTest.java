package vtdiag.patch;

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
}
