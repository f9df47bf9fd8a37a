package io.github.vtdiag.dump;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A thread as a JSON dump describes it.
 *
 * @param container what started it: an executor, a scheduler, or the JVM's root
 * @param virtual whether it says that it is virtual, which dumps of Java 21 to 24 never do
 * @param state empty in the dumps of Java 21 to 24, like all that follows but the stack
 * @param parkBlocker the object for which it is parked
 * @param holder the owner of that object, if the dump says so
 * @param monitor the monitor at which it is blocked or on which it waits
 * @param awaitedClass the class that another thread initializes; only vtdiag's own dumps tell it
 * @param monitorsComplete whether all monitors that it holds are known, if its state is
 */
record DumpedThread(
    long id,
    String name,
    String container,
    boolean virtual,
    Optional<Thread.State> state,
    Optional<LockRef> parkBlocker,
    LockHolder holder,
    Optional<LockRef> monitor,
    Optional<String> awaitedClass,
    List<Frame> frames,
    List<HeldLock> held,
    OptionalLong carrier,
    boolean monitorsComplete) {

  /** Returns whether some frame is of that method, any overload. */
  boolean runs(String className, String method) {
    return frames.stream().anyMatch(frame -> frame.is(className, method));
  }

  /** Returns whether the innermost frame is of that class. */
  boolean standsIn(String className) {
    return !frames.isEmpty() && frames.getFirst().type().name().equals(className);
  }
}
