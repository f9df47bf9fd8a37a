package io.github.vtdiag.agent.metrics;

import io.github.vtdiag.watch.Carried;
import io.github.vtdiag.watch.Carriers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.ReentrantLock;

/** The scheduler of virtual threads as it is now, once there is a virtual thread. */
final class LiveScheduler {
  private final ReentrantLock lock = new ReentrantLock();
  private final Carriers carriers = new Carriers();
  private final Optional<Carried> carried;

  /**
   * @param carried tells what a carrier carries, if this JVM does
   */
  LiveScheduler(Optional<Carried> carried) {
    this.carried = carried;
  }

  /**
   * Its state.
   *
   * @param mounted how many virtual threads are on a carrier, if this JVM tells
   * @param queued how many could run and have none
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
