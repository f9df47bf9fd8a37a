package io.github.vtdiag.agent.metrics;

import io.github.vtdiag.watch.Carried;
import io.github.vtdiag.watch.Carriers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.ReentrantLock;

/** The current state of the scheduler of virtual threads, once there is a virtual thread. */
final class LiveScheduler {
  private final ReentrantLock lock = new ReentrantLock();
  private final Carriers carriers = new Carriers();
  private final Optional<Carried> carried;

  /**
   * @param carried knows what is mounted on a carrier, if this JVM shows it
   */
  LiveScheduler(Optional<Carried> carried) {
    this.carried = carried;
  }

  /**
   * Its state.
   *
   * @param mounted the number of mounted virtual threads, if this JVM shows it
   * @param queued the number of virtual threads that could run and have no carrier
   */
  record Now(int parallelism, int poolSize, OptionalInt mounted, long queued) {}

  Optional<Now> look() {
    lock.lock();
    try {
      List<ForkJoinWorkerThread> found = carriers.find();
      return found.stream()
          .map(ForkJoinWorkerThread::getPool)
          .findFirst()
          .map(pool -> now(pool, found));
    } finally {
      lock.unlock();
    }
  }

  private Now now(ForkJoinPool pool, List<ForkJoinWorkerThread> found) {
    return new Now(
        pool.getParallelism(), pool.getPoolSize(), mounted(found), Carriers.queued(pool));
  }

  private OptionalInt mounted(List<ForkJoinWorkerThread> found) {
    if (carried.isEmpty()) {
      return OptionalInt.empty();
    }
    int mounted = 0;
    try {
      for (Thread carrier : found) {
        mounted += carried.get().isCarrying(carrier) ? 1 : 0;
      }
    } catch (ReflectiveOperationException e) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(mounted);
  }
}
