package io.github.vtdiag.report.words;

import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.verdict.Conclusions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the verdict on pinned carriers names what pinned them. */
final class AccountWordsTest {
  private static final Frame IN_MAP =
      frame("java.util.concurrent.ConcurrentHashMap", "computeIfAbsent", 210, 1708);
  private static final Frame WORK = frame("com.example.Db", "execute", 20, 326);
  private static final Frame CLASS = frame("com.example.Codec", "<clinit>", 4, 12);

  private static Pins pinned(long millis, PinCause cause) {
    return new Pins()
        .owner(IN_MAP.type().name(), new Owner.Jdk())
        .pin(1, millis, stack(IN_MAP, WORK), cause);
  }

  private static String verdict(Pins pins) {
    Findings findings = pins.findings();
    return AccountWords.verdict(Conclusions.of(findings), findings);
  }

  private static PinCause call(NativeFrame.Kind kind) {
    return new NativeFrame(1, WORK, kind, Optional.empty(), Optional.empty());
  }

  static List<Arguments> causes() {
    return List.of(
        Arguments.of(method(1, WORK), "the monitor of com.example.Db.execute"),
        Arguments.of(
            block(0, IN_MAP, 60, 1750),
            "the monitor of java.util.concurrent.ConcurrentHashMap.computeIfAbsent, called from"
                + " com.example.Db.execute"),
        Arguments.of(
            new PinCause.MonitorEntry(WORK, "com.example.Lock"),
            "the monitor of com.example.Db.execute"),
        Arguments.of(
            new PinCause.ObjectWait(WORK, "com.example.Reply"),
            "Object.wait in com.example.Db.execute"),
        Arguments.of(call(NativeFrame.Kind.JNI), "the native method com.example.Db.execute"),
        Arguments.of(call(NativeFrame.Kind.FFM), "native code called from com.example.Db.execute"),
        Arguments.of(
            new PinCause.ClassInitializer(1, CLASS), "the class initializer of com.example.Codec"),
        Arguments.of(
            new PinCause.AwaitedInitialization("com.example.Codec"),
            "the class initializer of com.example.Codec"),
        Arguments.of(
            new PinCause.ClassLoading(1, WORK), "class loading in com.example.Db.execute"));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void theCauseStandsInTheVerdict(PinCause cause, String named) {
    assertEquals(
        "The carriers were the bottleneck, because of "
            + named
            + ": they were saturated 90% of the time, and meanwhile 80% of them"
            + " were pinned.",
        verdict(pinned(60_000, cause).looked(10, 10, 80, 3, 90)));
  }

  /** What is scarce is the pool; that its threads keep carriers meanwhile comes with it. */
  @Test
  void pinnedWaitsForAPoolNameThePool() {
    Frame pool = frame("com.mchange.v2.resourcepool.BasicResourcePool", "awaitAvailable", 4, 9);
    Frame checkout =
        frame("com.mchange.v2.resourcepool.BasicResourcePool", "checkoutResource", 4, 8);
    PinCause wait = new PinCause.ObjectWait(pool, "com.mchange.v2.resourcepool.BasicResourcePool");
    Frame wait0 = frame("java.lang.Object", "wait0", 0, -1);
    Pins inside = new Pins().pin(1, 60_000, stack(wait0, pool, WORK), wait);
    String unknown = verdict(inside.looked(10, 10, 80, 3, 90));
    assertFalse(unknown.contains("free object"), unknown);
    Pins pins = new Pins().pin(1, 60_000, stack(wait0, pool, checkout, WORK), wait);
    String limit = verdict(pins.looked(10, 10, 80, 3, 90));
    assertTrue(
        limit.startsWith(
            "The carriers were the bottleneck, because of waits for a free object of c3p0, pinned"
                + " by Object.wait in"
                + " com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable:"),
        limit);
    String none = verdict(pins.looked(5, 5, 80, 0, 0));
    assertTrue(
        none.startsWith(
            "The carriers were not the bottleneck, though pins took 80% of their time: virtual"
                + " threads waited for a free object of c3p0, and "),
        none);
  }

  /** Threads that wait for a processor are no computation: a faster program would not end that. */
  @Test
  void whereTheMachineGaveNoProcessorNobodyComputed() {
    assertEquals(
        "The carriers were the bottleneck, because threads computed: they were saturated 90% of the"
            + " time, and meanwhile 100% of them were running Java code.",
        verdict(new Pins().processors(71).looked(95, 0, 0, 3, 90)));
    Pins starved = new Pins().processors(70).looked(95, 0, 0, 3, 90);
    assertEquals(
        "The carriers were the bottleneck, because threads that could run got no processor for at"
            + " least 25% of the carriers' time: they were saturated 90% of the time, and"
            + " meanwhile 100% of them were carrying threads that could run.",
        verdict(starved));
    // Less of a program that has less to do: half of the time that it could run.
    assertTrue(
        verdict(new Pins().processors(21).looked(40, 0, 0, 3, 90)).contains("threads computed"));
    assertTrue(
        verdict(new Pins().processors(20).looked(40, 0, 0, 3, 90))
            .contains("threads that could run got no processor for at least 20% of"));
    String account = AccountWords.lines(starved.findings()).get(1).text();
    assertTrue(
        account.endsWith(
            "runnable threads got no processor: look for other processes, other threads of this"
                + " one, and a CPU limit first."),
        account);
  }

  @Test
  void whereOthersTookSomeOfItItIsMostly() {
    Frame other = frame("com.example.Cache", "get", 20, 40);
    Pins pins = pinned(60_000, method(1, WORK)).pin(2, 9_000, stack(other), method(0, other));
    assertEquals(
        "The carriers were the bottleneck, mostly because of the monitor of com.example.Db.execute:"
            + " they were saturated 90% of the time, and meanwhile 80% of them were pinned.",
        verdict(pins.looked(10, 10, 80, 3, 90)));
  }

  @Test
  void whereThereIsNoOneCauseNoneIsNamed() {
    assertEquals(
        "The carriers were the bottleneck, because waiting threads could not unmount: they were"
            + " saturated 90% of the time, and meanwhile 80% of them were"
            + " pinned.",
        verdict(pinned(20_000, method(1, WORK)).looked(10, 10, 80, 3, 90)));
  }

  @Test
  void nobodyIsToBlameWhereNobodySawWhoWaited() {
    Pins pins = pinned(60_000, method(1, WORK)).unwatched();
    pins.pin(2, 60_000, stack(IN_MAP, WORK), method(1, WORK));
    assertEquals(
        "The carriers were probably the bottleneck, because waiting threads could not unmount; the"
            + " queue of virtual threads was not recorded.",
        verdict(pins));
  }

  @Test
  void whoIsStoppedMostOfTheTimeDoesNotCompute() {
    assertEquals(
        "The carriers were the bottleneck, because threads computed: they were saturated 90% of the"
            + " time, and meanwhile 80% of them were running Java code.",
        verdict(new Pins().looked(80, 10, 10, 3, 90).paused(30)));
    assertEquals(
        "The carriers were the bottleneck, because the garbage collector stopped all threads: they"
            + " were saturated 90% of the time, and meanwhile 80% of them were carrying threads"
            + " that could run.",
        verdict(new Pins().looked(80, 10, 10, 3, 90).paused(32)));
  }

  private static String spun(int java, String... seconds) {
    Findings findings =
        new Pins()
            .looked(java, 0, 0, 9, 90)
            .findings()
            .withBehaviors(
                Stream.of(seconds)
                    .map(each -> AccountWordsTest.spin(Double.parseDouble(each) * 1e9))
                    .toList());
    return AccountWords.verdict(Conclusions.of(findings), findings);
  }

  private static Behavior spin(double nanos) {
    return new Finding.Misuse(
        MisuseKind.SPINNING,
        new Observation(
            "com.example.Spin.await",
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            new Owner.Application("app"),
            new Observation.Amount(Observation.Unit.CARRIER_NANOS, nanos, true),
            9,
            Optional.empty(),
            true,
            List.of(),
            new Observation.Evidence(List.of("jdk.ExecutionSample"), 9, OptionalLong.empty())));
  }

  /** The entry below says "threads that spin": the verdict must not call it computation. */
  @Test
  void whoSpinsDoesNotCompute() {
    double all = new Pins().looked(100, 0, 0, 9, 90).findings().account().capacityNanos() / 1e9;
    assertEquals(
        "The carriers were the bottleneck, because threads spun in com.example.Spin.await: they"
            + " were saturated 90% of the time, and meanwhile 100% of them were running Java code.",
        spun(100, "" + all * 0.9));
    assertTrue(
        spun(100, "" + all * 0.4, "" + all * 0.3)
            .contains("because threads spun in com.example.Spin.await and other loops:"));
    assertTrue(spun(100, "" + all * 0.4).contains("because threads computed:"));
  }
}
