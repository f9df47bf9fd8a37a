package vtdiag.patch;

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
}
