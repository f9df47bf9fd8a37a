package io.github.vtdiag.junit.inside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StalledThreadsTest {
  /** Which of two tests created it is not known: a verdict of neither may say that all is well. */
  @Test
  void aThreadThatMayBeOfTheTestMakesItsVerdictUnknown() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    try {
      String found =
          StalledThreads.find(
                  share -> share == LivePins.Share.UNSURE ? Set.of(thread.threadId()) : Set.of(),
                  1_000_000)
              .orElseThrow();
      assertTrue(found.startsWith("Not known whether a virtual thread of this test "), found);
      assertEquals(Optional.empty(), StalledThreads.find(share -> Set.of(), 1_000_000));
    } finally {
      never.countDown();
      thread.join();
    }
  }

  @Test
  void namesOfVirtualThreadsAreRead() {
    assertEquals(
        Map.of(23L, " \"forgotten\"", 25L, " \"other\""),
        StalledThreads.names(
            List.of(
                "#1 \"main\"",
                "      java.base/java.lang.Thread.sleep(Thread.java:509)",
                "#23 \"forgotten\" virtual",
                "#24 \"\" virtual",
                "#25 \"other\" virtual WAITING 2026-11-25T04:09:18.467946930Z",
                "#26 \"virtual\" WAITING 2026-11-25T04:09:18.467946930Z")));
  }

  /** As Java 21 writes a dump, and as 25 does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        1234
        2026-11-25T04:09:18.467946930Z
        21.0.8+9-LTS

        #1 "main"
              java.base/java.lang.Thread.sleep(Thread.java:509)

        #23 "a "virtual" name" virtual
              java.base/java.util.concurrent.CountDownLatch.await(CountDownLatch.java:230)
              com.example.App$$Lambda/0x00007f.run(Unknown Source)
              app//com.example.App.main(App.java:2)
        """,
        """
        #1 "main" TIMED_WAITING 2026-11-25T04:09:18.467946930Z
            at java.base/java.lang.Thread.sleep(Thread.java:509)

        #23 "x" virtual WAITING 2026-11-25T04:09:18.467946930Z
            - parking to wait for <java.util.concurrent.CountDownLatch$Sync@79ca92b9>
            at java.base/java.util.concurrent.CountDownLatch.await(CountDownLatch.java:230)
            at com.example.App$$Lambda/0x00007f.run(Unknown Source)
            at app//com.example.App.main(App.java:2)

        #24 "ForkJoinPool-1-worker-1" WAITING 2026-11-25T04:09:18.467946930Z
            at java.base/jdk.internal.misc.Unsafe.park(Native Method)
        """
      })
  void readsVirtualThreads(String dump) {
    Map<Long, StackTrace> stacks = StalledThreads.read(dump.lines().toList());
    assertEquals(
        Map.of(
            23L,
            List.of(
                "java.util.concurrent.CountDownLatch.await:230",
                "com.example.App$$Lambda.run:-1",
                "com.example.App.main:2")),
        Map.of(
            stacks.keySet().iterator().next(),
            stacks.values().iterator().next().frames().stream()
                .map(StalledThreadsTest::text)
                .toList()));
    assertEquals(1, stacks.size());
  }

  private static String text(Frame frame) {
    return frame.qualifiedMethod() + ":" + frame.line();
  }
}
