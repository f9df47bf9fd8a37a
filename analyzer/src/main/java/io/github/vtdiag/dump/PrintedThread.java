package io.github.vtdiag.dump;

import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A platform thread as {@code Thread.print} describes it.
 *
 * @param cpuNanos the processor time it has used; -1 if it does not tell
 * @param elapsedNanos since it was started
 * @param state empty while it carries a virtual thread
 * @param carried the id of the virtual thread that it carries
 * @param frames its own stack, innermost first
 * @param waits what it waits for
 * @param locked the monitors it holds
 * @param owned the locks of {@code java.util.concurrent} it holds
 * @param awaitedClass the class of which it, or what it carries, waits for the initializer
 */
record PrintedThread(
    long id,
    String name,
    long cpuNanos,
    long elapsedNanos,
    Optional<Thread.State> state,
    OptionalLong carried,
    List<Frame> frames,
    Optional<Waits> waits,
    List<Locked> locked,
    List<Printed> owned,
    Optional<String> awaitedClass) {

  /** An object by its address, which lasts until the garbage collector moves it. */
  record Printed(long address, String className) {
    LockRef reference() {
      return LockRef.of(className, (int) (address >>> 32 == 0 ? address : address >>> 3));
    }
  }

  /** The way in which a thread waits. */
  enum How {
    TO_LOCK,
    ON_MONITOR,
    PARKED
  }

  record Waits(How how, Printed object) {}

  /** A monitor that the frame at that depth holds. */
  record Locked(int depth, Printed object) {}
}
