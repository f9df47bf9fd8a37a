package io.github.vtdiag.dump;

import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.Diagnoser;
import io.github.vtdiag.hang.Diagnosis;
import io.github.vtdiag.hang.LockCycle;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.StuckState;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.Frame;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The answer to whether a JVM hangs, from its snapshots.
 *
 * @param looks the snapshots
 * @param diagnoses their diagnoses, the worst first
 * @param pools the known pools that threads wait for
 * @param unseen threads that stand still for a lock whose owner cannot be seen
 * @param keepers virtual threads that stand still on their carriers, if it is not known whether the
 *     JVM hangs
 * @param agentSays the hangs that vtdiag's agent in that JVM sees now
 * @param outcome all of it in one word
 */
public record HangAnswer(
    SnapshotPair looks,
    List<Diagnosis> diagnoses,
    List<PoolCrowd> pools,
    List<SeenThread> unseen,
    List<SeenThread> keepers,
    List<ToldHang> agentSays,
    Outcome outcome) {

  private static final String CARRIERS_KEPT =
      "All carriers are kept by threads that stand still; this Java does not tell whether others"
          + " were woken and need one.";

  /** The outcome for a script. */
  public enum Outcome {
    HANGS,
    FINE,
    NOT_KNOWN
  }

  public HangAnswer {
    diagnoses = List.copyOf(diagnoses);
    pools = List.copyOf(pools);
    unseen = List.copyOf(unseen);
    keepers = List.copyOf(keepers);
    agentSays = List.copyOf(agentSays);
  }

  /** Diagnoses the snapshots. */
  public static HangAnswer of(SnapshotPair seen) {
    boolean isStarved =
        seen.apart().isPresent()
            && Diagnoser.diagnose(seen.before(), seen.after()).stream()
                .anyMatch(CarriersKept.class::isInstance);
    SnapshotPair looks = carriersKept(seen) && !isStarved ? seen.with(CARRIERS_KEPT) : seen;
    List<Diagnosis> diagnoses = Diagnoser.diagnose(looks.before(), looks.after());
    List<SeenThread> unseen = unseen(looks, diagnoses);
    boolean hangs = diagnoses.stream().anyMatch(each -> hangs(each, looks));
    boolean known =
        looks.limits().isEmpty()
            && unseen.isEmpty()
            && diagnoses.stream().noneMatch(HangAnswer::leavesOpen);
    Outcome outcome = hangs ? Outcome.HANGS : known ? Outcome.FINE : Outcome.NOT_KNOWN;
    return new HangAnswer(
        looks,
        diagnoses,
        Pools.crowds(looks.after().threads()),
        unseen,
        outcome == Outcome.NOT_KNOWN ? keepers(looks) : List.of(),
        List.of(),
        outcome);
  }

  /** Returns the same with what vtdiag's agent says, which sees more. */
  public HangAnswer with(List<ToldHang> agentSays) {
    Outcome all = outcome;
    if (agentSays.stream().anyMatch(ToldHang::isCertain)) {
      all = Outcome.HANGS;
    } else if (!agentSays.isEmpty() && outcome == Outcome.FINE) {
      all = Outcome.NOT_KNOWN;
    }
    return new HangAnswer(looks, diagnoses, pools, unseen, keepers, agentSays, all);
  }

  /**
   * Returns whether a thread stands still in that state without a visible cause, as a fault of the
   * JDK leaves it.
   */
  public boolean mayBe(StuckState state) {
    List<SeenThread> lost =
        diagnoses.stream()
            .flatMap(
                diagnosis ->
                    diagnosis instanceof Diagnosis.LostWakeUp lostWakeUp
                        ? lostWakeUp.waiters().stream()
                        : Stream.empty())
            .toList();
    return switch (state) {
      case BLOCKED ->
          Stream.concat(unseen.stream(), lost.stream())
              // A mounted one waits for a monitor that the JVM itself takes.
              .filter(thread -> thread.mount() != SeenThread.Mount.MOUNTED)
              .anyMatch(thread -> thread.waitsFor() instanceof ThreadWait.MonitorEntry);
      case PARKED ->
          Stream.concat(unseen.stream(), lost.stream())
              .anyMatch(thread -> thread.waitsFor() instanceof ThreadWait.Park);
      case PINNED ->
          looks.after().threads().stream()
              .anyMatch(
                  thread ->
                      thread.virtual()
                          && thread.mount() != SeenThread.Mount.UNMOUNTED
                          && thread.frames().stream().anyMatch(HangAnswer::printsPins));
    };
  }

  private static boolean printsPins(Frame frame) {
    return frame.type().name().equals("java.lang.PinnedThreadPrinter")
        || frame.type().name().equals("java.io.PrintStream");
  }

  /** Returns whether the snapshots leave open if the JVM hangs, whatever the agent says. */
  public boolean isOpen() {
    return !looks.limits().isEmpty()
        || !unseen.isEmpty()
        || diagnoses.stream().anyMatch(HangAnswer::leavesOpen);
  }

  private static List<SeenThread> keepers(SnapshotPair looks) {
    Map<Long, SeenThread> earlier = new HashMap<>();
    looks.before().threads().forEach(thread -> earlier.put(thread.id(), thread));
    return looks.after().threads().stream()
        .filter(thread -> thread.virtual() && thread.mount() == SeenThread.Mount.MOUNTED)
        .filter(thread -> !(thread.waitsFor() instanceof ThreadWait.Nothing))
        .filter(
            thread ->
                earlier.containsKey(thread.id()) && thread.stoodStill(earlier.get(thread.id())))
        .toList();
  }

  /**
   * Returns whether every carrier is monopolized by a thread that stands still. Then a thread that
   * was woken and needs a carrier looks as if it still slept.
   */
  private static boolean carriersKept(SnapshotPair looks) {
    if (looks.after().monitorsComplete() || looks.after().carriers().carriers().isEmpty()) {
      return false;
    }
    Map<Long, SeenThread> earlier = new HashMap<>();
    looks.before().threads().forEach(thread -> earlier.put(thread.id(), thread));
    int kept = 0;
    boolean others = false;
    for (SeenThread thread : looks.after().threads()) {
      if (thread.virtual()
          && thread.mount() == SeenThread.Mount.MOUNTED
          && !looks.after().isElsewhere(thread)) {
        SeenThread before = earlier.get(thread.id());
        if (before == null
            || !thread.stoodStill(before)
            || thread.waitsFor() instanceof ThreadWait.Nothing) {
          return false;
        }
        kept++;
      }
      others |=
          thread.virtual()
              && thread.mount() != SeenThread.Mount.MOUNTED
              && thread.state().isEmpty();
    }
    return others && kept >= looks.after().carriers().carriers().getAsInt();
  }

  private static boolean hangs(Diagnosis diagnosis, SnapshotPair looks) {
    return switch (diagnosis.kind().severity()) {
      case DEADLOCK, STANDSTILL -> diagnosis.isShownByOneLook() || looks.apart().isPresent();
      case SUSPECTED, UNDECIDED, NOTABLE, FINE -> false;
    };
  }

  /** Returns whether the diagnosis may be a hang or not. */
  public static boolean leavesOpen(Diagnosis diagnosis) {
    return switch (diagnosis.kind().severity()) {
      case SUSPECTED, UNDECIDED -> true;
      case DEADLOCK, STANDSTILL, NOTABLE, FINE -> false;
    };
  }

  /** Returns whether the diagnosis is certain; if not, it is reported as probable. */
  public boolean isSure(Diagnosis diagnosis) {
    return diagnosis.isSure()
        && (looks.apart().isPresent() || (looks.heap() && diagnosis.isShownByFields()));
  }

  /**
   * Returns the threads that wait for a lock of unknown owner, have not moved, and may wait
   * forever.
   */
  private static List<SeenThread> unseen(SnapshotPair looks, List<Diagnosis> diagnoses) {
    Set<Long> explained = new HashSet<>();
    for (Diagnosis diagnosis : diagnoses) {
      if (diagnosis instanceof LockCycle cycle) {
        cycle.edges().forEach(edge -> explained.add(edge.waiter().id()));
      }
    }
    Map<Long, SeenThread> earlier = new HashMap<>();
    looks.before().threads().forEach(thread -> earlier.put(thread.id(), thread));
    Set<LockRef> heldSomewhere = new HashSet<>();
    for (SeenThread thread : looks.after().threads()) {
      thread.held().forEach(held -> heldSomewhere.add(held.lock()));
    }
    return looks.after().threads().stream()
        .filter(thread -> !explained.contains(thread.id()))
        .filter(thread -> waitsForUnseen(thread, heldSomewhere))
        .filter(
            thread ->
                earlier.containsKey(thread.id()) && thread.stoodStill(earlier.get(thread.id())))
        .toList();
  }

  private static boolean waitsForUnseen(SeenThread thread, Set<LockRef> held) {
    return switch (thread.waitsFor()) {
      case ThreadWait.MonitorEntry entry -> !entry.lock().isExact() || !held.contains(entry.lock());
      case ThreadWait.Park park ->
          park.holder() instanceof LockHolder.NotKnown
              && !park.timed()
              && thread.frames().stream().anyMatch(HangAnswer::takesLock)
              // A socket's own lock is held by the thread that waits for the network.
              && thread.frames().stream()
                  .noneMatch(frame -> frame.type().name().startsWith("sun.nio.ch."));
      // It stays on its carrier and does nothing: it may be blocked on a monitor.
      case ThreadWait.NotKnown unknown -> thread.virtual();
      case ThreadWait.ClassInitialization awaited -> true;
      case ThreadWait.ObjectWait object -> false;
      case ThreadWait.NativeCode code -> false;
      case ThreadWait.Sleep sleep -> false;
      case ThreadWait.Nothing nothing -> false;
    };
  }

  private static boolean takesLock(Frame frame) {
    String type = frame.type().name();
    return type.startsWith("java.util.concurrent.locks.")
        && switch (type.substring("java.util.concurrent.locks.".length())) {
          case "ReentrantLock",
              "ReentrantReadWriteLock$ReadLock",
              "ReentrantReadWriteLock$WriteLock" ->
              frame.method().equals("lock") || frame.method().equals("lockInterruptibly");
          case "StampedLock" -> frame.method().endsWith("Lock");
          default -> false;
        };
  }
}
