package io.github.vtdiag.hang;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Snapshots made by hand. */
final class Snapshots {
  static final LockRef A = LockRef.of("com.example.A", 1);
  static final LockRef B = LockRef.of("com.example.B", 2);

  private Snapshots() {}

  static Frame frame(String className, int line) {
    return new Frame(new ClassRef(className, "app"), "run", "", 0, -1, line, Frame.Kind.UNKNOWN);
  }

  /** An unmounted virtual thread. */
  static SeenThread parked(long id, ThreadWait wait, HeldLock... held) {
    return new SeenThread(
        id,
        "",
        true,
        Optional.of(wait.isTimed() ? Thread.State.TIMED_WAITING : Thread.State.WAITING),
        SeenThread.Mount.UNMOUNTED,
        OptionalLong.empty(),
        List.of(frame("com.example.T" + id, 10)),
        wait,
        List.of(held));
  }

  /** A virtual thread that keeps carrier {@code id + 100}. */
  static SeenThread mounted(long id, ThreadWait wait, HeldLock... held) {
    return new SeenThread(
        id,
        "",
        true,
        Optional.of(
            wait instanceof ThreadWait.MonitorEntry ? Thread.State.BLOCKED : Thread.State.WAITING),
        SeenThread.Mount.MOUNTED,
        OptionalLong.of(id + 100),
        List.of(frame("com.example.T" + id, 10)),
        wait,
        List.of(held));
  }

  /** A virtual thread that could run. */
  static SeenThread runnable(long id) {
    return new SeenThread(
        id,
        "",
        true,
        Optional.of(Thread.State.RUNNABLE),
        SeenThread.Mount.UNMOUNTED,
        OptionalLong.empty(),
        List.of(frame("com.example.T" + id, 10)),
        new ThreadWait.Nothing(),
        List.of());
  }

  static SeenThread movedTo(SeenThread thread, int line) {
    return standing(thread, List.of(frame("com.example.T" + thread.id(), line)));
  }

  static SeenThread standing(SeenThread thread, List<Frame> frames) {
    return new SeenThread(
        thread.id(),
        thread.name(),
        thread.virtual(),
        thread.state(),
        thread.mount(),
        thread.carrier(),
        frames,
        thread.waitsFor(),
        thread.held());
  }

  static ThreadWait lockOf(LockRef lock, long owner) {
    return new ThreadWait.Park(Optional.of(lock), new LockHolder.HeldBy(owner), false);
  }

  static ThreadWait timedLockOf(LockRef lock, long owner) {
    return new ThreadWait.Park(Optional.of(lock), new LockHolder.HeldBy(owner), true);
  }

  static ThreadWait taskOf(LockRef future, long runner, boolean timed) {
    return new ThreadWait.Park(Optional.of(future), new LockHolder.RunBy(runner), timed);
  }

  static ThreadWait endOf(LockRef latch, long joined) {
    return new ThreadWait.Park(Optional.of(latch), new LockHolder.EndOf(joined), false);
  }

  static ThreadWait freeLock(LockRef lock, long next) {
    return new ThreadWait.Park(
        Optional.of(lock), new LockHolder.Free(OptionalLong.of(next)), false);
  }

  static ThreadWait condition(LockRef lock) {
    return new ThreadWait.Park(Optional.of(lock), new LockHolder.NotKnown(), false);
  }

  static HeldLock monitor(LockRef lock) {
    return new HeldLock(HeldLock.Kind.MONITOR, lock, 0);
  }

  static HeldLock initializes(String className) {
    return new HeldLock(HeldLock.Kind.CLASS_INITIALIZATION, LockRef.anyOf(className), 0);
  }

  static Snapshot look(SeenThread... threads) {
    return look(2, threads);
  }

  /** With so many carriers, each of which could run. */
  static Snapshot look(int carriers, SeenThread... threads) {
    return new Snapshot(
        List.of(threads),
        0,
        new CarrierPool(
            OptionalInt.of(carriers),
            OptionalInt.of(carriers),
            OptionalLong.of(Arrays.stream(threads).filter(SeenThread::needsCarrier).count()),
            Optional.empty()),
        Arrays.stream(threads)
            .map(SeenThread::waitsFor)
            .allMatch(
                wait -> !(wait instanceof ThreadWait.MonitorEntry entry) || entry.lock().isExact()),
        Reachability.NOT_KNOWN,
        List.of());
  }

  /** Nothing moved between two looks. */
  static List<Diagnosis> stoodStill(Snapshot snapshot) {
    return Diagnoser.diagnose(snapshot, snapshot);
  }

  /** Every thread moved between two looks. */
  static List<Diagnosis> moved(Snapshot snapshot) {
    List<SeenThread> later = new ArrayList<>();
    snapshot.threads().forEach(thread -> later.add(movedTo(thread, 11)));
    return Diagnoser.diagnose(
        snapshot,
        new Snapshot(
            later,
            0,
            snapshot.carriers(),
            snapshot.monitorsComplete(),
            Reachability.NOT_KNOWN,
            List.of()));
  }
}
