package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The hangs that were reported and had not ended. They explain stalls, which are not reported. */
public final class ReportedHangs {
  private final Set<String> methods = new HashSet<>();

  /** The objects that threads of deadlocks hold or wait for. */
  private final Set<String> locks = new HashSet<>();

  /** Their classes, and those of the methods that hold them. */
  private final Set<String> lockClasses = new HashSet<>();

  /**
   * Adds a hang.
   *
   * @param deadlock whether it cannot end by itself; then nothing releases its locks
   * @param locks the objects that its threads hold or wait for
   */
  public void add(boolean deadlock, List<HangPlace> places, Set<String> locks) {
    for (HangPlace place : places) {
      methods.add(place.method());
      if (deadlock) {
        if (!place.caller().isEmpty()) {
          methods.add(place.caller());
        }
        Stream.concat(
                Stream.of(place.lock()),
                Stream.of(place.method(), place.holder()).map(ReportedHangs::classOf))
            .filter(name -> !name.isEmpty())
            .forEach(lockClasses::add);
      }
    }
    if (deadlock) {
      this.locks.addAll(locks);
    }
  }

  /** Returns whether these threads are in a hang, or wait for a lock of a deadlock. */
  public boolean explain(Stall stall) {
    String lock = stall.lock();
    return methods.contains(stall.method())
        || locks.contains(lock)
        || (lock.isEmpty() && stall.awaited().kind() == Awaited.Kind.MONITOR && mayBeBehind(stall));
  }

  /**
   * Returns whether a monitor that is not known as an object may be one of a deadlock: it is
   * entered in a class whose object is in the deadlock, or whose method holds a lock of it. The
   * program hangs in any case, and what else holds up the threads is told once that has gone.
   */
  private boolean mayBeBehind(Stall stall) {
    List<Frame> frames = stall.stack().frames();
    if (frames.isEmpty()) {
      return false;
    }
    String entered = frames.getFirst().type().name();
    return lockClasses.contains(entered);
  }

  private static String classOf(String method) {
    return method.substring(0, Math.max(0, method.lastIndexOf('.')));
  }
}
