package io.github.vtdiag.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that run at the same time get the verdicts that they get one after the other. */
final class SideBySideIT {
  private static final int ALL = 26;
  private static final int FAILING = 10;
  private static final int RUNS = 20;
  private static final String UNKNOWN = "vtdiag.junit.unknown";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"JAVA_21, junit5", "JAVA_21, junit6", "JAVA_25, junit5", "JAVA_25, junit6"})
  void verdictsAreRight(Jdk jdk, String junit) throws Exception {
    assertRight(suite(jdk, junit, List.of(), SuiteRun.PARALLEL, "SideBySide"));
  }

  @Test
  void verdictsAreRightOneAfterTheOther() throws Exception {
    assertRight(suite(Jdk.JAVA_25, "junit6", List.of(), List.of(), "SideBySide"));
  }

  @ParameterizedTest
  @CsvSource({"JAVA_21, junit5", "JAVA_21, junit6", "JAVA_25, junit5", "JAVA_25, junit6"})
  @Tag("full")
  void verdictsAreRightEachTime(Jdk jdk, String junit) throws Exception {
    for (int i = 0; i < RUNS; i++) {
      assertRight(suite(jdk, junit, List.of(), SuiteRun.PARALLEL, "SideBySide"));
      assertRight(suite(jdk, junit, List.of(), List.of(), "SideBySide"));
    }
  }

  /** On such a Java a verdict may be missing, but none is wrong. */
  @ParameterizedTest
  @EnumSource
  void whereJavaDoesNotTellWhatIsNotKnownFails(Jdk jdk) throws Exception {
    Forked run =
        suite(
            jdk,
            "junit6",
            List.of("-Dvtdiag.junit.constructors=false"),
            SuiteRun.PARALLEL,
            "SideBySide");
    assertEquals(FAILING, SuiteRun.lines(run.out(), "FAILED fails.*").size(), run.out());
    assertEquals(
        SuiteRun.lines(run.out(), "FAILED passes.*"),
        SuiteRun.lines(
            run.out(), "FAILED passes.*: Not known whether it pinned: (the thread|threads) of .*"),
        run.out());
  }

  @Test
  void pinsOfNoTestAreCounted() throws Exception {
    Forked run = suite(Jdk.JAVA_25, "junit6", List.of(), SuiteRun.PARALLEL, "Strangers");
    assertEquals(List.of(), SuiteRun.lines(run.out(), "FAILED.*"), run.out());
    assertTrue(run.out().contains("1 pin while it ran"), run.out());
    assertTrue(run.err().contains("1 pin of virtual threads of no test that is known"), run.err());
  }

  @Test
  void pinsOfNoTestFailIfAsked() throws Exception {
    List<String> parameters = new ArrayList<>(SuiteRun.PARALLEL);
    parameters.add(UNKNOWN + "=fail");
    Forked run = suite(Jdk.JAVA_25, "junit5", List.of(), parameters, "Strangers");
    assertEquals(
        1,
        SuiteRun.lines(
                run.out(),
                "FAILED JUnit Jupiter: 1 pin of virtual threads of no test that is known, up to .*"
                    + " at .*Slow.<clinit>.*; vtdiag.junit.unknown=fail allows none\\.")
            .size(),
        run.out() + run.err());
    assertEquals(2, SuiteRun.lines(run.out(), "SUCCESSFUL .*").size(), run.out());
  }

  @Test
  void aWrongWordIsRefused() throws Exception {
    Forked run = suite(Jdk.JAVA_25, "junit6", List.of(), List.of(UNKNOWN + "=yes"), "SideBySide");
    assertTrue(run.out().contains(UNKNOWN + " is 'yes'"), run.out());
    assertEquals(List.of(), SuiteRun.lines(run.out(), "SUCCESSFUL (?!passesUnasked).*"), run.out());
  }

  private static void assertRight(Forked run) {
    String out = run.out();
    assertTrue(out.endsWith("END\n"), out + run.err());
    assertEquals(List.of(), SuiteRun.lines(out, "SUCCESSFUL fails.*|FAILED passes.*"), out);
    assertEquals(FAILING, SuiteRun.lines(out, "FAILED fails.*").size(), out);
    assertEquals(ALL - FAILING, SuiteRun.lines(out, "SUCCESSFUL passes.*").size(), out);
    assertEquals(List.of(), SuiteRun.lines(out, "NOTE .*|FAILED .*Not known.*"), out);
    assertFalse(run.err().contains("no test that is known"), run.err());
  }

  private Forked suite(
      Jdk jdk, String junit, List<String> options, List<String> parameters, String type)
      throws Exception {
    List<String> arguments = new ArrayList<>(parameters);
    arguments.add(SuiteRun.SAMPLES + type);
    List<String> all = new ArrayList<>(options);
    all.add("-Dslow.millis=300");
    return SuiteRun.fork(folder, jdk.java(), junit, all, arguments.toArray(String[]::new));
  }
}
