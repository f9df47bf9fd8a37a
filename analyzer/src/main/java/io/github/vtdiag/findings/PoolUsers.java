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
import java.util.function.Predicate;

/**
 * The threads that have an object of a pool, and wait for a lock meanwhile, or for something else
 * in a transaction, which does not use its object then. If they have most of the objects, that is
 * the cause of the waits for the pool.
 */
final class PoolUsers {
  /** The part of the pool's objects from which on that is the cause. */
  private static final double MOST = 0.5;

  private final SeenWaits seen;
  private final List<Pin> pins;
  private final long durationNanos;
  private final Function<WaitCrowd, Optional<Frame>> lockOf;
  private final Function<WaitCrowd, Optional<Waits.Holder>> placeOf;

  /** The users that have most of the objects, and what they do with them. */
  sealed interface Most {}

  /**
   * The users that wait for one lock.
   *
   * @param place the method that waits for it
   * @param threads the mean number of them while other threads wait for the pool
   */
  record AtLock(String place, double threads) implements Most {}

  /**
   * The transactions that wait in one place, and do not use their objects.
   *
   * @param threads the mean number of them while other threads wait for the pool
   */
  record InTransaction(Meanwhile meanwhile, double threads) implements Most {}

  /** The thing that transactions wait for meanwhile, and the application's method that waits. */
  record Meanwhile(String place, String awaited) {}

  /**
   * @param lockOf returns the method in which threads wait for a lock; empty if they wait for none
   * @param placeOf returns the application's method in which they wait; empty if it is unknown
   */
  PoolUsers(
      SeenWaits seen,
      List<Pin> pins,
      long durationNanos,
      Function<WaitCrowd, Optional<Frame>> lockOf,
      Function<WaitCrowd, Optional<Waits.Holder>> placeOf) {
    this.seen = seen;
    this.pins = pins;
    this.durationNanos = durationNanos;
    this.lockOf = lockOf;
    this.placeOf = placeOf;
  }

  /**
   * Returns the users that have most of the objects: those that wait for a lock or, if they are too
   * few, the transactions that wait for something else.
   *
   * @param pool a frame of the pool
   * @param objects the number of objects
   * @param looks the samples in which threads waited for the pool
   */
  Optional<Most> most(Frame pool, long objects, List<WaitLook> looks) {
    Transactions transactions = transactions(pool, looks);
    return atLock(pool, objects, looks, transactions)
        .or(() -> inTransaction(pool, objects, looks, transactions));
  }

  private Optional<Most> atLock(
      Frame pool, long objects, List<WaitLook> looks, Transactions transactions) {
    Map<String, Double> byPlace =
        means(
            looks,
            frames -> isUser(frames, pool, transactions),
            crowd -> lockOf.apply(crowd).map(Frame::qualifiedMethod));
    double waited = (double) durationNanos * looks.size() / seen.looks().size();
    for (Pin pin : pins) {
      if (pin.kind() == PinKind.MONITOR_ENTRY && isUser(pin.stack().frames(), pool, transactions)) {
        // Contention before or after the waits for the pool is not their cause.
        double nanos = Math.max(waited, (double) pin.activeNanos());
        byPlace.merge(pin.title(), pin.total() / nanos, Double::sum);
      }
    }
    return largest(byPlace, objects).map(most -> new AtLock(most.getKey(), most.getValue()));
  }

  private Optional<Most> inTransaction(
      Frame pool, long objects, List<WaitLook> looks, Transactions transactions) {
    Map<Meanwhile, Double> byPlace =
        means(
            looks,
            frames -> transactions.areAround(frames) && !KnownPools.isUser(frames, pool),
            crowd ->
                placeOf
                    .apply(crowd)
                    .map(at -> new Meanwhile(at.site().qualifiedMethod(), at.awaited().subject())));
    return largest(byPlace, objects).map(most -> new InTransaction(most.getKey(), most.getValue()));
  }

  /** Returns the mean numbers of threads with such stacks. */
  private <K> Map<K, Double> means(
      List<WaitLook> looks, Predicate<List<Frame>> isSo, Function<WaitCrowd, Optional<K>> key) {
    Map<K, Double> means = new HashMap<>();
    for (WaitLook look : looks) {
      for (WaitCrowd crowd : seen.crowds().getOrDefault(look.number(), List.of())) {
        StackTrace stack = seen.stacks().get(crowd.stack());
        if (stack != null && isSo.test(stack.frames())) {
          double threads = crowd.threads() * WaitTally.scale(look) / looks.size();
          key.apply(crowd).ifPresent(same -> means.merge(same, threads, Double::sum));
        }
      }
    }
    return means;
  }

  private static <K> Optional<Map.Entry<K, Double>> largest(Map<K, Double> means, long objects) {
    return means.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() >= MOST * objects)
        .map(most -> Map.entry(most.getKey(), Math.min(most.getValue(), (double) objects)));
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
