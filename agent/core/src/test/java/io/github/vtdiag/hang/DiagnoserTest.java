package io.github.vtdiag.hang;

import static io.github.vtdiag.hang.Snapshots.A;
import static io.github.vtdiag.hang.Snapshots.B;
import static io.github.vtdiag.hang.Snapshots.condition;
import static io.github.vtdiag.hang.Snapshots.endOf;
import static io.github.vtdiag.hang.Snapshots.freeLock;
import static io.github.vtdiag.hang.Snapshots.initializes;
import static io.github.vtdiag.hang.Snapshots.lockOf;
import static io.github.vtdiag.hang.Snapshots.look;
import static io.github.vtdiag.hang.Snapshots.monitor;
import static io.github.vtdiag.hang.Snapshots.mounted;
import static io.github.vtdiag.hang.Snapshots.moved;
import static io.github.vtdiag.hang.Snapshots.movedTo;
import static io.github.vtdiag.hang.Snapshots.parked;
import static io.github.vtdiag.hang.Snapshots.runnable;
import static io.github.vtdiag.hang.Snapshots.stoodStill;
import static io.github.vtdiag.hang.Snapshots.taskOf;
import static io.github.vtdiag.hang.Snapshots.timedLockOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnoserTest {
  private static final LockRef SOME_A = LockRef.anyOf("com.example.A");
  private static final LockRef SOME_B = LockRef.anyOf("com.example.B");
  private static final LockRef UNKNOWN = LockRef.anyOf("");

  private static void assertNoDeadlock(List<Diagnosis> all) {
    assertTrue(all.stream().noneMatch(Diagnosis::isDeadlock), all::toString);
  }

  @Test
  void noCycleIfTheThreadsMoved() {
    Snapshot cycle = look(parked(1, lockOf(A, 2)), parked(2, lockOf(B, 1)));
    assertNoDeadlock(moved(cycle));
  }

  @Test
  void noCycleIfOnlyOneOfThemMoved() {
    SeenThread one = parked(1, lockOf(A, 2));
    SeenThread two = parked(2, lockOf(B, 1));
    assertNoDeadlock(Diagnoser.diagnose(look(one, two), look(one, movedTo(two, 11))));
  }

  @Test
  void noCycleIfItIsSeenForTheFirstTime() {
    SeenThread one = parked(1, lockOf(A, 2));
    SeenThread two = parked(2, lockOf(B, 1));
    assertNoDeadlock(Diagnoser.diagnose(look(one), look(one, two)));
  }

  @Test
  void noCycleThroughATimeout() {
    assertNoDeadlock(stoodStill(look(parked(1, timedLockOf(A, 2)), parked(2, lockOf(B, 1)))));
  }

  @Test
  void thoseThatWaitForOneThatAsksThisProgramAskItToo() {
    ThreadWait.Park answer = new ThreadWait.Park(Optional.of(A), new LockHolder.NotKnown(), false);
    SeenThread asks = mounted(1, answer, monitor(B));
    SeenThread enters = mounted(2, new ThreadWait.MonitorEntry(B));
    WaitEdge edge = new WaitEdge(enters, B, WaitEdge.How.MONITOR, asks, Optional.empty(), true);
    CarriersKept.Starved starved =
        new CarriersKept.Starved(
            List.of(
                new CarriersKept.Kept(asks, List.of()),
                new CarriersKept.Kept(enters, List.of(edge))),
            3,
            List.of(),
            CarriersKept.Starved.Deadlock.NONE);
    CarrierWords words = new CarrierWords(21, name -> Optional.empty());
    String unknown = starved.ends(words).toString();
    assertTrue(unknown.contains("no deadlock is proven"), unknown);
    String itself =
        starved
            .with(thread -> thread.id() == 1 ? thread.with(answer.at(80), thread.held()) : thread)
            .ends(words)
            .toString();
    assertTrue(itself.contains("ends: when this program answers itself"), itself);
  }

  @Test
  void aTaskThatRunsOrIsAwaitedForATimeIsInNoCycle() {
    LockRef future = LockRef.of("java.util.concurrent.FutureTask", 7);
    SeenThread waits = parked(1, taskOf(future, 2, false));
    assertNoDeadlock(stoodStill(look(waits, parked(2, new ThreadWait.Sleep()))));
    assertNoDeadlock(stoodStill(look(waits, parked(2, lockOf(A, 3)))));
    SeenThread timed = parked(1, taskOf(future, 2, true));
    assertNoDeadlock(stoodStill(look(timed, parked(2, lockOf(A, 1)))));
  }

  @Test
  void aTaskThatNeedsALockOfTheThreadThatWaitsForItIsInACycle() {
    LockRef future = LockRef.of("java.util.concurrent.FutureTask", 7);
    SeenThread waits = parked(1, taskOf(future, 2, false));
    List<Diagnosis> all = stoodStill(look(waits, parked(2, lockOf(A, 1))));
    LockCycle cycle = assertInstanceOf(LockCycle.class, all.getFirst());
    assertTrue(cycle.isSure());
    assertTrue(cycle.isShownByFields());
    // Unlike the owner of a lock, the thread that runs a task goes on by itself.
    assertEquals(Diagnosis.Confirmation.REPEATED, cycle.confirmation());
    String ends = cycle.ends(new CarrierWords(25, name -> Optional.empty())).toString();
    assertTrue(ends.contains("release the lock before the wait for that task"), ends);
  }

  @Test
  void threadsThatJoinEachOtherAreInACycle() {
    SeenThread one = parked(1, endOf(LockRef.of("CountDownLatch$Sync", 1), 2));
    SeenThread two = parked(2, endOf(LockRef.of("CountDownLatch$Sync", 2), 1));
    LockCycle cycle = assertInstanceOf(LockCycle.class, stoodStill(look(one, two)).getFirst());
    String words = new DiagnosisWords(25).evidence(cycle).toString();
    assertTrue(words.contains(" until virtual thread #2 ends, now in "), words);
  }

  @Test
  void noCycleInAQueue() {
    List<Diagnosis> all =
        stoodStill(
            look(
                parked(1, condition(LockRef.of("Condition", 9))),
                parked(2, lockOf(A, 1)),
                parked(3, lockOf(A, 1)),
                parked(4, lockOf(A, 1))));
    assertNoDeadlock(all);
    Diagnosis.Waiting waiting = assertInstanceOf(Diagnosis.Waiting.class, all.getFirst());
    assertEquals(3, waiting.crowds().getFirst().threads());
    String words = new DiagnosisWords(21).evidence(waiting).getFirst();
    assertTrue(words.contains(", which virtual thread #1 holds; it waits"), words);
  }

  /** Nobody holds a lock that is free. */
  @Test
  void theFirstInTheQueueOfAFreeLockDoesNotHoldIt() {
    SeenThread first = parked(1, condition(LockRef.of("Condition", 9)));
    SeenThread second = parked(2, lockOf(A, 1));
    WaitEdge next = new WaitEdge(second, A, WaitEdge.How.NEXT, first, Optional.empty(), true);
    String words = CrowdWords.crowd(new Diagnosis.Crowd(second, 2, Optional.of(next), List.of()));
    assertTrue(
        words.contains(", which is free, and virtual thread #1 is first in its queue; it waits"),
        words);
    assertFalse(words.contains("holds"), words);
  }

  @Test
  void aLockWhoseOwnerHasEndedIsNeverReleased() {
    LockHolder.Ended owner = new LockHolder.Ended(7, "leaver", true);
    ThreadWait wait = new ThreadWait.Park(Optional.of(A), owner, false);
    ThreadWait timed = new ThreadWait.Park(Optional.of(A), owner, true);
    assertNoDeadlock(moved(look(parked(1, wait))));
    assertNoDeadlock(stoodStill(look(parked(1, timed))));
    SeenThread one = parked(1, wait);
    SeenThread two = parked(2, wait);
    assertEquals(
        List.of(new Diagnosis.NeverReleased(A, owner, List.of(one, two))),
        stoodStill(look(one, two, parked(3, timed))));
  }

  @Test
  void noCycleByClassIfTwoCouldBeMeant() {
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(SOME_A), monitor(SOME_B));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(SOME_B), monitor(SOME_A));
    SeenThread three = mounted(3, condition(A), monitor(SOME_A));
    assertNoDeadlock(stoodStill(look(3, one, two, three)));
  }

  @Test
  void noKnotIfOneOfThoseWhoMayHoldItGoesOn() {
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(UNKNOWN), monitor(SOME_A));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(UNKNOWN), monitor(SOME_A));
    SeenThread runs = mounted(3, new ThreadWait.Nothing(), monitor(SOME_B));
    assertNoDeadlock(stoodStill(look(3, one, two, runs)));
    SeenThread sleeps = mounted(3, new ThreadWait.Sleep(), monitor(SOME_B));
    assertNoDeadlock(stoodStill(look(3, one, two, sleeps)));
  }

  @Test
  void noKnotIfNobodyIsSeenWithTheMonitor() {
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(UNKNOWN));
    assertNoDeadlock(stoodStill(look(one)));
  }

  @Test
  void noCycleOfDifferentObjectsOfOneClass() {
    LockRef other = LockRef.of(A.className(), 77);
    SeenThread one = parked(1, new ThreadWait.MonitorEntry(A), monitor(B));
    SeenThread two = parked(2, new ThreadWait.MonitorEntry(B), monitor(other));
    assertNoDeadlock(stoodStill(look(one, two)));
  }

  @Test
  void noCycleOfDifferentFieldsOfOneClass() {
    LockRef first = LockRef.ofField("com.example.C", "first");
    LockRef second = LockRef.ofField("com.example.C", "second");
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(first), monitor(SOME_B));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(SOME_B), monitor(second));
    assertNoDeadlock(stoodStill(look(one, two)));
  }

  @Test
  void noCycleOfAThreadWithItself() {
    assertNoDeadlock(
        stoodStill(look(mounted(1, new ThreadWait.MonitorEntry(SOME_A), monitor(SOME_A)))));
    assertNoDeadlock(stoodStill(look(parked(1, lockOf(A, 1)))));
  }

  @Test
  void aReaderThatAsksForTheWriteLockWaitsForItself() {
    LockRef sync = LockRef.of("java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync", 1);
    Diagnosis found = stoodStill(look(parked(1, lockOf(sync, 1)))).getFirst();
    assertEquals("deadlock: a thread waits for a lock that it has itself", found.verdict());
    assertNoDeadlock(moved(look(parked(1, lockOf(sync, 1)))));
  }

  @Test
  void noDeadlockByPinningIfACarrierIsFree() {
    SeenThread keeper = mounted(1, freeLock(A, 3), monitor(B));
    assertNoDeadlock(stoodStill(look(2, keeper, runnable(3))));
  }

  @Test
  void noDeadlockByPinningIfACarrierRunsSomething() {
    SeenThread keeper = mounted(1, freeLock(A, 3), monitor(B));
    SeenThread runs = mounted(2, new ThreadWait.Nothing());
    assertNoDeadlock(stoodStill(look(2, keeper, runs, runnable(3))));
  }

  @Test
  void noDeadlockByPinningIfTheOwnerIsNotWaitingForACarrier() {
    SeenThread keeper = mounted(1, lockOf(A, 3), monitor(B));
    SeenThread owner = parked(3, new ThreadWait.Sleep());
    List<Diagnosis> all = stoodStill(look(1, keeper, owner, runnable(4)));
    assertNoDeadlock(all);
    assertInstanceOf(CarriersKept.Starved.class, all.getFirst());
  }

  @Test
  void deadlockByPinningSaysThatATimeoutEndsIt() {
    SeenThread keeper = mounted(1, timedLockOf(A, 3), monitor(B));
    List<Diagnosis> all = stoodStill(look(1, keeper, runnable(3)));
    CarriersKept.DeadlockByPinning pinning =
        assertInstanceOf(CarriersKept.DeadlockByPinning.class, all.getFirst());
    assertTrue(pinning.hasTimeout());
    assertTrue(
        new DiagnosisWords(21).ends(pinning).getFirst().startsWith("ends: when a wait times out"));
  }

  private static SeenThread standing(SeenThread thread, String... types) {
    return Snapshots.standing(
        thread, Stream.of(types).map(type -> Snapshots.frame(type, 5)).toList());
  }

  @Test
  void noDeadlockByPinningIfOnlyTheProgramsOwnFramesAreShared() {
    SeenThread keeper = standing(mounted(1, condition(A)), "lib.Pool", "com.example.Work");
    SeenThread other = standing(runnable(3), "other.Thing", "com.example.Work");
    List<Diagnosis> all = stoodStill(look(1, keeper, other));
    assertInstanceOf(CarriersKept.Starved.class, all.getFirst());
  }

  /** A framework that calls the application is on the stacks of all its threads. */
  @Test
  void noDeadlockByPinningIfOnlyFramesBelowTheCallerOfTheLibraryAreShared() {
    SeenThread keeper =
        standing(mounted(1, condition(A)), "lib.Pool", "com.example.Work", "lib.Aop", "run.Worker");
    SeenThread other = standing(runnable(3), "com.example.Report", "lib.Aop", "run.Worker");
    List<Diagnosis> all = stoodStill(look(1, keeper, other));
    assertInstanceOf(CarriersKept.Starved.class, all.getFirst());
  }

  @Test
  void probableDeadlockByPinningIfTheNextIsInTheSameCallOfALibrary() {
    SeenThread keeper =
        standing(mounted(1, condition(A)), "lib.Wait", "lib.Pool", "com.example.Work");
    SeenThread other = standing(runnable(3), "my.Factory", "lib.Pool", "com.example.Work");
    List<Diagnosis> all = stoodStill(look(1, keeper, other));
    CarriersKept.DeadlockByPinning pinning =
        assertInstanceOf(CarriersKept.DeadlockByPinning.class, all.getFirst());
    assertFalse(pinning.isSure());
    assertEquals(
        "virtual thread #1 keeps its carrier: it waits in lib.Wait.run:5 for com.example.A@1, and"
            + " virtual thread #3, which may be the one to wake it, is in lib.Pool.run too",
        new DiagnosisWords(21).evidence(pinning).getFirst());
    assertTrue(pinning.kind().isDeadlock(pinning.isSure(), false));
    assertFalse(pinning.kind().isDeadlock(pinning.isSure(), true), "it ended by itself");
    assertTrue(pinning.kind().isDeadlock(true, true));
    // A client of HTTP gave up after 10 s, by a timer of its event loop.
    String ends = pinning.ends(new CarrierWords(21, name -> Optional.empty())).getFirst();
    assertTrue(
        ends.startsWith(
            "ends: when something else wakes a thread that waits, such as a library's own timeout,"
                + " and may come back; else not by itself; to prevent it, "),
        ends);
  }

  private static SeenThread named(SeenThread thread, String name, Frame... frames) {
    return new SeenThread(
        thread.id(),
        name,
        true,
        thread.state(),
        thread.mount(),
        thread.carrier(),
        List.of(frames),
        thread.waitsFor(),
        List.of());
  }

  private static Frame jdk(String className, String method) {
    return new Frame(new ClassRef(className, ""), method, "", 0, -1, 5, Frame.Kind.UNKNOWN);
  }

  /** Since Java 22 virtual threads tell when a socket is ready; they get no carrier here. */
  @Test
  void probableDeadlockByPinningIfAPollerOfSocketsNeedsACarrier() {
    ThreadWait park = new ThreadWait.Park(Optional.empty(), new LockHolder.NotKnown(), false);
    Frame connect = jdk("sun.nio.ch.NioSocketImpl", "connect");
    Frame own =
        new Frame(
            new ClassRef("com.example.Tables", "app"),
            "<clinit>",
            "()V",
            8,
            -1,
            5,
            Frame.Kind.UNKNOWN);
    SeenThread keeper = named(mounted(1, park), "", jdk("sun.nio.ch.Poller", "poll"), connect, own);
    SeenThread poller =
        named(runnable(3), "SubPoller-0", jdk("sun.nio.ch.Poller", "subPollerLoop"));
    CarriersKept.DeadlockByPinning pinning =
        assertInstanceOf(
            CarriersKept.DeadlockByPinning.class, stoodStill(look(1, keeper, poller)).getFirst());
    assertFalse(pinning.isSure());
    assertEquals(
        List.of(
            "virtual thread #1 keeps its carrier: it initializes com.example.Tables and waits in"
                + " com.example.Tables.<clinit>:5 for a socket, and virtual thread #3"
                + " \"SubPoller-0\", a thread of the JDK that tells when sockets are ready, needs a"
                + " carrier itself",
            "virtual thread #3 \"SubPoller-0\" could run, and no carrier is free for it"),
        new DiagnosisWords(25).evidence(pinning));
    // A dump has no stack of a thread that could run.
    assertInstanceOf(
        CarriersKept.DeadlockByPinning.class,
        stoodStill(look(1, keeper, named(runnable(3), "SubPoller-0"))).getFirst());
  }

  @Test
  void noDeadlockByPinningIfNoPollerIsAwaited() {
    ThreadWait park = new ThreadWait.Park(Optional.empty(), new LockHolder.NotKnown(), false);
    Frame own = Snapshots.frame("com.example.Tables", 5);
    Frame poll = jdk("sun.nio.ch.Poller", "poll");
    SeenThread keeper = named(mounted(1, park), "", poll, own);
    List<List<SeenThread>> without =
        List.of(
            // Another thread needs a carrier, or one that an application has called so.
            List.of(keeper, named(runnable(3), "worker", own)),
            List.of(keeper, named(runnable(3), "SubPoller-0", own)),
            // It waits for a socket no longer, or for something else.
            List.of(named(mounted(1, park), "", own, poll), named(runnable(3), "SubPoller-0")),
            List.of(named(mounted(1, park), "", own), named(runnable(3), "SubPoller-0")));
    for (List<SeenThread> threads : without) {
      List<Diagnosis> all = stoodStill(look(1, threads.toArray(SeenThread[]::new)));
      assertInstanceOf(CarriersKept.Starved.class, all.getFirst());
    }
  }

  @Test
  void noDeadlockByPinningIfOneWaitsForWhatHasNoOwner() {
    SeenThread one = mounted(1, lockOf(A, 3), monitor(B));
    SeenThread two = mounted(2, condition(A), monitor(B));
    List<Diagnosis> all = stoodStill(look(2, one, two, runnable(3)));
    assertInstanceOf(CarriersKept.Starved.class, all.getFirst());
  }

  @Test
  void aFreeCarrierThatWaitsItselfIsNoHangAndNotIdle() {
    List<Diagnosis> all = stoodStill(look(2, carrier(101, A, 7), parked(1, condition(B))));
    assertInstanceOf(Diagnosis.Unknown.class, all.getFirst());
    assertEquals("1 carrier stands still with no virtual thread on it", all.getFirst().statement());
  }

  @Test
  void starvedByCarriersThatWaitThemselves() {
    List<Diagnosis> all =
        stoodStill(look(2, carrier(101, A, 7), carrier(102, A, 7), runnable(1), runnable(2)));
    assertInstanceOf(CarriersKept.Starved.class, all.getFirst());
    DiagnosisWords words = new DiagnosisWords(25, name -> Optional.of("other-agent.jar"));
    assertEquals(
        "both carriers stand still, with no virtual thread on them, and 2 virtual threads need"
            + " one",
        all.getFirst().statement());
    assertTrue(
        words.evidence(all.getFirst()).getFirst().endsWith("(code of the agent other-agent.jar)"));
    assertTrue(words.ends(all.getFirst()).getFirst().contains("update or remove the agent"));
  }

  /** Native code that wakes now and then runs at one snapshot and stands at the next. */
  @Test
  void starvedIfOneThatRanStands() {
    SeenThread ran = mounted(1, new ThreadWait.Nothing(true));
    SeenThread stands = mounted(1, new ThreadWait.NativeCode());
    for (List<SeenThread> pair : List.of(List.of(ran, stands), List.of(stands, ran))) {
      assertInstanceOf(
          CarriersKept.Starved.class,
          Diagnoser.diagnose(look(1, pair.get(0), runnable(2)), look(1, pair.get(1), runnable(2)))
              .getFirst());
    }
    SeenThread moves = mounted(1, new ThreadWait.Nothing());
    for (SeenThread before : List.of(ran, stands, moves)) {
      assertFalse(
          Diagnoser.diagnose(look(1, before, runnable(2)), look(1, moves, runnable(2))).getFirst()
              instanceof CarriersKept);
    }
    assertFalse(
        Diagnoser.diagnose(look(1, moves, runnable(2)), look(1, stands, runnable(2))).getFirst()
            instanceof CarriersKept);
  }

  @Test
  void deadlockIfCarriersWaitForALockOfOneThatNeedsThem() {
    List<Diagnosis> all = stoodStill(look(1, carrier(101, A, 7), runnable(7)));
    assertInstanceOf(CarriersKept.DeadlockByPinning.class, all.getFirst());
    assertEquals(
        "the only carrier waits, with no virtual thread on it, for a virtual thread that needs a"
            + " carrier",
        all.getFirst().statement());
  }

  private static SeenThread carrier(long id, LockRef lock, long owner) {
    SeenThread platform = parked(id, lockOf(lock, owner));
    return new SeenThread(
            id,
            "ForkJoinPool-1-worker-1",
            false,
            platform.state(),
            SeenThread.Mount.NOT_KNOWN,
            platform.carrier(),
            platform.frames(),
            platform.waitsFor(),
            List.of())
        .asBlockedCarrier();
  }

  @Test
  void noDeadlockIsUnprovenBesideAProvenOne() {
    List<Diagnosis> all =
        stoodStill(look(2, mounted(1, lockOf(A, 2)), mounted(2, lockOf(B, 1)), runnable(3)));
    assertInstanceOf(LockCycle.class, all.get(0));
    assertEquals(
        List.of("ends: not by itself: a deadlock keeps them"),
        new DiagnosisWords(25).ends(all.get(1)));
  }

  @Test
  void probableDeadlockByPinningAtALoaderThatTheJvmLocks() {
    LockRef loader = LockRef.of("com.example.Loader", 9);
    ThreadWait entry = new ThreadWait.MonitorEntry(LockRef.ofClassLoader(Optional.empty(), ""));
    Frame loads =
        new Frame(
            new ClassRef("com.example.Loader", "app"),
            "loadClass",
            "",
            0,
            -1,
            5,
            Frame.Kind.UNKNOWN);
    SeenThread run = runnable(3);
    SeenThread owner =
        Snapshots.standing(run.with(run.waitsFor(), List.of(monitor(loader))), List.of(loads));
    List<Diagnosis> all = stoodStill(look(1, mounted(1, entry), owner));
    assertInstanceOf(CarriersKept.DeadlockByPinning.class, all.getFirst());
    assertFalse(all.getFirst().isSure());
    assertTrue(
        new DiagnosisWords(25)
            .evidence(all.getFirst())
            .getFirst()
            .contains("for the monitor of the class loader com.example.Loader@9"));
    assertTrue(
        new DiagnosisWords(25).ends(all.getFirst()).getFirst().contains("load these classes"));
  }

  @Test
  void cycleOfTwoLocks() {
    List<Diagnosis> all = stoodStill(look(parked(1, lockOf(A, 2)), parked(2, lockOf(B, 1))));
    LockCycle cycle = assertInstanceOf(LockCycle.class, all.getFirst());
    assertEquals(2, cycle.edges().size());
    assertTrue(cycle.isSure());
    assertEquals(1, all.size());
  }

  @Test
  void cycleOfThreeAndWhoWaitsForThem() {
    List<Diagnosis> all =
        stoodStill(
            look(
                parked(9, lockOf(A, 1)),
                parked(1, lockOf(A, 2)),
                parked(2, new ThreadWait.MonitorEntry(B)),
                parked(3, lockOf(A, 1), monitor(B)),
                parked(8, lockOf(A, 9))));
    LockCycle cycle = assertInstanceOf(LockCycle.class, all.getFirst());
    assertEquals(List.of(1L, 2L, 3L), cycle.edges().stream().map(e -> e.waiter().id()).toList());
    assertEquals(1, all.size());
  }

  @Test
  void twoCycles() {
    List<Diagnosis> all =
        stoodStill(
            look(
                parked(1, lockOf(A, 2)),
                parked(2, lockOf(A, 1)),
                parked(3, lockOf(A, 4)),
                parked(4, lockOf(A, 3))));
    assertEquals(2, all.size());
  }

  @Test
  void probableCycleOfMonitors() {
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(SOME_A), monitor(SOME_B));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(SOME_B), monitor(SOME_A));
    LockCycle cycle = assertInstanceOf(LockCycle.class, stoodStill(look(one, two)).getFirst());
    assertFalse(cycle.isSure());
    assertEquals(
        List.of(
            "probably a deadlock: 2 threads wait for each other",
            "  virtual thread #1 waits in com.example.T1.run:10 for the monitor of a com.example.A,"
                + " which virtual thread #2 holds in com.example.T2.run:10",
            "  virtual thread #2 waits in com.example.T2.run:10 for the monitor of a com.example.B,"
                + " which virtual thread #1 holds in com.example.T1.run:10",
            "  ends: not by itself; to prevent it, take these locks in the same order"
                + " everywhere"),
        new DiagnosisWords(21).lines(cycle));
  }

  /** The lock is in a field, and what a thread outside the circle holds may be in it. */
  @Test
  void noCycleIfAnotherThreadMayHoldTheMonitor() {
    LockRef field = LockRef.ofField("com.example.A", "lock");
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(field));
    SeenThread two = mounted(2, lockOf(B, 1), monitor(field));
    assertInstanceOf(LockCycle.class, stoodStill(look(one, two)).getFirst());
    for (LockRef held :
        List.of(
            field, UNKNOWN, LockRef.of("java.lang.Object", 7), LockRef.of("com.example.C", 7))) {
      SeenThread three = mounted(3, new ThreadWait.Sleep(), monitor(held));
      assertTrue(
          stoodStill(look(one, two, three)).stream().noneMatch(Diagnosis::isDeadlock),
          held::toString);
    }
    SeenThread other = mounted(3, new ThreadWait.Sleep(), monitor(SOME_B));
    assertInstanceOf(LockCycle.class, stoodStill(look(one, two, other)).getFirst());
  }

  /** Who is known to wait for this one waits for no other that looks like it. */
  @Test
  void noCycleThroughAMonitorThatIsKnownToBeAnother() {
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(A));
    SeenThread two = mounted(2, lockOf(B, 1), monitor(SOME_A));
    assertTrue(stoodStill(look(one, two)).stream().noneMatch(Diagnosis::isDeadlock));
  }

  @Test
  void probableDeadlockIfOnlyThoseThatWaitCanHoldTheMonitors() {
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(UNKNOWN), monitor(SOME_A));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(UNKNOWN), monitor(SOME_A));
    SeenThread three = mounted(3, new ThreadWait.MonitorEntry(SOME_A), monitor(SOME_A));
    LockCycle cycle =
        assertInstanceOf(LockCycle.class, stoodStill(look(one, two, three)).getFirst());
    assertFalse(cycle.isSure());
    assertEquals(
        "  virtual thread #1 waits in com.example.T1.run:10 for a monitor, which virtual thread #2"
            + " holds in com.example.T2.run:10",
        new DiagnosisWords(21).lines(cycle).get(1));
  }

  @Test
  void cycleOfInitializers() {
    SeenThread one = mounted(1, new ThreadWait.ClassInitialization("B"), initializes("A"));
    SeenThread two = mounted(2, new ThreadWait.ClassInitialization("A"), initializes("B"));
    LockCycle cycle = assertInstanceOf(LockCycle.class, stoodStill(look(one, two)).getFirst());
    assertTrue(cycle.isSure());
  }

  /** Reached by reflection: nobody knows for which class they wait. */
  @Test
  void probableCycleOfInitializersIfNoOtherThreadInitializesAny() {
    SeenThread one = mounted(1, new ThreadWait.ClassInitialization(""), initializes("A"));
    SeenThread two = mounted(2, new ThreadWait.ClassInitialization(""), initializes("B"));
    LockCycle cycle = assertInstanceOf(LockCycle.class, stoodStill(look(one, two)).getFirst());
    assertFalse(cycle.isSure());
    assertEquals(
        "  virtual thread #1 waits in com.example.T1.run:10 until a class is initialized; virtual"
            + " thread #2 initializes one in com.example.T2.run:10",
        new DiagnosisWords(21).lines(cycle).get(1));

    SeenThread also = mounted(3, new ThreadWait.ClassInitialization(""), initializes("C"));
    assertTrue(stoodStill(look(one, two, also)).stream().anyMatch(LockCycle.class::isInstance));
    SeenThread slow = mounted(3, new ThreadWait.Sleep(), initializes("C"));
    assertTrue(stoodStill(look(one, two, slow)).stream().noneMatch(Diagnosis::isDeadlock));
  }

  @Test
  void deadlockByPinning() {
    SeenThread one = mounted(1, freeLock(A, 3), monitor(B));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(B));
    List<Diagnosis> all = stoodStill(look(2, one, two, runnable(3), runnable(4)));
    CarriersKept.DeadlockByPinning pinning =
        assertInstanceOf(CarriersKept.DeadlockByPinning.class, all.getFirst());
    assertEquals(2, pinning.queued());
    assertEquals(
        List.of(
            "deadlock by pinning: both carriers are kept by virtual threads that wait for one"
                + " that needs a carrier",
            "  virtual thread #1 keeps its carrier: it holds the monitor of com.example.B@2 in"
                + " com.example.T1.run:10 and waits in com.example.T1.run:10 for com.example.A@1,"
                + " which is free, and virtual thread #3 is first in its queue",
            "  virtual thread #2 keeps its carrier: it waits in com.example.T2.run:10 for the"
                + " monitor of com.example.B@2, which virtual thread #1 holds in"
                + " com.example.T1.run:10",
            "  virtual thread #3 could run, and no carrier is free for it",
            "  1 more virtual thread could run too"),
        new DiagnosisWords(21).lines(pinning).subList(0, 5));
    // The monitor may be the application's own, and nobody waits to be notified.
    String ends = new DiagnosisWords(21).lines(pinning).get(5);
    assertTrue(ends.contains("put a ReentrantLock in its place, or use a version of"), ends);
  }

  @Test
  void lostWakeUp() {
    List<Diagnosis> all = stoodStill(look(parked(1, freeLock(A, 1)), parked(2, freeLock(A, 1))));
    Diagnosis.LostWakeUp lost = assertInstanceOf(Diagnosis.LostWakeUp.class, all.getFirst());
    assertEquals(List.of(1L), lost.waiters().stream().map(SeenThread::id).toList());
  }

  @Test
  void notIdleIfACarrierIsKeptInNativeCode() {
    SeenThread one = mounted(1, new ThreadWait.NativeCode());
    SeenThread two = mounted(2, new ThreadWait.NativeCode());
    Diagnosis.Unknown some =
        assertInstanceOf(Diagnosis.Unknown.class, stoodStill(look(3, one, two)).getFirst());
    assertEquals(
        "2 virtual threads keep their carriers and stand still in native code; what is waited for"
            + " there cannot be seen",
        some.why());
    Diagnosis.Unknown unknown =
        assertInstanceOf(Diagnosis.Unknown.class, stoodStill(look(2, one, two)).getFirst());
    assertTrue(unknown.why().startsWith("all carriers are kept"), unknown.why());
  }

  @Test
  void idleIfACarrierIsKeptInASelector() {
    SeenThread selects =
        Snapshots.standing(
            mounted(1, new ThreadWait.NativeCode()),
            List.of(
                frame("sun.nio.ch.EPoll", "wait"),
                frame("sun.nio.ch.EPollSelectorImpl", "doSelect"),
                frame("sun.nio.ch.SelectorImpl", "lockAndDoSelect"),
                frame("org.eclipse.jetty.io.ManagedSelector", "nioSelect")));
    Diagnosis idle = stoodStill(look(2, selects)).getFirst();
    assertInstanceOf(Diagnosis.Idle.class, idle, idle::statement);
    assertEquals(
        "none of 1 virtual thread wants to run; 1 keeps its carrier while it waits in a selector",
        idle.statement());
    SeenThread reads = mounted(2, new ThreadWait.NativeCode());
    assertInstanceOf(Diagnosis.Unknown.class, stoodStill(look(3, selects, reads)).getFirst());
    assertInstanceOf(Diagnosis.Unknown.class, stoodStill(look(1, selects)).getFirst());
  }

  /** Nobody keeps them, and still they want something: two futures that wait for each other. */
  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.CompletableFuture, join",
    "sun.nio.ch.NioSocketImpl, implWrite",
    "jdk.internal.net.http.HttpClientImpl, send"
  })
  void whoWaitsForAnotherThreadIsNotIdle(String type, String method) {
    ThreadWait.Park park = new ThreadWait.Park(Optional.empty(), new LockHolder.NotKnown(), false);
    SeenThread joins =
        new SeenThread(
            1,
            "",
            true,
            Optional.of(Thread.State.WAITING),
            SeenThread.Mount.UNMOUNTED,
            OptionalLong.empty(),
            List.of(
                frame("java.util.concurrent.locks.LockSupport", "park"),
                frame(type, method),
                frame("app.Client", "call")),
            park,
            List.of());
    Diagnosis.Waiting waiting =
        assertInstanceOf(Diagnosis.Waiting.class, stoodStill(look(joins)).getFirst());
    assertEquals(1, waiting.crowds().getFirst().threads());
    assertEquals("waiting: 1 of 1 virtual thread waits for another thread", waiting.verdict());
  }

  private static Frame frame(String className, String method) {
    String loader = className.startsWith("sun.") ? "" : "app";
    return new Frame(new ClassRef(className, loader), method, "", 0, -1, 1, Frame.Kind.UNKNOWN);
  }

  @Test
  void idleBusyAndNothing() {
    assertInstanceOf(Diagnosis.Idle.class, stoodStill(look()).getFirst());
    SeenThread reader =
        parked(1, new ThreadWait.Park(Optional.empty(), new LockHolder.NotKnown(), false));
    assertInstanceOf(Diagnosis.Idle.class, stoodStill(look(reader)).getFirst());
    assertInstanceOf(Diagnosis.Busy.class, moved(look(reader)).getFirst());
  }
}
