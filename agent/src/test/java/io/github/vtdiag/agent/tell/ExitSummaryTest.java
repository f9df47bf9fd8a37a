package io.github.vtdiag.agent.tell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExitSummaryTest {
  private static Frame frame(String className, String method) {
    return new Frame(new ClassRef(className, ""), method, "()V", 0, 3, 10, Frame.Kind.INTERPRETED);
  }

  private static String site(Frame... frames) {
    PinCause entry = new PinCause.MonitorEntry(frames[0], "com.example.Pool");
    return ExitSummary.site(entry, new StackTrace(List.of(frames), false));
  }

  /** Reports name the same method. */
  @Test
  void aThreadThatTakesItsMonitorAgainAfterAWaitIsWhereItWaited() {
    Frame wait0 = frame("java.lang.Object", "wait0");
    Frame wait = frame("java.lang.Object", "wait");
    Frame take = frame("com.example.Pool", "take");
    assertEquals(
        "com.example.Pool.take, waits to enter a monitor of com.example.Pool that another thread"
            + " holds",
        site(wait0, wait, take));
    assertEquals(
        "com.example.Pool.take, waits to enter a monitor of com.example.Pool that another thread"
            + " holds",
        site(take, frame("com.example.Main", "main")));
    assertEquals(
        "java.lang.Object.wait0, waits to enter a monitor of com.example.Pool that another thread"
            + " holds",
        site(wait0, wait));
  }
}
