package io.github.vtdiag.agent.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.testing.Jdk;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WakersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void theTimerOfTheJdkHidesNoThreadThatWokeAnother(Jdk jdk) throws Exception {
    assertEquals(
        List.of(
            "nobody: 0", "this thread: this thread", "this thread, then the timer: this thread"),
        CasesRun.lines(jdk, folder, Cases.class));
  }

  /** Prints who woke a thread. */
  static final class Cases {
    private Cases() {}

    public static void main(String[] args) throws Exception {
      Thread woken = Thread.ofVirtual().unstarted(() -> {});
      print("nobody", woken);
      Mounts.wake(woken);
      print("this thread", woken);
      Mounts.wake(woken);
      FutureTask<Void> expires = new FutureTask<>(() -> Mounts.wake(woken), null);
      timer().execute(expires);
      expires.get();
      print("this thread, then the timer", woken);
      System.exit(0); // The timer's thread may be no daemon.
    }

    /** Returns what unparks threads whose timeout has expired. From JDK 25 on carriers do. */
    private static Executor timer() throws ReflectiveOperationException {
      List<Field> fields = List.of(Class.forName("java.lang.VirtualThread").getDeclaredFields());
      Field timer =
          Stream.of("UNPARKER", "DEFAULT_SCHEDULER")
              .flatMap(name -> fields.stream().filter(field -> field.getName().equals(name)))
              .findFirst()
              .orElseThrow();
      timer.setAccessible(true);
      return (Executor) timer.get(null);
    }

    private static void print(String what, Thread woken) {
      long waker = Mounts.takeWaker(woken.threadId());
      boolean own = waker == Thread.currentThread().threadId();
      System.out.println(what + ": " + (own ? "this thread" : String.valueOf(waker)));
    }
  }
}
