package io.github.vtdiag.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class JdkTallyTest {
  @Test
  void countsEachTestUnderTheJdksItAskedFor() throws Exception {
    assertEquals(expected("OneOfEach", 1, 1, 1), tallyOf(OneOfEach.class));
  }

  @Test
  void aTestThatAsksForBothCountsForBoth() throws Exception {
    assertEquals(expected("Both", 1, 1, 0), tallyOf(Both.class));
  }

  @Test
  void whatTheSetUpAsksForCountsForEveryTestOfItsClassAndNoOther() throws Exception {
    assertEquals(expected("SetUp", 2, 0, 0), tallyOf(SetUp.class, None.class));
  }

  @Test
  void whatStartsNothingIsNotMentioned() throws Exception {
    assertEquals("", tallyOf(None.class));
  }

  @Test
  void everyClassIsCountedByItself() throws Exception {
    assertEquals(
        expected("Both", 1, 1, 0) + "\n" + expected("OneOfEach", 1, 1, 1),
        tallyOf(Both.class, OneOfEach.class));
  }

  /** A failed test runs once more, in a plan of its own. */
  @Test
  void everyPlanIsCountedByItself() throws Exception {
    List<String> lines = new ArrayList<>();
    JdkTally tally = new JdkTally(lines::add);
    execute(tally, Both.class);
    execute(tally, Both.class);
    assertEquals(List.of(expected("Both", 1, 1, 0), expected("Both", 1, 1, 0)), lines);
  }

  @Test
  void whatAThreadOfATestAsksForCountsForThatTest() throws Exception {
    assertEquals(expected("OtherThread", 1, 0, 1), tallyOf(OtherThread.class));
  }

  @Test
  void testsAtTheSameTimeAreCountedEachForItself() throws Exception {
    assertEquals(expected("AtTheSameTime", 2, 2, 1), tallyOf(AtTheSameTime.class));
  }

  private static String expected(String name, int on21, int on25, int inTestJvm) {
    return "JdkTallyTest$%s ran on Java 21: %d, on Java 25: %d, in the test JVM (%d): %d"
        .formatted(name, on21, on25, Runtime.version().feature(), inTestJvm);
  }

  private static String tallyOf(Class<?>... classes) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    execute(new JdkTally(lines::add), classes);
    return String.join("\n", lines);
  }

  /** On another thread: JUnit takes the one that runs this test for one of the pool within it. */
  private static void execute(JdkTally tally, Class<?>... classes) throws InterruptedException {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(classes).map(DiscoverySelectors::selectClass).toList())
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.executor-service", "worker_thread_pool")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
            .build();
    LauncherConfig config =
        LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    Thread.ofPlatform().start(() -> LauncherFactory.create(config).execute(request, tally)).join();
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

  static class OtherThread {
    @Test
    void asks() throws InterruptedException {
      Thread other = new Thread(Jdks::java21);
      other.start();
      other.join();
    }

    @Test
    void asksForNothing() {}
  }

  /** All four have begun before one asks, and all have asked before one ends. */
  @Execution(ExecutionMode.CONCURRENT)
  static class AtTheSameTime {
    private static final CyclicBarrier ALL = new CyclicBarrier(4);

    private static void meet(Runnable asks) throws Exception {
      ALL.await(1, TimeUnit.MINUTES);
      asks.run();
      ALL.await(1, TimeUnit.MINUTES);
    }

    @ParameterizedTest
    @EnumSource
    void onEach(Jdk jdk) throws Exception {
      meet(jdk::home);
    }

    @Test
    void onBoth() throws Exception {
      meet(
          () -> {
            Jdks.java21();
            Jdks.java25();
          });
    }

    @Test
    void onNone() throws Exception {
      meet(() -> {});
    }
  }

  static class None {
    @Test
    void onNone() {}
  }
}
