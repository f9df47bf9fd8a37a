package io.github.vtdiag.findings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.Accounting;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.EventRows;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.SeenWaits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no misuse is not called one; then, what is. */
class MisuseTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int STACK = 1;
  private static final String SEMAPHORE = "java.util.concurrent.Semaphore$NonfairSync";

  private final Places places =
      new Places(type -> type.isJdk() ? new Owner.Jdk() : new Owner.Application("app"));

  private static Frame frame(String method) {
    int dot = method.lastIndexOf('.');
    return new Frame(
        new ClassRef(method.substring(0, dot), "app"),
        method.substring(dot + 1),
        "()V",
        0,
        1,
        1,
        Frame.Kind.COMPILED);
  }

  private static StackTrace stack(String... methods) {
    return new StackTrace(List.of(methods).stream().map(MisuseTest::frame).toList(), false);
  }

  /** A few long calls are pins; the many short ones hold the carriers as well. */
  @ParameterizedTest
  @CsvSource({"400, 13000, false", "7000, 13000, true", "13000, 13000, true"})
  void theShortCallsCountIfPinsShowOnlyTheLong(long pinned, long sampled, boolean mostly) {
    Frame put =
        new Frame(new ClassRef("org.db.Store", "app"), "put", "()V", 0, -1, -1, Frame.Kind.NATIVE);
    NativeFrame call =
        new NativeFrame(0, put, NativeFrame.Kind.JNI, Optional.empty(), Optional.empty());
    StackTrace stack = new StackTrace(List.of(put, frame("app.Server.serve")), false);
    List<Finding.Pin> pins = new Pins().pin(1, pinned, stack, call).findings().pins();
    Finding.Misuse misuse =
        new FindingBuilder(MisuseKind.NATIVE_CALL, Optional.of(put))
            .at(Optional.of(frame("app.Server.serve")), places)
            .carrierNanos((double) TimeUnit.MILLISECONDS.toNanos(sampled))
            .seen(600, "jdk.NativeMethodSample")
            .finding();
    assertEquals(mostly, BlockingUse.isMostlyIn(pins, misuse));
    assertFalse(BlockingUse.isMostlyIn(List.of(), misuse));
  }

  /** One look a second at so many threads, of which half wait for the same lock. */
  private static SeenWaits waits(String lockClass, int locks, long... alive) {
    List<WaitLook> looks = new ArrayList<>();
    Map<Long, List<WaitCrowd>> crowds = new HashMap<>();
    for (int i = 0; i < alive.length; i++) {
      looks.add(new WaitLook(i * SECOND, i, alive[i], 250, 200, true, false));
      crowds.put(
          (long) i,
          List.of(new WaitCrowd(i, STACK, Thread.State.WAITING, lockClass, 7, locks, 150, 0, 0)));
    }
    return new SeenWaits(
        looks,
        crowds,
        List.of(),
        Map.of(STACK, stack("java.util.concurrent.Semaphore.acquire", "app.Server.serve")),
        Set.of(),
        List.of());
  }

  /** One look a second at so many threads, of which half stand there. */
  private static SeenWaits sleepers(Thread.State state, String method, long... alive) {
    SeenWaits waits = waits("", 0, alive);
    Map<Long, List<WaitCrowd>> crowds = new HashMap<>();
    waits
        .looks()
        .forEach(
            look ->
                crowds.put(
                    look.number(),
                    List.of(new WaitCrowd(look.number(), STACK, state, "", 0, 0, 150, 0, 0))));
    return new SeenWaits(
        waits.looks(),
        crowds,
        List.of(),
        Map.of(STACK, stack(method, "app.Poller.pause", "app.Poller.run")),
        Set.of(),
        List.of());
  }

  private List<Behavior> backlog(SeenWaits waits) {
    return Backlog.find(waits, places);
  }

  @Test
  void moreThreadsAreNoFaultByThemselves() {
    assertEquals(List.of(), backlog(SeenWaits.NONE));
    assertEquals(List.of(), backlog(waits("", 1, 1000, 2000, 3000, 4000)), "they wait for nothing");
    assertEquals(
        List.of(), backlog(waits(SEMAPHORE, 150, 1000, 2000, 3000, 4000)), "each for its own");
    assertEquals(List.of(), backlog(waits(SEMAPHORE, 1, 100, 200, 300, 400)), "few");
    assertEquals(List.of(), backlog(waits(SEMAPHORE, 1, 5000, 5000, 5001, 5000)), "no more");
    assertEquals(
        List.of(),
        backlog(waits(SEMAPHORE, 1, 1000, 9000, 8000, 7000, 3000, 900)),
        "a burst that was served");
    assertEquals(List.of(), backlog(waits(SEMAPHORE, 1, 1000, 2000, 3000)), "too short a time");
  }

  @Test
  void thoseThatStandInLineMoreAndMoreAre() {
    Behavior found = backlog(waits(SEMAPHORE, 1, 1000, 4500, 8000, 11_500, 15_000)).getFirst();
    assertEquals(MisuseKind.NO_BACKPRESSURE, found.kind());
    assertEquals("app.Server.serve", found.seen().site().orElseThrow().qualifiedMethod());
    assertEquals(15_000, found.seen().atOnce().orElseThrow().most());
    assertTrue(found.seen().limits());
  }

  @Test
  void sleepersThatPileUpAreABacklogThatLimitsNothing() {
    Thread.State timed = Thread.State.TIMED_WAITING;
    assertEquals(
        List.of(),
        backlog(
            sleepers(
                timed,
                "java.util.concurrent.locks.LockSupport.parkNanos",
                1000,
                4500,
                8000,
                11_500)),
        "no sleep");
    assertEquals(
        List.of(), backlog(sleepers(timed, "java.lang.Thread.sleep", 5000, 5000, 5000, 5000)));
    Behavior found =
        backlog(sleepers(timed, "java.lang.Thread.sleep", 1000, 4500, 8000, 11_500)).getFirst();
    assertEquals("app.Poller.pause", found.seen().site().orElseThrow().qualifiedMethod());
    assertFalse(found.seen().limits());
    assertEquals(
        List.of("the backlog grows by 3,500 threads per second; 6,900 sleep at the same place"),
        found.kind().evidence(found.seen()));
  }

  private void refused(EventTable events, long thread, String why, String... methods) {
    new EventRows(events)
        .add(
            ThreadEvent.SUBMIT_FAILED,
            stack(methods),
            why,
            thread,
            new ThreadRef(1, "main", false),
            thread);
  }

  @Test
  void threadsThatTheSchedulerRefusedAreTold() {
    EventTable events = new EventTable();
    assertEquals(List.of(), RefusedThreads.find(events, places));
    for (int i = 0; i < 3; i++) {
      refused(events, 7 + i, "full", "java.lang.VirtualThread.start", "app.Server.accept");
    }
    refused(events, 11, "", "java.lang.VirtualThread.unpark", "app.Server.accept");
    Behavior found = RefusedThreads.find(events, places).getFirst();
    assertEquals(MisuseKind.SUBMIT_FAILED, found.kind());
    assertEquals("app.Server.accept", found.seen().subject());
    assertEquals("full", found.seen().detail("reason").orElseThrow().text());
    assertEquals("app.Server.accept", found.seen().site().orElseThrow().qualifiedMethod());
    assertEquals(4, found.seen().amount().value());
    assertEquals(
        3,
        found.seen().detail("notStarted").orElseThrow().amount().orElseThrow().value(),
        found::toString);
    assertEquals(
        1,
        found.seen().detail("notResumed").orElseThrow().amount().orElseThrow().value(),
        found::toString);
    assertTrue(found.seen().limits());
  }

  private List<Finding.Misuse> caches(int threads, long bytes, String... methods) {
    EventTable events = new EventTable();
    for (int i = 0; i < threads; i++) {
      new EventRows(events)
          .add(
              ThreadEvent.ALLOCATION_SAMPLE,
              stack(methods),
              "[B",
              i,
              new ThreadRef(i + 1, "", true),
              bytes / threads);
    }
    CarrierTime time =
        new CarrierTime(new Accounting(0, 4 * SECOND, OptionalInt.of(2)).account(), 2);
    return ThreadLocalCaches.find(events, KnownCaches.load(), places, time);
  }

  private static final String[] THREAD_LOCAL = {
    "app.Codec.newBuffer",
    "java.lang.ThreadLocal$SuppliedThreadLocal.initialValue",
    "java.lang.ThreadLocal.setInitialValue",
    "java.lang.ThreadLocal.get",
    "app.Codec.encode"
  };

  @Test
  void littleOrFewThreadLocalsAreNoCache() {
    assertEquals(List.of(), caches(500, 1_000_000, THREAD_LOCAL), "little");
    assertEquals(List.of(), caches(4, 900_000_000, THREAD_LOCAL), "few threads");
    assertEquals(
        List.of(), caches(500, 900_000_000, "app.Codec.newBuffer", "app.Codec.encode"), "no cache");
    assertEquals(
        List.of(),
        caches(
            500,
            900_000_000,
            "java.lang.ThreadLocal$ThreadLocalMap.<init>",
            "java.lang.ThreadLocal.createMap",
            "java.lang.ThreadLocal.setInitialValue",
            "app.Codec.encode"),
        "what the JDK needs for any ThreadLocal");
  }

  @Test
  void aBufferForEachOfManyThreadsIs() {
    Behavior found = caches(500, 64_000_000, THREAD_LOCAL).getFirst();
    assertEquals(MisuseKind.THREAD_LOCAL_CACHE, found.kind());
    assertEquals("byte[]", found.seen().subject());
    assertEquals("app.Codec.encode", found.seen().site().orElseThrow().qualifiedMethod());
    assertEquals("app.Codec.newBuffer", found.seen().inside().orElseThrow().qualifiedMethod());
    assertEquals(64_000_000, found.seen().amount().value());
  }

  @Test
  void knownCachesHaveTheirNames() {
    Behavior found =
        caches(
                500,
                64_000_000,
                "com.fasterxml.jackson.core.util.BufferRecycler.balloc",
                "com.fasterxml.jackson.core.JsonFactory.createParser",
                "app.Codec.parse")
            .getFirst();
    assertEquals("Jackson", found.seen().detail("known").orElseThrow().text());
  }

  @Test
  void nativeCodeIsToldApartByWhoCalledIt() {
    assertEquals(
        Optional.empty(),
        NativeCode.kind(stack("jdk.internal.vm.Continuation.doYield", "app.Server.serve")));
    assertEquals(
        Optional.empty(),
        NativeCode.kind(stack("sun.nio.ch.SocketDispatcher.read0", "app.Server.serve")));
    assertEquals(
        Optional.of(MisuseKind.FILE_IO),
        NativeCode.kind(stack("sun.nio.ch.UnixFileDispatcherImpl.force0", "app.Server.serve")));
    assertEquals(
        Optional.of(MisuseKind.PROCESS_START),
        NativeCode.kind(
            stack(
                "java.io.FileInputStream.available0",
                "java.lang.ProcessImpl.start",
                "java.lang.ProcessBuilder.start",
                "app.Server.serve")));
    assertEquals(
        Optional.of(MisuseKind.NAME_LOOKUP),
        NativeCode.kind(stack("java.net.Inet6AddressImpl.lookupAllHostAddr", "app.Server.serve")));
  }

  private static String toDoIfSpinning(Owner owner) {
    return MisuseKind.SPINNING.toDo(
        new Observation(
            "app.Spin.await",
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            owner,
            new Observation.Amount(Observation.Unit.CARRIER_NANOS, 1e9, true),
            9,
            Optional.empty(),
            true,
            List.of(),
            new Observation.Evidence(List.of("jdk.ExecutionSample"), 9, OptionalLong.empty())));
  }

  @Test
  void nobodyIsToldToRewriteALoopOfALibrary() {
    assertTrue(toDoIfSpinning(new Owner.Application("app")).startsWith("Wait with a Semaphore"));
    assertTrue(
        toDoIfSpinning(new Owner.Library(new Coordinates("com.zaxxer", "HikariCP", "5.1.0"), ""))
            .startsWith(
                "The loop is in com.zaxxer:HikariCP 5.1.0: before Java 24 call it without"));
  }
}
