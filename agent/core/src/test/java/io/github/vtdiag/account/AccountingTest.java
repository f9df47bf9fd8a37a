package io.github.vtdiag.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Account.Source;
import io.github.vtdiag.account.Accounting.Code;
import io.github.vtdiag.model.PinReason;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountingTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(20);

  /** Of two carriers and ten seconds. */
  private final Accounting accounting = new Accounting(0, 10 * SECOND, OptionalInt.of(2));

  /** A second of two carriers in percent, the rest of it idle. */
  private void look(int second, int java, int inNative, int waiting, int unseen) {
    long percent = 2 * SECOND / 100;
    accounting.look(
        new CarrierSample(
            second * SECOND,
            SECOND,
            2 * SECOND,
            (100 - java - inNative - waiting - unseen) * percent,
            java * percent,
            inNative * percent,
            waiting * percent,
            0,
            unseen * percent,
            SECOND,
            100,
            3 * SECOND,
            7,
            SECOND / 2,
            new CarrierSample.Saturation(
                second > 5 ? SECOND : SECOND / 4, SECOND, SECOND, 2 * SECOND, 0)));
  }

  private void looks(int java, int inNative, int waiting) {
    for (int second = 1; second <= 10; second++) {
      look(second, java, inNative, waiting, 0);
    }
  }

  private static void assertWhole(Account account) {
    long sum = account.shares().values().stream().mapToLong(Account.Share::nanos).sum();
    assertEquals((double) account.capacityNanos(), (double) sum, 1e6);
  }

  @Test
  void whatNobodySawIsNotIdle() {
    Account account = accounting.account();
    assertEquals(1, account.part(Use.UNKNOWN));
    assertEquals(0, account.part(Use.IDLE));
    assertFalse(account.isIdleKnown());
    assertTrue(account.missing().contains(Missing.WATCH));
    assertTrue(account.queue().isEmpty());
  }

  @Test
  void whatSamplesDoNotShowIsNotIdle() {
    accounting.sample(Code.JAVA, SECOND, SECOND);
    accounting.file(SECOND);
    accounting.pin(PinReason.MONITOR, 2 * SECOND);
    Account account = accounting.account();
    assertEquals(0.05, account.part(Use.JAVA));
    assertEquals(0.05, account.part(Use.FILE));
    assertEquals(0.1, account.part(Use.PINNED));
    assertEquals(0.8, account.part(Use.UNKNOWN), 1e-9);
    assertTrue(account.share(Use.FILE).atLeast());
    assertWhole(account);
  }

  /** "At least under 0.1%" would say nothing. */
  @Test
  void aLowerBoundThatIsTooSmallToReadIsNotNamed() {
    accounting.file(SECOND / 80);
    accounting.pin(PinReason.MONITOR, 2 * SECOND);
    Account account = accounting.account();
    assertTrue(account.share(Use.FILE).atLeast());
    assertTrue(account.part(Use.FILE) > Account.LITTLE);
    assertFalse(account.named().contains(Use.FILE));
    accounting.file(SECOND / 2);
    Account more = accounting.account();
    assertTrue(more.named().contains(Use.FILE));
    assertTrue(more.text(Use.FILE).startsWith("at least 2.6% "), more.text(Use.FILE));
  }

  /** One look of a thousand may be an accident; ten of them are none. */
  @Test
  void aShareBelowItsErrorIsNotNamed() {
    for (int second = 1; second <= 10; second++) {
      look(second, 50, second == 3 ? 1 : 0, 0, 0);
    }
    Account account = accounting.account();
    assertTrue(account.part(Use.NATIVE) > Account.LITTLE);
    assertTrue(account.part(Use.NATIVE) < account.error(Use.NATIVE));
    assertFalse(account.named().contains(Use.NATIVE));
  }

  /** A program of a second: its parts are uncertain, and the account is not without them. */
  @Test
  void aLargeShareBelowItsErrorIsNamed() {
    Accounting brief = new Accounting(0, SECOND / 10, OptionalInt.of(2));
    long look = 2 * SECOND / 10;
    brief.look(
        new CarrierSample(
            SECOND / 10,
            SECOND / 10,
            look,
            look * 9 / 10,
            look / 10,
            0,
            0,
            0,
            0,
            SECOND / 10,
            5,
            3 * SECOND,
            7,
            SECOND / 20,
            new CarrierSample.Saturation(0, 0, SECOND / 10, look, 0)));
    Account account = brief.account();
    assertEquals(0.1, account.part(Use.JAVA), 1e-9);
    assertTrue(account.part(Use.JAVA) < account.error(Use.JAVA));
    assertTrue(account.named().contains(Use.JAVA));
  }

  @Test
  void aSmallShareOverItsErrorIsNamed() {
    looks(50, 1, 0);
    Account account = accounting.account();
    assertEquals(0.01, account.part(Use.NATIVE), 1e-9);
    assertTrue(account.named().contains(Use.NATIVE));
  }

  @Test
  void withoutTheNumberOfCarriersThereAreNoParts() {
    Accounting unknown = new Accounting(0, SECOND, OptionalInt.empty());
    unknown.pin(PinReason.MONITOR, SECOND);
    Account account = unknown.account();
    assertEquals(0, account.capacityNanos());
    assertEquals(0, account.part(Use.PINNED));
    assertEquals(1, account.error(Use.PINNED));
    assertTrue(account.missing().contains(Missing.CAPACITY));
  }

  @Test
  void moreThanAllMeansThatCarriersWereAdded() {
    accounting.pin(PinReason.OBJECT_WAIT, 40 * SECOND);
    Account account = accounting.account();
    assertEquals(0, account.capacityNanos());
    assertTrue(account.missing().contains(Missing.CAPACITY));
  }

  @Test
  void aTimeWithoutLooksIsNotKnown() {
    for (int second = 1; second <= 4; second++) {
      look(second, 50, 0, 0, 0);
    }
    look(5, 0, 0, 0, 100);
    Account account = accounting.account();
    assertEquals(0.2, account.part(Use.JAVA), 1e-9);
    assertEquals(0.6, account.part(Use.UNKNOWN), 1e-9);
    assertTrue(account.missing().contains(Missing.LOOKS));
    assertWhole(account);
  }

  /** In a second of two carriers, so that the looks are few and what they say is not exact. */
  @ParameterizedTest
  @CsvSource({"0.93, 0.93, 0.07", "1.03, 1, 0"})
  void whatLooksAndEventsDifferInIsNotLost(double events, double pinned, double unknown) {
    Accounting brief = new Accounting(0, SECOND, OptionalInt.of(2));
    long all = 2 * SECOND;
    brief.look(
        new CarrierSample(
            SECOND,
            SECOND,
            all,
            0,
            0,
            0,
            all,
            0,
            0,
            0,
            25,
            0,
            0,
            0,
            new CarrierSample.Saturation(SECOND, 0, 0, all, 0)));
    brief.pin(PinReason.MONITOR, (long) (events * all));
    Account account = brief.account();
    assertEquals(pinned, account.part(Use.PINNED), 1e-6);
    assertEquals(unknown, account.part(Use.UNKNOWN), 1e-6);
    assertWhole(account);
  }

  @Test
  void samplesDivideWhatTheLooksSawInNativeCode() {
    looks(30, 40, 0);
    for (int i = 0; i < 300; i++) {
      accounting.sample(i % 4 == 0 ? Code.FILE : Code.NATIVE, i * PERIOD, PERIOD);
    }
    Account account = accounting.account();
    assertEquals(0.3, account.part(Use.JAVA), 1e-9);
    assertEquals(0.3, account.part(Use.NATIVE), 1e-6);
    assertEquals(0.1, account.part(Use.FILE), 1e-6);
    assertEquals(0.3, account.part(Use.IDLE), 1e-9);
    assertTrue(account.error(Use.FILE) > 0);
    assertTrue(account.missing().isEmpty());
    assertTrue(account.isIdleKnown());
    assertWhole(account);
  }

  @Test
  void withoutSamplesNobodyKnowsWhichNativeCode() {
    looks(30, 40, 0);
    Account account = accounting.account();
    assertTrue(account.share(Use.FILE).atLeast());
    assertEquals(EnumSet.of(Missing.NATIVE_SAMPLES), account.missing());
  }

  @Test
  void eventsTellFileTimeBetterThanSamples() {
    looks(30, 40, 0);
    for (int i = 0; i < 300; i++) {
      accounting.sample(i % 4 == 0 ? Code.FILE : Code.NATIVE, i * PERIOD, PERIOD);
    }
    accounting.file(2 * SECOND + SECOND / 10);
    Account account = accounting.account();
    assertEquals(2.1 / 20, account.part(Use.FILE), 1e-9);
    assertEquals(EnumSet.of(Source.EVENTS), account.share(Use.FILE).sources());
    assertWhole(account);
  }

  /** On 21 the JDK may wake another carrier before it reads, which is no native code. */
  @Test
  void fileTimeThatWasNoNativeCodeIsNotTakenFromIt() {
    looks(30, 40, 0);
    for (int i = 0; i < 3000; i++) {
      accounting.sample(i % 4 == 0 ? Code.FILE : Code.NATIVE, i * PERIOD / 10, PERIOD);
    }
    accounting.file(4 * SECOND);
    Account account = accounting.account();
    assertEquals(0.2, account.part(Use.FILE), 1e-9);
    assertEquals(0.3, account.part(Use.NATIVE), 0.01);
    assertEquals(0.2, account.part(Use.JAVA), 0.01);
    assertTrue(account.error(Use.NATIVE) >= 0.3 - account.part(Use.NATIVE));
    assertWhole(account);
  }

  @Test
  void moreFileTimeThanAllThatRanLeavesNothingBelowZero() {
    looks(10, 10, 0);
    accounting.sample(Code.FILE, 0, PERIOD);
    accounting.file(10 * SECOND);
    Account account = accounting.account();
    assertEquals(0, account.part(Use.JAVA));
    assertEquals(0, account.part(Use.NATIVE));
    assertEquals(
        1,
        account.saturation().orElseThrow().parts().values().stream().mapToDouble(d -> d).sum(),
        1e-9);
  }

  @Test
  void shortPinsAreWhatTheWatchSawBesidesTheEvents() {
    looks(30, 0, 25);
    accounting.pin(PinReason.MONITOR, 2 * SECOND);
    accounting.pin(PinReason.NATIVE_FRAME, 2 * SECOND);
    Account account = accounting.account();
    assertEquals(0.25, account.part(Use.PINNED), 1e-9);
    assertEquals(3, account.pinned().size());
    assertEquals(
        (double) SECOND,
        (double)
            account.pinned().stream()
                .filter(pin -> pin.reason() == PinReason.SHORT)
                .findFirst()
                .get()
                .nanos(),
        1e6);
    assertWhole(account);
    assertEquals(account, accounting.account());
  }

  @Test
  void eventsAreExactWhereTheLooksSawNearlyTheSame() {
    looks(30, 0, 25);
    accounting.pin(PinReason.MONITOR, 5 * SECOND - SECOND / 50);
    Account account = accounting.account();
    assertEquals(0.249, account.part(Use.PINNED), 1e-9);
    assertEquals(0, account.error(Use.PINNED));
    assertEquals(1, account.pinned().size());
    assertWhole(account);
  }

  /** Who waits in the JVM itself looks as if he ran. */
  @Test
  void pinsThatTheLooksTookForRunningAreNoRunning() {
    looks(60, 0, 0);
    accounting.pin(PinReason.CLASS, 10 * SECOND);
    Account account = accounting.account();
    assertEquals(0.5, account.part(Use.PINNED), 1e-9);
    assertEquals(0.1, account.part(Use.JAVA), 1e-9);
    assertEquals(0.4, account.part(Use.IDLE), 1e-9);
    assertWhole(account);
  }

  @Test
  void aLookAcrossTheBoundCountsWithThePartInside() {
    Accounting half = new Accounting(SECOND / 2, 10 * SECOND, OptionalInt.of(2));
    long second = SECOND;
    half.look(
        new CarrierSample(
            second,
            second,
            2 * second,
            0,
            2 * second,
            0,
            0,
            0,
            0,
            second,
            100,
            0,
            0,
            0,
            CarrierSample.Saturation.NONE));
    assertEquals(SECOND, half.account().share(Use.JAVA).nanos());
  }

  @Test
  void aCarrierThatWaitsItselfIsNotIdle() {
    accounting.look(
        new CarrierSample(
            10 * SECOND,
            10 * SECOND,
            20 * SECOND,
            2 * SECOND,
            0,
            0,
            0,
            18 * SECOND,
            0,
            0,
            1_000,
            0,
            0,
            0,
            new CarrierSample.Saturation(9 * SECOND, 0, 0, 0, 18 * SECOND)));
    Account account = accounting.account();
    assertEquals(0.9, account.part(Use.BLOCKED), 1e-9);
    assertEquals(0.1, account.part(Use.IDLE), 1e-9);
    assertEquals(1, account.saturation().orElseThrow().part(Use.BLOCKED), 1e-9);
    assertWhole(account);
  }

  @Test
  void threadsThatWaitForACarrierAreCounted() {
    looks(100, 0, 0);
    Account.CarrierQueue line = accounting.account().queue().orElseThrow();
    assertEquals(3, line.mean(), 1e-9);
    assertEquals(7, line.most());
    assertEquals(0.5, line.partOfTime(), 1e-9);
  }

  @Test
  void aRushLastsWhereSecondsAreFullOfIt() {
    looks(20, 20, 40);
    Account.Saturation rush = accounting.account().saturation().orElseThrow();
    assertEquals(5 * SECOND + 5 * SECOND / 4, rush.nanos());
    assertEquals(5 * SECOND, rush.lastingNanos());
    assertEquals(0.25, rush.part(Use.NATIVE), 1e-9);
    assertEquals(0.5, rush.part(Use.PINNED), 1e-9);
  }

  /** A second is work if the carriers were used, or threads waited for one, for a tenth of it. */
  @Test
  void theStartOfAProgramIsNoTimeWithWork() {
    for (int second = 1; second <= 7; second++) {
      accounting.look(
          new CarrierSample(
              second * SECOND,
              SECOND,
              2 * SECOND,
              2 * SECOND,
              0,
              0,
              0,
              0,
              0,
              0,
              100,
              0,
              0,
              0,
              CarrierSample.Saturation.NONE));
    }
    look(8, 50, 0, 0, 0);
    look(9, 0, 0, 0, 0);
    assertEquals(2 * SECOND, accounting.account().saturation().orElseThrow().workNanos());
  }

  @Test
  void fiveSamplesAtATimeAreAllThatJfrTakes() {
    for (int tick = 0; tick < 100; tick++) {
      for (int thread = 0; thread < 5; thread++) {
        accounting.sample(Code.JAVA, tick * PERIOD + thread, PERIOD);
      }
    }
    Account account = accounting.account();
    assertTrue(account.missing().contains(Missing.MORE_SAMPLES));
    assertTrue(account.share(Use.JAVA).atLeast());
  }

  /** As parts of the time they would be more than all of it. */
  @Test
  void noMoreTimeIsSaturatedThanThereIs() {
    for (int again = 0; again < 4; again++) {
      looks(50, 0, 0);
    }
    Account.Saturation rush = accounting.account().saturation().orElseThrow();
    assertEquals(10 * SECOND, rush.nanos());
    assertEquals(10 * SECOND, rush.lastingNanos());
  }
}
