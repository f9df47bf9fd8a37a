package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recordings can lack the names of classes and methods. */
final class UnnamedFrameTest {
  private static Frame frame(String className, String method) {
    return new Frame(
        new ClassRef(className, "app"), method, "()V", 0, 54, 424, Frame.Kind.COMPILED);
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', in code that JFR does not name",
    "com.example.Orders, find, at Orders.java:424"
  })
  void aPlaceWithoutNameIsSaidToBeOne(String className, String method, String clause) {
    Frame frame = frame(className, method);
    assertEquals(clause, new PinCause.MonitorEntry(frame, "java.util.HashMap").clause());
    assertEquals(clause, new PinCause.ObjectWait(frame, "java.util.HashMap").clause());
  }

  @ParameterizedTest
  @CsvSource({"'', '', ''", "com.example.Orders, find, 'com.example.Orders.find, '"})
  void theSummaryHasNoEmptyName(String className, String method, String lead) {
    PinCause entry = new PinCause.MonitorEntry(frame(className, method), "java.util.HashMap");
    assertEquals(
        lead + "waits to enter a monitor of java.util.HashMap that another thread holds",
        entry.summary());
  }
}
