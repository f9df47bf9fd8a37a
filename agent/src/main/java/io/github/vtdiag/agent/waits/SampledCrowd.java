package io.github.vtdiag.agent.waits;

import io.github.vtdiag.pin.WaitCrowd;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** The threads that a sample finds waiting at one place for the same sort of object. */
final class SampledCrowd {
  private final Set<Integer> locks = new HashSet<>();

  /**
   * The stack of one thread that owns what they wait for; empty if there is no owner or it is
   * unknown.
   */
  private List<StackTraceElement> owner = List.of();

  private int threads;

  /** The permits that are left of the semaphore; negative if it is no semaphore. */
  private int free = -1;

  /**
   * Adds a thread.
   *
   * @param lock what it is parked for; null if it does not say
   * @param permits those that are left of it; negative if it is no semaphore
   * @param holder the thread that owns it, if one does
   * @param stackOf reads the stack of a thread
   */
  void add(
      Object lock,
      int permits,
      Optional<Thread> holder,
      Function<Thread, List<StackTraceElement>> stackOf) {
    threads++;
    if (lock != null) {
      locks.add(System.identityHashCode(lock));
    }
    free = permits;
    if (holder.isPresent() && owner.isEmpty()) {
      owner = stackOf.apply(holder.get());
    }
  }

  /**
   * Returns them as they are recorded.
   *
   * @param look the number of the sample
   * @param number returns the number of a stack
   */
  WaitCrowd told(
      long look, FollowedThread.Place place, ToIntFunction<List<StackTraceElement>> number) {
    boolean one = locks.size() == 1;
    return new WaitCrowd(
        look,
        number.applyAsInt(place.stack()),
        place.state(),
        place.lockClass(),
        one ? locks.iterator().next() : 0,
        locks.size(),
        threads,
        owner.isEmpty() ? WaitSampler.UNNUMBERED : number.applyAsInt(owner),
        one ? free + 1 : 0);
  }
}
