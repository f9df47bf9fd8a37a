package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryLoopsTest {
  /** Loops that try again. */
  @SuppressWarnings({"BusyWait", "InfiniteLoop"})
  abstract static class Loops {
    abstract int call() throws IOException;

    abstract boolean send();

    abstract String state(int job);

    abstract void work();

    int untilItReturns() throws InterruptedException {
      long pause = 100;
      while (true) {
        try {
          return call();
        } catch (IOException e) {
          Thread.sleep(pause);
          pause *= 2;
        }
      }
    }

    int fiveTimes() throws InterruptedException, IOException {
      for (int i = 0; ; i++) {
        try {
          return call();
        } catch (IOException e) {
          if (i == 5) {
            throw e;
          }
        }
        Thread.sleep(100);
      }
    }

    void untilConnected() throws InterruptedException {
      boolean connected = false;
      while (!connected) {
        try {
          call();
          connected = true;
        } catch (IOException e) {
          Thread.sleep(100);
        }
      }
    }

    void untilThereIsOne() throws InterruptedException {
      Integer answer = null;
      while (answer == null) {
        try {
          answer = call();
        } catch (IOException e) {
          Thread.sleep(100);
        }
      }
    }

    void untilSent() throws InterruptedException {
      while (!send()) {
        Thread.sleep(100);
      }
    }

    void untilDone() throws InterruptedException {
      do {
        Thread.sleep(100);
      } while (!state(1).equals("DONE"));
    }

    abstract int status();

    void untilStatus() throws InterruptedException {
      while (status() != 200) {
        Thread.sleep(100);
      }
    }

    void whileStatus() throws InterruptedException {
      while (status() == 200) {
        Thread.sleep(100);
      }
    }

    void batch(List<String> all) throws InterruptedException {
      for (String each : all) {
        state(each.length());
        Thread.sleep(100);
      }
    }

    void batchWithErrors() throws InterruptedException {
      int sent = 0;
      while (sent < 1_000) {
        try {
          sent += call();
        } catch (IOException e) {
          Thread.sleep(100);
        }
      }
    }

    void partsWithErrors() throws InterruptedException {
      boolean last = false;
      while (!last) {
        try {
          last = call() == 0;
        } catch (IOException e) {
          Thread.sleep(100);
        }
      }
    }

    void eachOfABatch(List<String> all) throws InterruptedException {
      for (int i = 0; i < all.size(); i++) {
        while (true) {
          try {
            call();
            break;
          } catch (IOException e) {
            Thread.sleep(100);
          }
        }
      }
    }

    void untilEmpty(Queue<String> queue) throws InterruptedException {
      while (!queue.isEmpty()) {
        state(queue.remove().length());
        Thread.sleep(100);
      }
    }

    void service() throws InterruptedException {
      while (true) {
        try {
          call();
        } catch (IOException e) {
          Thread.sleep(100);
        }
      }
    }

    void heartbeat() throws InterruptedException {
      while (!Thread.currentThread().isInterrupted()) {
        work();
        Thread.sleep(100);
      }
    }

    void whileItGoesOn() throws InterruptedException {
      while (send()) {
        Thread.sleep(100);
      }
    }

    void worksUntilDone() throws InterruptedException {
      while (!send()) {
        work();
        Thread.sleep(100);
      }
    }
  }

  private static final CodeSites SITES = sites();

  private static CodeSites sites() {
    String name = Loops.class.getName();
    try (InputStream in =
        RetryLoopsTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      return CodeSites.read(in.readAllBytes(), new ClassRef(name, "app"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<RetryLoop> loops(String method) {
    return IntStream.range(1, 300)
        .mapToObj(line -> SITES.retryLoop(method, line))
        .flatMap(Optional::stream)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"untilItReturns", "fiveTimes", "untilConnected", "untilThereIsOne"})
  void ofErrors(String method) {
    List<RetryLoop> loops = loops(method);
    assertEquals(Set.of(true, false), Set.copyOf(loops.stream().map(RetryLoop::failed).toList()));
    assertEquals(1, loops.stream().map(RetryLoop::first).distinct().count());
  }

  @Test
  void ofQuestions() {
    assertEquals(Set.of("send"), loops("untilSent").getFirst().asked());
    assertEquals(Set.of("state", "equals"), loops("untilDone").getFirst().asked());
    assertEquals(Set.of("status"), loops("untilStatus").getFirst().asked());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "batch",
        "batchWithErrors",
        "partsWithErrors",
        "eachOfABatch",
        "untilEmpty",
        "service",
        "heartbeat",
        "whileItGoesOn",
        "whileStatus",
        "worksUntilDone"
      })
  void notWhereSomethingIsDone(String method) {
    List<RetryLoop> loops = loops(method);
    // A loop for one of many is seen where the outer one is not around.
    assertEquals(List.of(), loops.stream().filter(RetryLoop::failed).toList());
  }
}
