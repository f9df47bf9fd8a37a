package io.github.vtdiag.hang;

import static io.github.vtdiag.hang.Snapshots.A;
import static io.github.vtdiag.hang.Snapshots.B;
import static io.github.vtdiag.hang.Snapshots.freeLock;
import static io.github.vtdiag.hang.Snapshots.look;
import static io.github.vtdiag.hang.Snapshots.monitor;
import static io.github.vtdiag.hang.Snapshots.mounted;
import static io.github.vtdiag.hang.Snapshots.runnable;
import static io.github.vtdiag.hang.Snapshots.stoodStill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A scheduler beside the JDK's, whose two carriers are idle. */
class OtherSchedulerTest {
  private static final SeenThread KEEPER = mounted(1, freeLock(A, 3), monitor(B));

  private static Snapshot with(OptionalInt carriers, long queued, SeenThread... threads) {
    Snapshot seen = look(2, threads);
    OtherScheduler other =
        new OtherScheduler(
            "loop-1", Set.of(1L, 3L), carriers, OptionalLong.of(queued), OptionalLong.of(7));
    return new Snapshot(
        seen.threads(),
        0,
        seen.carriers(),
        seen.monitorsComplete(),
        Reachability.NOT_KNOWN,
        List.of(other));
  }

  private static Diagnosis first(Snapshot snapshot) {
    return stoodStill(snapshot).getFirst();
  }

  @Test
  void noneIfOneOfItsCarriersIsFree() {
    Diagnosis first = first(with(OptionalInt.of(2), 1, KEEPER, runnable(3)));
    assertTrue(!first.isDeadlock() && !(first instanceof CarriersKept), first::toString);
  }

  @Test
  void noneIfOnlyThreadsOfTheJdksSchedulerNeedOne() {
    Diagnosis first = first(with(OptionalInt.of(1), 0, KEEPER, runnable(4)));
    assertTrue(!first.isDeadlock() && !(first instanceof CarriersKept), first::toString);
  }

  @Test
  void allItsCarriersAreKeptThoughThoseOfTheJdkAreFree() {
    CarriersKept kept =
        assertInstanceOf(
            CarriersKept.DeadlockByPinning.class,
            first(with(OptionalInt.of(1), 1, KEEPER, runnable(3))));
    assertEquals(
        "the only carrier of a scheduler that is not the JDK's (loop-1) is kept by virtual threads"
            + " that wait for one that needs a carrier",
        kept.statement());
    assertTrue(
        new DiagnosisWords(21).ends(kept).getLast().contains("more threads in the executor"));
  }

  @Test
  void queuedThreadsThatItDoesNotRunThoughNothingKeepsItsCarriers() {
    assertEquals(NotScheduled.by("loop-1", 3), first(with(OptionalInt.of(1), 3)));
    Snapshot now = with(OptionalInt.of(1), 3);
    OtherScheduler ran =
        new OtherScheduler(
            "loop-1", Set.of(), OptionalInt.of(1), OptionalLong.of(3), OptionalLong.of(6));
    Snapshot before =
        new Snapshot(now.threads(), 0, now.carriers(), true, Reachability.NOT_KNOWN, List.of(ran));
    assertTrue(Diagnoser.diagnose(before, now).stream().noneMatch(NotScheduled.class::isInstance));
  }

  @Test
  void whereItsCarriersAreNotKnownThatIsSaid() {
    Diagnosis first = first(with(OptionalInt.empty(), 0, KEEPER));
    assertInstanceOf(Diagnosis.Unknown.class, first);
    assertTrue(first.statement().contains("(loop-1)"), first::statement);
  }
}
