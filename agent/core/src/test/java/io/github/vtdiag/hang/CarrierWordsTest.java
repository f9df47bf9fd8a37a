package io.github.vtdiag.hang;

import static io.github.vtdiag.hang.Snapshots.A;
import static io.github.vtdiag.hang.Snapshots.B;
import static io.github.vtdiag.hang.Snapshots.condition;
import static io.github.vtdiag.hang.Snapshots.look;
import static io.github.vtdiag.hang.Snapshots.mounted;
import static io.github.vtdiag.hang.Snapshots.runnable;
import static io.github.vtdiag.hang.Snapshots.stoodStill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CarrierWordsTest {
  private static final LockRef LATCH = LockRef.of("java.util.concurrent.CountDownLatch$Sync", 7);

  private static SeenThread platform(ThreadWait wait, HeldLock... held) {
    SeenThread other = Snapshots.parked(9, wait, held);
    return new SeenThread(
        9,
        "owner",
        false,
        Optional.of(
            wait instanceof ThreadWait.Nothing ? Thread.State.RUNNABLE : Thread.State.WAITING),
        SeenThread.Mount.NOT_KNOWN,
        OptionalLong.empty(),
        other.frames(),
        wait,
        other.held());
  }

  private static List<String> told(SeenThread... threads) {
    Diagnosis first = stoodStill(look(1, threads)).getFirst();
    return new DiagnosisWords(21).lines(first);
  }

  @Test
  void anOwnerThatRunsIsNotSaidToWait() {
    List<String> lines =
        told(
            mounted(1, new ThreadWait.MonitorEntry(A)),
            platform(new ThreadWait.Nothing(), Snapshots.monitor(A)),
            runnable(2));
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("  thread #9")), lines::toString);
  }

  /** The chain says already what the others wait for. */
  @Test
  void aThreadInACircleIsToldOnce() {
    List<String> lines =
        told(
            mounted(1, new ThreadWait.MonitorEntry(A), Snapshots.monitor(B)),
            platform(new ThreadWait.MonitorEntry(B), Snapshots.monitor(A)),
            runnable(2));
    assertEquals(
        1,
        lines.stream().filter(line -> line.contains("thread #9 \"owner\" waits")).count(),
        lines::toString);
  }

  @Test
  void theWaitOfAnOwnerThatWaitsForNoOtherIsTold() {
    List<String> lines =
        told(
            mounted(1, new ThreadWait.MonitorEntry(A)),
            platform(condition(LATCH), Snapshots.monitor(A)),
            runnable(2));
    assertTrue(
        lines.contains(
            "  thread #9 \"owner\" waits in com.example.T9.run:10 for CountDownLatch$Sync@7"),
        lines::toString);
  }
}
