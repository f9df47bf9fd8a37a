package io.github.vtdiag.dump;

import java.util.List;

/** What two dumps of a JVM come to, for the golden documents. */
public final class GoldenHang {
  private GoldenHang() {}

  /** Two threads of Java 25 that wait for each other's monitor; and no threads at all. */
  public static List<HangAnswer> answers() throws Exception {
    return List.of(
        ThreadDumpsTest.answer(ThreadDumpsTest.CYCLE, ThreadDumpsTest.CYCLE),
        ThreadDumpsTest.answer("", ""));
  }
}
