package io.github.vtdiag.gate;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.SECOND;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.gate.Policy.Evidence;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Limits on the pins of some, and pins that do not count. */
class BudgetsTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 6, 1);
  private static final Frame OWN = frame("com.example.Orders", "place", 20, 31);
  private static final Frame DRIVER = frame("org.postgresql.core.Query", "execute", 20, 326);
  private static final Frame OTHER = frame("com.other.Pool", "take", 20, 7);
  private static final Frame MAP = frame("java.util.concurrent.ConcurrentHashMap", "compute", 9, 1);

  /** 80 ms of the application, 300 ms of a library, 5 ms of nobody knows whom. */
  private static Pins pins() {
    return new Pins()
        .pin(1, 80, stack(OWN), method(0, OWN))
        .pin(1, 300, stack(DRIVER), method(0, DRIVER))
        .pin(1, 5, stack(OTHER), method(0, OTHER))
        .owner("com.example.Orders", new Owner.Application("app.jar"))
        .owner(
            "org.postgresql.core.Query",
            new Owner.Library(new Coordinates("org.postgresql", "postgresql", "42.5.4"), "pg.jar"));
  }

  private static Verdict judge(Pins pins, Limit... limits) {
    return Gate.judge(pins.findings(), Policies.of(List.of(limits), Evidence.NORMAL));
  }

  private static Limit maxPin(long millis, Scope scope) {
    return new Limit(Measures.LONGEST_PIN, (double) millis * MILLI, scope, "vtdiag.yml, line 3");
  }

  private static String broken(Pins pins, Limit limit) {
    Verdict.Fail fail = assertInstanceOf(Verdict.Fail.class, judge(pins, limit));
    assertEquals(1, fail.violations().size());
    return fail.violations().getFirst().where().orElseThrow();
  }

  @Test
  void aModuleOfTheApplicationHasItsBudgetToo() {
    Pins pins =
        pins()
            .owner(
                "com.example.Orders",
                new Owner.Application(
                    "orders.jar", Optional.of(new Coordinates("com.example", "orders", "1.0"))));
    assertInstanceOf(
        Verdict.Pass.class, judge(pins, maxPin(50, new Scope.Library("com.example", "shop"))));
    assertInstanceOf(
        Verdict.Fail.class, judge(pins, maxPin(50, new Scope.Library("com.example", "orders"))));
    assertInstanceOf(
        Verdict.Fail.class, judge(pins, maxPin(50, new Scope.Library("com.example", "*"))));
    assertInstanceOf(Verdict.Fail.class, judge(pins, maxPin(50, new Scope.Application())));
  }

  private static Verdict allowing(Pins pins, Allowance... allowances) {
    return Gate.judge(
        pins.findings(),
        Policies.of(
            List.of(maxPin(50, Scope.all())),
            List.of(allowances),
            Optional.empty(),
            Evidence.NORMAL,
            List.of(),
            TODAY));
  }

  private static Allowance allowance(String site, LocalDate expires) {
    return new Allowance(site, "waits for 42.6", "team-db", expires, "vtdiag.yml, line 9");
  }

  @Test
  void whatCarriersDoIsNobodysPins() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Limit(Measures.QUEUE, 5, new Scope.Application(), "vtdiag.yml, line 3"));
  }

  @Test
  void pinsThatMayBeTheOwnersAreNoDataIfTheyWouldBreakHisLimit() {
    Pins unknown = new Pins().pin(1, 80, stack(OTHER), method(0, OTHER));
    for (Scope scope :
        List.of(
            new Scope.Application(), new Scope.Libraries(), new Scope.Library("com.other", "p"))) {
      Verdict.NoData verdict =
          assertInstanceOf(Verdict.NoData.class, judge(unknown, maxPin(50, scope)));
      assertEquals(
          List.of(
              "the recordings do not show whose pins 1 finding of 80 ms are, and the limit on the"
                  + " longest pin of "
                  + scope.text()
                  + " depends on that; give the class path with --classpath"),
          verdict.reasons());
      assertInstanceOf(Verdict.Pass.class, judge(unknown, maxPin(80, scope)));
    }
    // A package is in the recording.
    assertInstanceOf(
        Verdict.Pass.class, judge(unknown, maxPin(50, new Scope.InPackage("com.example"))));
  }

  @Test
  void aPackageEndsAtADot() {
    assertInstanceOf(
        Verdict.Pass.class, judge(pins(), maxPin(50, new Scope.InPackage("com.exam"))));
  }

  @Test
  void anotherOwnersPinsDoNotCount() {
    assertInstanceOf(Verdict.Pass.class, judge(pins(), maxPin(80, new Scope.Application())));
    assertInstanceOf(Verdict.Pass.class, judge(pins(), maxPin(1, new Scope.Jdk())));
    assertInstanceOf(
        Verdict.Pass.class, judge(pins(), maxPin(10, new Scope.Library("org.mariadb", "client"))));
  }

  @Test
  void eachOwnerHasHisOwn() {
    String own = "com.example.Orders.place (Orders.java:31)";
    String driver = "org.postgresql.core.Query.execute (Query.java:326)";
    assertEquals(own, broken(pins(), maxPin(79, new Scope.Application())));
    assertEquals(own, broken(pins(), maxPin(79, new Scope.InPackage("com.example"))));
    assertEquals(driver, broken(pins(), maxPin(299, new Scope.Libraries())));
    assertEquals(
        driver, broken(pins(), maxPin(299, new Scope.Library("org.postgresql", "postgresql"))));
    assertEquals(
        driver,
        broken(pins(), maxPin(299, new Scope.Library("org.postgresql", Scope.Library.ANY))));
    assertEquals(driver, broken(pins(), maxPin(299, Scope.all())));
  }

  @Test
  void whatPinsInTheJdkIsAlsoTheCallers() {
    Pins map =
        new Pins()
            .pin(1, 80, stack(MAP, OWN), method(0, MAP))
            .owner(MAP.type().name(), new Owner.Jdk())
            .owner("com.example.Orders", new Owner.Application("app.jar"));
    broken(map, maxPin(50, new Scope.Jdk()));
    broken(map, maxPin(50, new Scope.Application()));
    broken(map, maxPin(50, new Scope.InPackage("com.example")));
    assertInstanceOf(Verdict.Pass.class, judge(map, maxPin(50, new Scope.Libraries())));
  }

  @Test
  void aSumIsOfTheOwnersPinsOnly() {
    Limit limit =
        new Limit(Measures.CAPACITY_LOST, 85.0 / 124_000, new Scope.Application(), "line 1");
    assertInstanceOf(Verdict.Pass.class, judge(pins(), limit));
    Limit less =
        new Limit(Measures.CAPACITY_LOST, 79.0 / 124_000, new Scope.Application(), "line 1");
    assertInstanceOf(Verdict.Fail.class, judge(pins(), less));
  }

  @Test
  void theRateIsPerMinuteOfTheRecording() {
    // Three pins in 62 seconds.
    assertInstanceOf(Verdict.Pass.class, judge(pins(), new Limit(Measures.RATE, 180.0 / 62)));
    Verdict.Fail fail =
        assertInstanceOf(Verdict.Fail.class, judge(pins(), new Limit(Measures.RATE, 2.9)));
    assertEquals("2.903226/min", fail.violations().getFirst().figure());
    assertEquals(3, fail.violations().getFirst().findings().size());
  }

  @Test
  void aBrokenLimitNamesTheFindingsThatBreakIt() {
    Verdict.Fail fail =
        assertInstanceOf(Verdict.Fail.class, judge(pins(), maxPin(60, Scope.all())));
    assertEquals(
        List.of(
            "SYNCHRONIZED_METHOD org.postgresql.core.Query.execute on this",
            "SYNCHRONIZED_METHOD com.example.Orders.place on this"),
        fail.violations().getFirst().findings().stream()
            .map(named -> named.identity().text())
            .toList());
  }

  @Test
  void anAllowanceThatHasExpiredFailsWithOwnerAndDateWhateverIsThere() {
    LocalDate yesterday = TODAY.minusDays(1);
    Verdict.Fail fail =
        assertInstanceOf(
            Verdict.Fail.class, allowing(new Pins(), allowance("com.example.Gone.x", yesterday)));
    assertEquals("team-db", fail.basis().expired().getFirst().allowance().owner());
    Verdict.Fail still =
        assertInstanceOf(
            Verdict.Fail.class,
            allowing(
                pins(),
                allowance("org.postgresql.core.Query", yesterday),
                allowance("com.example.Orders", TODAY)));
    // It allows nothing, so the pin counts.
    assertEquals(1, still.violations().size());
  }

  @Test
  void anAllowanceHoldsOnItsLastDayAndForItsSiteOnly() {
    assertInstanceOf(
        Verdict.Pass.class,
        allowing(
            pins(),
            allowance("org.postgresql.core.Query.execute", TODAY),
            allowance("com.example.Orders.place", TODAY)));
    Verdict.Fail fail =
        assertInstanceOf(
            Verdict.Fail.class,
            allowing(pins(), allowance("org.postgresql.core.Query.execute", TODAY)));
    assertTrue(fail.violations().getFirst().where().orElseThrow().startsWith("com.example.Orders"));
  }

  @Test
  void aSiteIsAMethodAClassAPackageOrAnIdentity() {
    String kin = "SYNCHRONIZED_METHOD org.postgresql.core.Query.execute on this";
    for (String site :
        List.of(
            "org.postgresql.core.Query",
            "org.postgresql.*",
            kin,
            new io.github.vtdiag.analysis.Identity(kin, 1).fingerprint())) {
      assertInstanceOf(
          Verdict.Pass.class,
          allowing(pins(), allowance(site, TODAY), allowance("com.example.*", TODAY)),
          site);
    }
    for (String site :
        List.of("org.postgresql", "org.postgresql.core.Quer.*", "execute", "org.postgre.*", "*")) {
      assertInstanceOf(
          Verdict.Fail.class,
          allowing(pins(), allowance(site, TODAY), allowance("com.example.*", TODAY)),
          site);
    }
  }

  @Test
  void aHangFailsWhateverIsAllowed() {
    Pins hung = pins().hang("deadlock of virtual threads");
    assertInstanceOf(
        Verdict.Fail.class,
        allowing(hung, allowance("org.postgresql.*", TODAY), allowance("com.example.*", TODAY)));
  }

  private static Verdict since(Pins before, Pins after) {
    return since(before, after.findings(), false);
  }

  private static Verdict since(Pins before, Findings after, boolean others) {
    return Gate.judge(
        after,
        Policies.of(
            List.of(),
            List.of(),
            Optional.of(
                new Policy.Baseline(
                    RunSummary.of("before", before.findings()),
                    Tolerance.NORMAL,
                    others,
                    "b.json")),
            Evidence.NORMAL,
            List.of(),
            TODAY));
  }

  @Test
  void whatIsNoPinFailsIfThePolicySaysSo() {
    Behavior lock =
        new Finding.Wait(
            WaitKind.LOCK,
            new Observation(
                "ReentrantLock",
                Set.of(),
                Optional.of(OWN),
                Optional.empty(),
                new Owner.Application(""),
                new Observation.Amount(Observation.Unit.THREAD_NANOS, 6_000 * SECOND, true),
                1,
                Optional.empty(),
                true,
                List.of(),
                new Observation.Evidence(List.of(), 60, OptionalLong.empty())));
    Findings waiting = new Pins().findings().withBehaviors(List.of(lock));
    Verdict pass = since(new Pins(), waiting, false);
    assertInstanceOf(Verdict.Pass.class, pass);
    assertEquals(1, pass.basis().others().size());
    assertInstanceOf(Verdict.Fail.class, since(new Pins(), waiting, true));
    assertInstanceOf(Verdict.Pass.class, since(new Pins(), new Pins().findings(), true));
    // Whoever has no processor waits longer too.
    Findings starved = new Pins().blind(30_000).findings().withBehaviors(List.of(lock));
    assertInstanceOf(Verdict.NoData.class, since(new Pins(), starved, true));
  }

  @Test
  void longerPinsOfAMachineWithoutAProcessorAreNoData() {
    Pins before = new Pins().pin(1, 80, stack(OWN), method(0, OWN));
    Pins longer = new Pins().pin(1, 800, stack(OWN), method(0, OWN));
    assertInstanceOf(Verdict.Fail.class, since(before, longer));
    assertInstanceOf(Verdict.NoData.class, since(before, longer.blind(30_000)));
    // What is new is new on any machine.
    assertInstanceOf(
        Verdict.Fail.class,
        since(before, new Pins().pin(1, 800, stack(OTHER), method(0, OTHER)).blind(30_000)));
    assertInstanceOf(Verdict.Pass.class, since(longer, before));
    assertInstanceOf(Verdict.NoData.class, since(before, new Pins().jdk(25)));
  }

  private static Pins hung(String method) {
    return new Pins()
        .hang(
            "LockCycle",
            List.of(new HangPlace(method, "", "app.Lock", "")),
            "deadlock: 2 threads wait for each other");
  }

  private static Verdict since(Pins before, Pins after, boolean allowHang) {
    Optional<Policy.Baseline> base =
        Optional.of(
            new Policy.Baseline(
                RunSummary.of("before", before.findings()), Tolerance.NORMAL, false, "b.json"));
    return Gate.judge(
        after.findings(),
        Policies.of(
            List.of(),
            List.of(),
            base,
            new Evidence(false, false, false, false, allowHang),
            List.of(),
            TODAY));
  }

  @Test
  void aHangIsAllowedOnlyOnRequestAndOnlyIfTheBaselineHasIt() {
    assertInstanceOf(Verdict.Fail.class, since(hung("app.A.run"), hung("app.A.run"), false));
    assertInstanceOf(Verdict.Pass.class, since(hung("app.A.run"), hung("app.A.run"), true));
    Verdict.Fail fail =
        assertInstanceOf(Verdict.Fail.class, since(hung("app.A.run"), hung("app.B.run"), true));
    assertEquals(
        List.of("app.jfr: deadlock: 2 threads wait for each other, which is not in b.json"),
        fail.hangs());
    assertInstanceOf(Verdict.Fail.class, since(new Pins(), hung("app.B.run"), true));
    // Of another Java nothing can be compared, and that is what is said.
    assertInstanceOf(
        Verdict.NoData.class, since(hung("app.A.run"), hung("app.B.run").jdk(25), true));
  }
}
