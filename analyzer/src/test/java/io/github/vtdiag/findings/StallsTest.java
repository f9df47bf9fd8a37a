package io.github.vtdiag.findings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.PinnedStalls;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.StallLimit;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StallsTest {
  private static final String APP = "app.Orders.find";
  private static final String LATCH = "java.util.concurrent.CountDownLatch.await";
  private static final long LONG = TimeUnit.SECONDS.toNanos(31);

  private final Map<Integer, StackTrace> stacks = new HashMap<>();
  private final List<LongWait> waits = new ArrayList<>();
  private long alive = 100;
  private boolean came;
  private boolean repeated;
  private LongWait.Wakers wakers = LongWait.Wakers.OTHERS;
  private String detail = "";
  private int lock;

  private void wait(int threads, int returned, Thread.State state, long nanos, String... methods) {
    List<Frame> frames =
        Arrays.stream(methods)
            .map(
                method -> {
                  int dot = method.lastIndexOf('.');
                  ClassRef type = new ClassRef(method.substring(0, dot), "");
                  return new Frame(
                      type, method.substring(dot + 1), "", 0, -1, 1, Frame.Kind.UNKNOWN);
                })
            .toList();
    int number = stacks.size() + 1;
    stacks.put(number, new StackTrace(frames, false));
    waits.add(
        new LongWait(
            2,
            number,
            state,
            lock == 0 ? "" : "java.util.concurrent.locks.ReentrantLock$NonfairSync",
            lock,
            threads,
            returned,
            nanos,
            repeated,
            wakers,
            WaitDetail.read(detail)));
  }

  private void wait(String... methods) {
    wait(5, 0, Thread.State.WAITING, LONG, methods);
  }

  private Optional<String> gap() {
    return gap(new Pins());
  }

  private Optional<String> gap(Pins pins) {
    Optional<Gap> gap = Stalls.gap(data(pins));
    gap.ifPresent(found -> assertEquals(Gap.Kind.STALLED_AT_END, found.kind()));
    return gap.map(Gap::text);
  }

  private RecordingData data(Pins pins) {
    RecordingData data = pins.data();
    List<WaitLook> looks =
        List.of(
            new WaitLook(1, 1, 100, 100, 100, true, false),
            new WaitLook(2, 2, alive, 100, 100, true, came));
    SeenWaits seen = new SeenWaits(looks, Map.of(), waits, stacks, Set.of(), List.of());
    return new RecordingData(
        data.facts(), data.pins(), data.events(), seen, data.lockMaps(), data.samples());
  }

  @Test
  void aShutdownHookThatStoodStillIsNoStallButAnEndTooEarly() {
    String hook = "java.lang.Thread.join";
    detail = WaitDetail.of(WaitDetail.Kind.EXIT_HOOK).clause();
    wait(1, 0, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(5), hook, APP);
    assertEquals(Optional.empty(), gap());
    Gap gap = Stalls.unendedExit(data(new Pins())).orElseThrow();
    assertEquals(Gap.Kind.ENDED_EARLY, gap.kind());
    assertEquals(
        "the end of the program: 5 s after the exit began, a shutdown hook waited in"
            + " app.Orders.find (Thread.join), and nothing shows what would end that",
        gap.text());
    assertEquals(OptionalLong.of(0), Stalls.longest(List.of(data(new Pins()))));
  }

  @Test
  void otherwiseTheProgramHadEnded() {
    wait(LATCH, APP);
    assertEquals(Optional.empty(), Stalls.unendedExit(data(new Pins())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.util.concurrent.LinkedBlockingQueue.take",
        "java.util.concurrent.SynchronousQueue.poll",
        "java.util.concurrent.ThreadPoolExecutor.getTask",
        "sun.nio.ch.NioSocketImpl.accept",
        "sun.nio.ch.NioSocketImpl.read",
        "java.lang.Thread.sleep"
      })
  void whoHasNothingToDoDoesNotStall(String method) {
    wait(method, APP);
    assertEquals(Optional.empty(), gap());
  }

  /**
   * A lock whose owner has failed stands still at once; a queue may be fed again, and where others
   * went on without a failure, these may, too.
   */
  @ParameterizedTest
  @CsvSource({
    "locks.AbstractQueuedSynchronizer.acquire, OTHERS, 25, false",
    "locks.AbstractQueuedSynchronizer.acquire, ENDED, 25, false",
    "locks.AbstractQueuedSynchronizer.acquire, FAILED, 4, false",
    "locks.AbstractQueuedSynchronizer.acquire, FAILED_SOON, 14, false",
    "LinkedBlockingQueue.take, FAILED, 25, false",
    "locks.AbstractQueuedSynchronizer$ConditionObject.await, FAILED, 25, false",
    "locks.LockSupport.park, OTHERS, 25, false",
    "locks.AbstractQueuedSynchronizer.acquire, FAILED, 6, true",
    "locks.AbstractQueuedSynchronizer.acquire, FAILED_SOON, 25, true",
    "locks.LockSupport.park, FAILED, 6, true"
  })
  void whereWhoHadToEndTheWaitHasFailedAShorterOneIsLong(
      String method, LongWait.Wakers who, int seconds, boolean stalls) {
    wakers = who;
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    wait(5, 5, Thread.State.WAITING, nanos, "java.util.concurrent." + method, APP);
    assertEquals(stalls, gap().isPresent());
  }

  @Test
  void waitsThatAreNotLongDoNot() {
    wait(5, 0, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(9), LATCH, APP);
    assertEquals(Optional.empty(), gap());
  }

  @Test
  void aTimeoutMakesNoAnswerAndNoWorkersSignalAStall() {
    for (String method :
        List.of(
            "jdk.internal.net.http.HttpClientImpl.send",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitNanos",
            "java.util.concurrent.locks.LockSupport.parkNanos")) {
      wait(5, 0, Thread.State.TIMED_WAITING, LONG, method, APP);
      assertEquals(Optional.empty(), gap(), method);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.CompletableFuture.get, false",
    "java.util.concurrent.CountDownLatch.await, false",
    "java.util.concurrent.Semaphore.tryAcquire, true"
  })
  void whatHasALongTimeoutIsToldAtTheEnd(String method, boolean atOnce) {
    wait(5, 0, Thread.State.TIMED_WAITING, LONG, method, APP);
    assertTrue(gap().orElseThrow().contains("app.Orders.find, with a timeout)"), gap().toString());
    assertEquals(
        atOnce,
        Stall.find(waits, stacks, alive, StallLimit.RUNNING).getFirst().isToldAtOnce(),
        method);
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
    "java.lang.Object.wait",
    "java.util.concurrent.locks.LockSupport.park"
  })
  void workersThatCameBackHaveNothingToDo(String method) {
    wait(5, 5, Thread.State.WAITING, LONG, method, APP);
    assertEquals(Optional.empty(), gap());
    wait(5, 0, Thread.State.WAITING, LONG, method, APP);
    assertTrue(gap().orElseThrow().contains("app.Orders.find"), gap().orElseThrow());
  }

  @Test
  void whoCameBackToAFutureOfALibraryHasSomethingToDo() {
    wait(
        5,
        5,
        Thread.State.WAITING,
        LONG,
        "java.util.concurrent.locks.LockSupport.park",
        "com.hazelcast.spi.impl.AbstractInvocationFuture.manageParking",
        APP);
    assertTrue(
        gap().orElseThrow().contains("(AbstractInvocationFuture, app.Orders.find)"),
        gap().orElseThrow());
    assertFalse(toldAtOnce());
  }

  @ParameterizedTest
  @EnumSource
  void aQueueIsDesertedWhereNobodyIsLeftWhoPutAnythingIn(LongWait.Wakers who) {
    wakers = who;
    wait(5, 5, Thread.State.WAITING, LONG, "java.util.concurrent.LinkedBlockingQueue.take", APP);
    String why =
        switch (who) {
          case FAILED, FAILED_SOON -> ", woken before by threads that have failed";
          case ANSWERED -> ", answered before by threads that have ended";
          case EACH_OTHER -> ", which wait for each other";
          case MORE_CAME -> ", more and more of them";
          // Who has put all in that there was, and has ended, leaves idle workers behind.
          case NOT_KNOWN, NONE, OTHERS, SELDOM, ENDED -> "";
        };
    assertEquals(!why.isEmpty(), gap().isPresent(), gap().toString());
    gap()
        .ifPresent(
            gap -> assertTrue(gap.contains("(LinkedBlockingQueue, app.Orders.find" + why), gap));
  }

  @Test
  void takersOfADelayQueueAreStalledIfItsFeederHasFailed() {
    wakers = LongWait.Wakers.FAILED;
    wait(5, 5, Thread.State.WAITING, LONG, "java.util.concurrent.DelayQueue.take", APP);
    assertTrue(gap().orElseThrow().contains("(DelayQueue, app.Orders.find"));
  }

  @ParameterizedTest
  @EnumSource
  void workersAtAConditionAreIdleUnlessAllWhoSignalledHaveEnded(LongWait.Wakers who) {
    wakers = who;
    wait(
        5,
        5,
        Thread.State.WAITING,
        LONG,
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
        APP);
    boolean nobodyIsLeft =
        switch (who) {
          case ENDED, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> true;
          case NOT_KNOWN, NONE, OTHERS, SELDOM, MORE_CAME -> false;
        };
    assertEquals(nobodyIsLeft, gap().isPresent(), gap().toString());
  }

  /** A lock that the application makes of parks looks like that, too. */
  @ParameterizedTest
  @EnumSource
  void workersThatParkAreIdleUnlessAllWhoWokeThemHaveEnded(LongWait.Wakers who) {
    wakers = who;
    wait(5, 5, Thread.State.WAITING, LONG, "java.util.concurrent.locks.LockSupport.park", APP);
    boolean nobodyIsLeft =
        switch (who) {
          case ENDED, FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> true;
          case NOT_KNOWN, NONE, OTHERS, SELDOM, MORE_CAME -> false;
        };
    assertEquals(nobodyIsLeft, gap().isPresent(), gap().toString());
    // A park says nothing of what the others meant by it.
    assertFalse(toldAtOnce());
  }

  @ParameterizedTest
  @EnumSource
  void whoPollsHasNothingToDoUnlessTheProducerFailed(LongWait.Wakers who) {
    wakers = who;
    repeated = true;
    wait(
        5,
        5,
        Thread.State.TIMED_WAITING,
        LONG,
        "java.util.concurrent.LinkedBlockingQueue.poll",
        "app.Pool.borrow");
    boolean stalls =
        switch (who) {
          case FAILED, FAILED_SOON, ANSWERED, EACH_OTHER -> true;
          case NOT_KNOWN, NONE, OTHERS, SELDOM, ENDED, MORE_CAME -> false;
        };
    assertEquals(stalls, gap().isPresent(), gap().toString());
  }

  private static final String NEVER =
      ", nobody is known to serve them, and no other virtual thread goes on";

  /** Five of a hundred were never served; the others may be about to serve them. */
  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.LinkedBlockingQueue.take, WAITING, false",
    "java.util.concurrent.LinkedBlockingQueue.poll, TIMED_WAITING, true",
    "java.util.concurrent.CountDownLatch.await, TIMED_WAITING, true",
    "sun.nio.ch.NioSocketImpl.read, WAITING, false"
  })
  void whoWasNeverServedIsUnknownOnlyWhereNothingElseGoesOn(
      String method, Thread.State state, boolean again) {
    wakers = LongWait.Wakers.NONE;
    repeated = again;
    wait(5, again ? 5 : 0, state, LONG, method, APP);
    assertEquals(Optional.empty(), gap());
    alive = 5;
    assertTrue(gap().orElseThrow().contains(NEVER), gap().toString());
    assertFalse(
        Stall.find(waits, stacks, alive, StallLimit.RUNNING).getFirst().isToldAtOnce(), method);
  }

  /** Those of requests end before a sample sees them. */
  @Test
  void whereThreadsComeAndGoSomethingElseGoesOn() {
    wakers = LongWait.Wakers.NONE;
    wait(5, 0, Thread.State.WAITING, LONG, "java.util.concurrent.LinkedBlockingQueue.take", APP);
    alive = 5;
    assertTrue(gap().isPresent());
    came = true;
    assertEquals(Optional.empty(), gap());
  }

  /** Who gives up wakes the next one, which is none of those that count the latch down. */
  @Test
  void whoWakesTheOthersByGivingUpDoesNotServeThem() {
    wakers = LongWait.Wakers.EACH_OTHER;
    repeated = true;
    wait(3, 3, Thread.State.TIMED_WAITING, LONG, LATCH, APP);
    assertEquals(Optional.empty(), gap());
    alive = 3;
    assertTrue(gap().orElseThrow().contains(NEVER), gap().toString());
  }

  /** The code shows a pool; a thread that lives gave its objects before. */
  @ParameterizedTest
  @CsvSource({
    "POOLED, WAITING, true",
    "POOLED, TIMED_WAITING, true",
    "PARTLY_POOLED, WAITING, false",
    "PARTLY_POOLED, TIMED_WAITING, false"
  })
  void whoTakesFromAPoolMadeOfAQueueStalls(
      WaitDetail.Kind kind, Thread.State state, boolean atOnce) {
    wakers = LongWait.Wakers.OTHERS;
    detail = WaitDetail.of(kind).clause();
    repeated = state == Thread.State.TIMED_WAITING;
    wait(5, 5, state, LONG, "java.util.concurrent.LinkedBlockingQueue.poll", APP);
    assertTrue(gap().orElseThrow().contains(detail), gap().toString());
    assertEquals(atOnce, toldAtOnce());
  }

  /** A pool made of a queue, whose few objects were lost after a few uses. */
  @Test
  void whoOnlyServedEachOtherAFewTimesIsUnknownWhereNothingElseGoesOn() {
    wakers = LongWait.Wakers.SELDOM;
    wait(5, 5, Thread.State.WAITING, LONG, "java.util.concurrent.ArrayBlockingQueue.take", APP);
    assertEquals(Optional.empty(), gap());
    alive = 5;
    String words = gap().orElseThrow();
    assertTrue(words.contains(", only they are known to have served each other, and no"), words);
  }

  @Test
  void whoNotifiedInAMonitorIsNotKnown() {
    wakers = LongWait.Wakers.NOT_KNOWN;
    wait(5, 5, Thread.State.WAITING, LONG, "java.lang.Object.wait", APP);
    assertEquals(Optional.empty(), gap());
    alive = 5;
    assertTrue(gap().orElseThrow().contains(NEVER), gap().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sun.nio.ch.NioSocketImpl.accept",
        "java.lang.Thread.sleep",
        "java.util.concurrent.DelayQueue.take",
        "java.util.concurrent.ThreadPoolExecutor.getTask",
        "java.io.FileInputStream.read",
        "sun.nio.ch.SelectorImpl.select"
      })
  void whoWaitsForSomethingFromOutsideMayServeThem(String method) {
    wakers = LongWait.Wakers.NONE;
    wait("java.util.concurrent.LinkedBlockingQueue.take", APP);
    wait(1, 0, Thread.State.WAITING, LONG, method, APP);
    alive = 6;
    assertEquals(Optional.empty(), gap());
  }

  @Test
  void whoAsksAgainAndAgainWhetherAProcessHasEndedIsIdle() {
    wakers = LongWait.Wakers.NONE;
    repeated = true;
    alive = 1;
    wait(1, 1, Thread.State.TIMED_WAITING, LONG, "java.lang.ProcessImpl.waitFor", APP);
    assertEquals(Optional.empty(), gap());
  }

  @Test
  void whoWasServedByOneThatLivesMayServeTheOthers() {
    wakers = LongWait.Wakers.NONE;
    wait("java.util.concurrent.LinkedBlockingQueue.take", APP);
    wakers = LongWait.Wakers.OTHERS;
    wait("java.util.concurrent.LinkedTransferQueue.take", APP);
    alive = 10;
    assertEquals(Optional.empty(), gap());
  }

  /** These wait for each other's first message, and one joins them. */
  @Test
  void whoJoinsThemGoesOnNoMore() {
    wakers = LongWait.Wakers.NONE;
    wait("java.util.concurrent.LinkedBlockingQueue.take", APP);
    wait(1, 0, Thread.State.WAITING, LONG, "java.lang.Thread.join", APP);
    alive = 6;
    assertTrue(gap().orElseThrow().contains(NEVER), gap().toString());
  }

  @Test
  void whoGetsAFutureAgainAndAgainIsNotIdle() {
    repeated = true;
    wait(5, 5, Thread.State.TIMED_WAITING, LONG, "java.util.concurrent.CompletableFuture.get", APP);
    assertTrue(gap().orElseThrow().contains(", again and again until a timeout"), gap().toString());
    assertFalse(Stall.find(waits, stacks, alive, StallLimit.RUNNING).getFirst().isToldAtOnce());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.util.concurrent.Exchanger.exchange",
        "java.util.concurrent.CyclicBarrier.await",
        "java.util.concurrent.Phaser.awaitAdvanceInterruptibly"
      })
  void whoWaitsForPartnersAgainAndAgainIsNotIdle(String method) {
    repeated = true;
    wait(1, 0, Thread.State.TIMED_WAITING, LONG, method, APP);
    assertTrue(gap().isPresent());
    assertFalse(toldAtOnce());
  }

  /** Each time that it times out, it may do something, such as what it does once a second. */
  @Test
  void whoAwaitsALatchAgainAndAgainMayWorkInBetween() {
    repeated = true;
    wait(5, 5, Thread.State.TIMED_WAITING, LONG, LATCH, APP);
    assertEquals(Optional.empty(), gap());
    detail = "until CountDownLatch.await() succeeds";
    wait(5, 5, Thread.State.TIMED_WAITING, LONG, LATCH, APP);
    assertTrue(gap().orElseThrow().contains(detail), gap().toString());
  }

  @Test
  void whoTakesFromAQueueToGiveBackIsNoWorker() {
    wait("java.util.concurrent.LinkedBlockingQueue.take", "app.Pool.borrowClient");
    assertTrue(gap().orElseThrow().contains("app.Pool.borrowClient"), gap().toString());
  }

  @Test
  void requestsThatAllTimeOutAreToldAtOnce() {
    repeated = true;
    wait(5, 5, Thread.State.TIMED_WAITING, LONG, "java.util.concurrent.Semaphore.tryAcquire", APP);
    assertTrue(gap().orElseThrow().contains(", again and again until a timeout"), gap().toString());
    assertTrue(Stall.find(waits, stacks, alive, StallLimit.RUNNING).getFirst().isToldAtOnce());
  }

  /** Where one thread failed at once, the next one may put in more, as those of requests do. */
  @ParameterizedTest
  @EnumSource
  void onlyWhoseProducersHaveFailedAreToldAtOnce(LongWait.Wakers who) {
    wakers = who;
    repeated = true;
    wait(
        5,
        5,
        Thread.State.TIMED_WAITING,
        LONG,
        "java.util.concurrent.LinkedBlockingQueue.poll",
        APP);
    boolean told =
        switch (who) {
          case FAILED -> true;
          case NOT_KNOWN, NONE, OTHERS, SELDOM, ENDED -> false;
          case FAILED_SOON, ANSWERED, EACH_OTHER, MORE_CAME -> false;
        };
    assertEquals(told, toldAtOnce());
  }

  /** An executor closes itself with a timeout of a day. */
  @ParameterizedTest
  @CsvSource({
    "LinkedBlockingQueue.offer, true, OTHERS, true",
    "LinkedBlockingQueue.offer, false, OTHERS, false",
    "SynchronousQueue.offer, true, OTHERS, false",
    "ExecutorService.close, false, EACH_OTHER, false",
    "ExecutorService.close, false, OTHERS, false",
    "CompletableFuture.get, true, EACH_OTHER, false"
  })
  void ofTimeoutsOnlyThoseForRoomInAQueueAreToldAtOnce(
      String method, boolean again, LongWait.Wakers who, boolean told) {
    wakers = who;
    repeated = again;
    wait(5, 5, Thread.State.TIMED_WAITING, LONG, "java.util.concurrent." + method, APP);
    assertEquals(told, toldAtOnce());
  }

  private boolean toldAtOnce() {
    return Stall.find(waits, stacks, alive, StallLimit.RUNNING).stream()
        .anyMatch(Stall::isToldAtOnce);
  }

  @ParameterizedTest
  @CsvSource({"NONE, true", "OTHERS, false", "NOT_KNOWN, false"})
  void aPipeIsOpenToAWriterThatHasEverWritten(LongWait.Wakers who, boolean stalls) {
    wakers = who;
    repeated = true;
    wait(
        1,
        1,
        Thread.State.TIMED_WAITING,
        LONG,
        "java.lang.Object.wait",
        "java.io.PipedInputStream.read",
        APP);
    assertEquals(stalls, gap().isPresent());
  }

  @ParameterizedTest
  @CsvSource({"'', false", "'from port 80 of this JVM, where nobody answers', true"})
  void whoReadsWhatThisJvmItselfShouldSendIsNotIdle(String which, boolean stalls) {
    detail = which;
    wait("sun.nio.ch.NioSocketImpl.read", APP);
    assertEquals(stalls, gap().isPresent());
    assertFalse(stalls && Stall.all(waits, stacks, alive).getFirst().isToldAtOnce());
  }

  /** Who comes back to a plain park may be a worker; this one comes back with each request. */
  @ParameterizedTest
  @CsvSource({
    "0, WAITING, true",
    "5, WAITING, true",
    // It may do nothing but delay itself.
    "0, TIMED_WAITING, false"
  })
  void aCoroutineThatNobodyResumesIsNoWorker(int returned, Thread.State state, boolean stalls) {
    String park = "java.util.concurrent.locks.LockSupport.parkNanos";
    wait(5, returned, state, LONG, park, "kotlinx.coroutines.BlockingCoroutine.joinBlocking", APP);
    assertEquals(stalls, gap().isPresent());
    assertTrue(gap().orElse("runBlocking").contains("runBlocking"), gap().toString());
  }

  @Test
  void aLoopThatOnlyWaitsIsToldWithWhatItReads() {
    detail = "until app.Orders.done changes";
    wait(2, 0, Thread.State.RUNNABLE, LONG, "java.lang.Thread.yield", APP);
    assertTrue(
        gap().orElseThrow().contains("(Thread.yield, app.Orders.find, until app.Orders.done"),
        gap().toString());
    assertTrue(Stall.find(waits, stacks, alive, StallLimit.RUNNING).getFirst().isToldAtOnce());
  }

  private static StackTrace stack(String... methods) {
    return new StackTrace(
        Arrays.stream(methods)
            .map(
                method -> {
                  int dot = method.lastIndexOf('.');
                  ClassRef type = new ClassRef(method.substring(0, dot), "");
                  return new Frame(
                      type, method.substring(dot + 1), "", 0, -1, 1, Frame.Kind.UNKNOWN);
                })
            .toList(),
        false);
  }

  private static final StackTrace WAITS =
      stack("java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Object.wait", APP);

  private static final PinCause CAUSE = new PinCause.Unexplained("");

  private static Pins unended(PinEpisode.Kind kind, StackTrace stack) {
    return new Pins().unended(kind, 7, 31_000, stack, CAUSE);
  }

  private static Pins unended(Pins pins, int millis, StackTrace stack) {
    return pins.unended(7, millis, stack, CAUSE);
  }

  /** On Java 21 they keep their carriers, and the agent does not follow them. */
  @Test
  void whoWaitsOnItsCarrierToTheEndStandsStillToo() {
    assertTrue(
        gap(unended(new Pins(), 31_000, WAITS).unended(8, 31_000, WAITS, CAUSE))
            .orElseThrow()
            .contains("2 virtual threads (Object.wait, app.Orders.find)"));
  }

  @Test
  void whoWaitsOnItsCarrierForWorkDoesNot() {
    assertEquals(Optional.empty(), gap(unended(new Pins(), 9_000, WAITS)));
    Pins worked = new Pins().pin(7, 100, WAITS, CAUSE);
    assertEquals(Optional.empty(), gap(unended(worked, 31_000, WAITS)));
    StackTrace timed = stack("java.lang.Object.wait0", "java.lang.Object.wait", APP);
    assertEquals(Optional.empty(), gap(unended(new Pins(), 31_000, timed)));
    StackTrace queue = stack("java.util.concurrent.DelayQueue.take", APP);
    assertEquals(Optional.empty(), gap(unended(new Pins(), 31_000, queue)));
    Pins hang = new Pins().hang("LOCK_CYCLE", List.of(), "x");
    assertEquals(Optional.empty(), gap(unended(hang, 31_000, WAITS)));
  }

  /** Before JDK 25 the JDK itself gives each wait for a datagram a timeout. */
  @Test
  void whoWaitsForADatagramThatItHasAskedForStandsStill() {
    wait(3, 0, Thread.State.TIMED_WAITING, LONG, "sun.nio.ch.DatagramChannelImpl.receive", APP);
    assertEquals(Optional.empty(), gap());
    detail = "not in a loop";
    wait(3, 0, Thread.State.TIMED_WAITING, LONG, "sun.nio.ch.DatagramChannelImpl.receive", APP);
    assertTrue(gap().orElseThrow().contains("datagram socket"));
  }

  private static final StackTrace PIPE =
      stack("java.lang.Object.wait0", "java.lang.Object.wait", "java.io.PipedInputStream.read");

  @Test
  void whoKeepsItsCarrierIsToldAtOnceIfItWaitsForWhatOthersGiveBack() {
    assertEquals(1, scarce("java.util.concurrent.Semaphore.acquire"));
    assertEquals(0, scarce("java.util.concurrent.CompletableFuture.join"));
    assertEquals(0, scarce("java.util.concurrent.CountDownLatch.await"));
  }

  private static int scarce(String method) {
    RecordingData data = unended(PinEpisode.Kind.PINNED, stack(method, APP)).data();
    return PinnedStalls.scarce(List.of(data.pins().episode(0))).and(List.of()).size();
  }

  /** A pin each second that lasts so long; of the one with that number less. */
  private static Pins eachSecond(StackTrace stack, int count, int millis, int other) {
    Pins pins = new Pins();
    for (int i = 0; i < count; i++) {
      pins.pin(7, i == other ? millis / 2 : millis, stack, CAUSE);
    }
    return pins;
  }

  @Test
  void whoTimesOutOnItsCarrierAgainAndAgainToTheEndStandsStill() {
    assertTrue(
        gap(eachSecond(PIPE, 61, 990, -1))
            .orElseThrow()
            .contains("(pipe, java.io.PipedInputStream.read, again and again until a timeout)"));
    // The last time-out is not over, and is no wait of its own.
    String last = gap(eachSecond(PIPE, 61, 990, -1).unended(7, 900, PIPE, CAUSE)).orElseThrow();
    assertTrue(last.contains("1 virtual thread (pipe, java.io.PipedInputStream.read, again"), last);
    StackTrace loop = stack("java.lang.Object.wait0", "java.lang.Object.wait", APP);
    assertEquals(Optional.empty(), gap(eachSecond(loop, 61, 990, -1)));
  }

  @Test
  void whoIsNotifiedOrDoesSomethingInBetweenDoesNot() {
    assertEquals(Optional.empty(), gap(eachSecond(PIPE, 61, 990, 55)));
    assertEquals(Optional.empty(), gap(eachSecond(PIPE, 61, 800, -1)));
    assertEquals(Optional.empty(), gap(eachSecond(PIPE, 40, 990, -1)));
    // It was served once, so that somebody may do so again.
    assertEquals(Optional.empty(), gap(eachSecond(PIPE, 61, 990, 5)));
    Pins elsewhere = eachSecond(PIPE, 60, 990, -1).pin(7, 1000, stack(APP), CAUSE);
    assertEquals(Optional.empty(), gap(elsewhere));
  }

  @Test
  void whoIsInNativeCodeToTheEndStandsStillUnlessItIsTheJdksAndReadsInput() {
    StackTrace call = stack(APP);
    Pins pins = unended(PinEpisode.Kind.NATIVE, call);
    assertTrue(gap(pins).orElseThrow().contains("(native code, app.Orders.find)"));
    StackTrace input =
        stack("java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", APP);
    assertEquals(Optional.empty(), gap(unended(PinEpisode.Kind.NATIVE, input)));
  }

  @Test
  void theJdksOwnThreadsPark() {
    wait("java.util.concurrent.locks.LockSupport.park", "sun.nio.ch.Poller.pollerLoop");
    assertEquals(Optional.empty(), gap());
  }

  /** The recording is shorter than two minutes, and a long poll takes as long each time. */
  @Test
  void whoHasGoneOnFromThereBeforeMayWaitForThirtySeconds() {
    wait(5, 5, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(25), LATCH, APP);
    assertEquals(Optional.empty(), gap());
    wait(5, 5, Thread.State.WAITING, LONG, LATCH, APP);
    assertTrue(gap().isPresent());
  }

  @Test
  void whoJoinsOthersWaitsForThese() {
    wait("java.lang.Thread.join", APP);
    assertTrue(gap().orElseThrow().contains("Thread.join"), gap().orElseThrow());
    wait("java.util.concurrent.LinkedBlockingQueue.take", APP);
    assertEquals(Optional.empty(), gap());
    wait(LATCH, APP);
    assertTrue(!gap().orElseThrow().contains("Thread.join"), gap().orElseThrow());
  }

  @Test
  void whoJoinAPlatformThreadOrEachOtherWaitForNoneThatIsIdle() {
    wait("java.util.concurrent.LinkedBlockingQueue.take", APP);
    wait("java.lang.Object.wait", "java.lang.Thread.join", APP);
    assertTrue(gap().orElseThrow().contains("Thread.join"), gap().orElseThrow());
    assertFalse(Stall.all(waits, stacks, alive).getFirst().isToldAtOnce());
    waits.removeLast();
    assertEquals(Optional.empty(), gap());
    wakers = LongWait.Wakers.EACH_OTHER;
    wait("java.lang.Thread.join", APP);
    assertTrue(gap().orElseThrow().contains("which wait for each other"), gap().orElseThrow());
    assertTrue(Stall.all(waits, stacks, alive).getFirst().isToldAtOnce());
  }

  @Test
  void aThreadThatJoinsItselfMayBeMeantToLastAsLongAsTheProgram() {
    wakers = LongWait.Wakers.EACH_OTHER;
    detail = "for its own end";
    wait("java.lang.Thread.join", APP);
    assertTrue(
        gap()
            .orElseThrow()
            .contains("(Thread.join, app.Orders.find, for its own end), the longest"),
        gap().orElseThrow());
    assertFalse(Stall.all(waits, stacks, alive).getFirst().isToldAtOnce());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.util.concurrent.LinkedBlockingQueue.take",
        "sun.nio.ch.NioSocketImpl.read",
        "sun.nio.ch.DatagramChannelImpl.receive"
      })
  void whoDoesNotComeBackIsNoWorker(String method) {
    wait(method, APP);
    assertEquals(Optional.empty(), gap());
    detail = "not in a loop";
    wait(method, APP);
    assertTrue(gap().orElseThrow().contains(", not in a loop)"), gap().orElseThrow());
  }

  /** That it works does not say that it ends. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "which may end when a thread goes on in app.Batch.run",
        "which may end when a scheduled task runs, in 9 min"
      })
  void whatMayEndLaterIsUnknownAtTheEndOnly(String clause) {
    wait(LATCH, APP);
    assertTrue(Stall.all(waits, stacks, alive).getFirst().isToldAtOnce());
    waits.clear();
    detail = clause;
    wait(LATCH, APP);
    assertFalse(Stall.all(waits, stacks, alive).getFirst().isToldAtOnce());
    assertTrue(gap().orElseThrow().contains(clause), gap().orElseThrow());
  }

  /** Where a deadlock is proven, it is known that nothing ends these waits. */
  @Test
  void whatHangsIsNotUnknown() {
    wait("java.util.concurrent.locks.ReentrantLock.lock", APP);
    assertTrue(gap().isPresent());
    List<HangPlace> places = List.of(new HangPlace(APP, "", "", ""));
    assertEquals(Optional.empty(), gap(new Pins().hang("LockCycle", places, "deadlock")));
  }

  @Test
  void placesAreNamedThoseOfMostThreadsFirst() {
    wait(1, 0, Thread.State.WAITING, LONG, LATCH, APP);
    wait(90, 0, Thread.State.WAITING, LONG, "java.util.concurrent.Semaphore.acquire", APP);
    wait(2, 0, Thread.State.WAITING, 2 * LONG, LATCH, APP);
    assertEquals(
        "what would end the waits of 90 virtual threads (Semaphore, app.Orders.find), 3 virtual"
            + " threads (CountDownLatch, app.Orders.find), the longest of which had lasted 62 s"
            + " at the end",
        gap().orElseThrow());
  }

  /** A method of a library says nothing about the program; its caller does. */
  @Test
  void whatWaitsInALibraryIsNamedByTheCodeThatCalledIt() {
    String block = "reactor.core.publisher.Mono.block";
    wait("reactor.core.publisher.BlockingSingleSubscriber.blockingGet", block, APP, "app.Main.run");
    assertTrue(gap().orElseThrow().contains("(Reactor, app.Orders.find)"), gap().orElseThrow());
    Stall named = Stall.all(waits, stacks, alive).getFirst();
    assertTrue(named.isToldAtOnce());
    waits.clear();
    // A program that is such a library itself has no other frames.
    wait(LATCH, "org.apache.kafka.Broker.await", "org.apache.kafka.Main.run");
    assertTrue(gap().orElseThrow().contains("org.apache.kafka.Broker.await"), gap().orElseThrow());
  }

  @Test
  void whatIsLongDependsOnTheLengthOfTheRecording() {
    assertEquals(seconds(3, 3), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(3), LongStream.of()));
    assertEquals(seconds(4, 6), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(8), LongStream.of()));
    assertEquals(seconds(6, 9), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(12), LongStream.of()));
    assertEquals(seconds(10, 18), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(24), LongStream.of()));
    assertEquals(seconds(15, 30), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(60), LongStream.of()));
    assertEquals(seconds(15, 30), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(60), LongStream.of(1)));
    assertEquals(seconds(6, 9), StallLimit.atEnd(TimeUnit.SECONDS.toNanos(12), LongStream.of()));
    LongStream late = LongStream.of(TimeUnit.SECONDS.toNanos(7), TimeUnit.SECONDS.toNanos(15));
    assertEquals(4, TimeUnit.NANOSECONDS.toSeconds(StallLimit.atEnd(LONG / 2, late).nanos()));
    assertEquals(seconds(30, 30), StallLimit.atEnd(TimeUnit.HOURS.toNanos(1), LongStream.of()));
  }

  @Test
  void aShortRecordingIsSaidToBeTooShort() {
    String tooShort = "too short to tell whether they stand still, record 30 s or more";
    wait(1, 0, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(7), LATCH, APP);
    assertEquals(List.of(), atEnd(24));
    assertTrue(Stall.unknownEnd(atEnd(12)).endsWith(tooShort), Stall.unknownEnd(atEnd(12)));
    wait(1, 0, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(11), LATCH, APP);
    assertFalse(Stall.unknownEnd(atEnd(12)).contains("too short"), Stall.unknownEnd(atEnd(12)));
  }

  @Test
  void threadsThatWentOnBeforeHaveToStandStillForMostOfAShortRecording() {
    wait(1, 1, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(8), LATCH, APP);
    assertEquals(List.of(), atEnd(12));
    wait(1, 1, Thread.State.WAITING, TimeUnit.SECONDS.toNanos(10), LATCH, APP);
    assertEquals(1, atEnd(12).size());
    assertEquals(List.of(), atEnd(62));
  }

  private List<Stall> atEnd(long seconds) {
    return Stall.find(
        waits, stacks, alive, StallLimit.atEnd(TimeUnit.SECONDS.toNanos(seconds), LongStream.of()));
  }

  private static StallLimit seconds(long usual, long returned) {
    return new StallLimit(TimeUnit.SECONDS.toNanos(usual), TimeUnit.SECONDS.toNanos(returned));
  }

  /** Threads behind the lock of a deadlock are explained by it, those of another lock are not. */
  @ParameterizedTest
  @CsvSource({
    "LockCycle, 4b1c4f8, true",
    "LockCycle, 4b1c4f, false",
    "LockCycle, b1c4f8, false",
    "LockCycle, 7, false",
    "Starvation, 4b1c4f8, false"
  })
  void aDeadlockExplainsTheThreadsBehindItsLocks(String kind, String waitedFor, boolean explained) {
    lock = Integer.parseInt(waitedFor, 16);
    wait("java.util.concurrent.locks.ReentrantLock.lock", APP);
    HangPlace place = new HangPlace("app.Other.find", "", "ReentrantLock$NonfairSync", "");
    String held = "java.util.concurrent.locks.ReentrantLock$NonfairSync@4b1c4f8";
    assertEquals(
        explained, gap(new Pins().hang(kind, List.of(place), Set.of(held), "deadlock")).isEmpty());
    assertTrue(gap().isPresent());
  }

  @ParameterizedTest
  @CsvSource({
    "LockCycle, app.Orders.find, true",
    "LockCycle, app.Else.find, false",
    "Starvation, app.Orders.find, false"
  })
  void aDeadlockInsideALibraryExplainsTheThreadsThatCalledIt(
      String kind, String caller, boolean explained) {
    wait("java.util.concurrent.locks.ReentrantLock.lock", APP);
    HangPlace place = new HangPlace("lib.Pool.take", caller, "ReentrantLock$NonfairSync", "");
    assertEquals(explained, gap(new Pins().hang(kind, List.of(place), "deadlock")).isEmpty());
  }

  /**
   * On Java 25 it is not known as an object for which monitor a thread waits. The class in which it
   * is entered may be that of a monitor in the deadlock, or hold one.
   */
  @ParameterizedTest
  @CsvSource({
    "LockCycle, java.util.Hashtable.get, true",
    "LockCycle, app.Ledger.balance, true",
    "LockCycle, java.util.Vector.get, false",
    "LockCycle, app.Led.balance, false",
    "Starved, java.util.Hashtable.get, false"
  })
  void aDeadlockExplainsTheThreadsAtMonitorsOfItsClasses(
      String kind, String entered, boolean explained) {
    wait(5, 0, Thread.State.BLOCKED, LONG, entered, APP);
    HangPlace place = new HangPlace("app.Else.one", "", "java.util.Hashtable", "app.Ledger.close");
    assertEquals(explained, gap(new Pins().hang(kind, List.of(place), "deadlock")).isEmpty());
    assertTrue(gap().isPresent());
  }

  @Test
  void aDeadlockDoesNotExplainOtherWaitsInItsClasses() {
    wait("java.util.concurrent.CountDownLatch.await", "app.Ledger.balance", "app.Main.run");
    HangPlace place = new HangPlace("app.Else.one", "", "", "app.Ledger.close");
    assertTrue(gap(new Pins().hang("LockCycle", List.of(place), "deadlock")).isPresent());
  }
}
