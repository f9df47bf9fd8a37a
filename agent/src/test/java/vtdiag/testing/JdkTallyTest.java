package vtdiag.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class JdkTallyTest {
  @Test
  void countsEachTestUnderTheJdksItAskedFor() {
    assertEquals(expected(1, 1, 1), tallyOf(OneOfEach.class));
  }

  @Test
  void aTestThatAsksForBothCountsForBoth() {
    assertEquals(expected(1, 1, 0), tallyOf(Both.class));
  }

  @Test
  void whatTheSetUpAsksForCountsForEveryTestOfItsClassAndNoOther() {
    assertEquals(expected(2, 0, 1), tallyOf(SetUp.class, None.class));
  }

  @Test
  void whatStartsNothingIsNotMentioned() {
    assertEquals("", tallyOf(None.class));
  }

  @Test
  void everyPlanIsCountedByItself() {
    List<String> lines = new ArrayList<>();
    JdkTally tally = new JdkTally(lines::add);
    execute(tally, Both.class);
    execute(tally, OneOfEach.class);
    assertEquals(List.of(expected(1, 1, 0), expected(1, 1, 1)), lines);
  }

  private static String expected(int on21, int on25, int inTestJvm) {
    return "ran on Java 21: %d, on Java 25: %d, in the test JVM (%d): %d"
        .formatted(on21, on25, Runtime.version().feature(), inTestJvm);
  }

  private static String tallyOf(Class<?>... classes) {
    List<String> lines = new ArrayList<>();
    execute(new JdkTally(lines::add), classes);
    return String.join("\n", lines);
  }

  private static void execute(JdkTally tally, Class<?>... classes) {
    LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(DiscoverySelectors::selectClass).toList())
                .build(),
            tally);
  }

  static class OneOfEach {
    @Test
    void on21() {
      Jdks.java21();
    }

    @Test
    void on25() {
      Jdks.java25();
    }

    @Test
    void onNone() {}
  }

  static class Both {
    @Test
    void onBoth() {
      Jdks.java21();
      Jdks.java25();
    }
  }

  static class SetUp {
    @BeforeAll
    static void record() {
      Jdks.java21();
    }

    @Test
    void reads() {}

    @Test
    void readsMore() {}
  }

  static class None {
    @Test
    void onNone() {}
  }
}
