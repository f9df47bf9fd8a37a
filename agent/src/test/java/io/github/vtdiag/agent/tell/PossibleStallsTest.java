package io.github.vtdiag.agent.tell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.WaitDetail;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PossibleStallsTest {
  private static Frame frame(String className, String method) {
    return new Frame(new ClassRef(className, ""), method, "()V", 0, 3, 10, Frame.Kind.INTERPRETED);
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.Thread, sleep, '', false",
    "java.lang.Thread, sleep, until app.Jobs.done changes, false",
    "java.lang.ProcessImpl, waitFor, '', false",
    "java.lang.Thread, sleep, which a limiter lets go on in 2 h at the earliest, true",
    "java.util.concurrent.CountDownLatch, await, '', true"
  })
  void aSleepIsToldLiveOnlyIfALimiterLastsForHours(
      String type, String method, String detail, boolean told) {
    StackTrace stack =
        new StackTrace(List.of(frame(type, method), frame("app.RateLimiter", "acquire")), false);
    LongWait wait =
        new LongWait(
            1,
            1,
            Thread.State.TIMED_WAITING,
            "",
            0,
            5,
            0,
            TimeUnit.SECONDS.toNanos(40),
            false,
            LongWait.Wakers.NONE,
            WaitDetail.read(detail));
    assertEquals(told, PossibleStalls.isTold(Stall.of(wait, stack)));
  }
}
