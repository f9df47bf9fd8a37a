package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitTally;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.waits.KnownPools;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The threads that use an object of a pool, and wait for a lock meanwhile. If they have most of the
 * objects, the lock is the cause of the waits for the pool.
 */
final class PoolUsers {
  /** The part of the pool's objects from which on the lock is the cause. */
  private static final double MOST = 0.5;

  private final SeenWaits seen;
  private final List<Pin> pins;
  private final long durationNanos;
  private final Function<WaitCrowd, Optional<Frame>> lockOf;

  /**
   * The users that wait for one lock.
   *
   * @param place the method that waits for it
   * @param threads the mean number of them while other threads wait for the pool
   */
  record AtLock(String place, double threads) {}

  /**
   * @param lockOf returns the method in which threads wait for a lock; empty if they wait for none
   */
  PoolUsers(
      SeenWaits seen,
      List<Pin> pins,
      long durationNanos,
      Function<WaitCrowd, Optional<Frame>> lockOf) {
    this.seen = seen;
    this.pins = pins;
    this.durationNanos = durationNanos;
    this.lockOf = lockOf;
  }

  /**
   * Returns the users that wait for a lock, if they have most of the objects.
   *
   * @param pool a frame of the pool
   * @param objects the number of objects
   * @param looks the samples in which threads waited for the pool
   */
  Optional<AtLock> atLock(Frame pool, long objects, List<WaitLook> looks) {
    Transactions transactions = transactions(pool, looks);
    Map<String, Double> byPlace = new HashMap<>();
    for (WaitLook look : looks) {
      for (WaitCrowd crowd : seen.crowds().getOrDefault(look.number(), List.of())) {
        StackTrace stack = seen.stacks().get(crowd.stack());
        if (stack != null && isUser(stack.frames(), pool, transactions)) {
          lockOf
              .apply(crowd)
              .ifPresent(
                  place ->
                      byPlace.merge(
                          place.qualifiedMethod(),
                          crowd.threads() * WaitTally.scale(look) / looks.size(),
                          Double::sum));
        }
      }
    }
    double waited = (double) durationNanos * looks.size() / seen.looks().size();
    for (Pin pin : pins) {
      if (pin.kind() == PinKind.MONITOR_ENTRY && isUser(pin.stack().frames(), pool, transactions)) {
        // Contention before or after the waits for the pool is not their cause.
        double nanos = Math.max(waited, (double) pin.activeNanos());
        byPlace.merge(pin.title(), pin.total() / nanos, Double::sum);
      }
    }
    return byPlace.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() >= MOST * objects)
        .map(most -> new AtLock(most.getKey(), Math.min(most.getValue(), (double) objects)));
  }

  private static boolean isUser(List<Frame> frames, Frame pool, Transactions transactions) {
    return KnownPools.isUser(frames, pool) || transactions.areAround(frames);
  }

  /** Returns the transactions that were seen to begin with a wait for the pool. */
  private Transactions transactions(Frame pool, List<WaitLook> looks) {
    Transactions transactions = new Transactions();
    looks.stream()
        .flatMap(look -> seen.crowds().getOrDefault(look.number(), List.of()).stream())
        .map(WaitCrowd::stack)
        .distinct()
        .map(seen.stacks()::get)
        .filter(Objects::nonNull)
        .map(StackTrace::frames)
        .filter(
            frames ->
                KnownPools.askedBy(frames)
                    .map(asked -> asked.inside().qualifiedMethod())
                    .filter(pool.qualifiedMethod()::equals)
                    .isPresent())
        .forEach(transactions::addWaiting);
    return transactions;
  }
}
