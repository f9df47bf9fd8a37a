package io.github.vtdiag.live;

import io.github.vtdiag.dump.PrintedCarriers;
import io.github.vtdiag.dump.PrintedCarriers.Carrier;
import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import io.github.vtdiag.live.TopSample.Seen;
import io.github.vtdiag.live.TopSample.State;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.WrittenFrames;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/** Derives figures from repeated samples of the carriers. */
final class CarrierSamples {
  /**
   * The least part of the time in which a carrier runs, or could run. With less, what it carries is
   * blocked.
   */
  private static final double BLOCKED = 0.02;

  /**
   * The shortest time between two samples. Printed figures are rounded: a shorter one tells
   * nothing.
   */
  private static final long MOMENT_NANOS = 50_000_000;

  /**
   * A sample of a carrier.
   *
   * @param waited how long it could have run so far but got no processor
   * @param sinceNanos the time since when it carries the same thread
   */
  private record Sample(Carrier carrier, OptionalLong waited, long sinceNanos) {}

  /**
   * The activity of a carrier since the previous sample.
   *
   * @param processor the part of the time in which it was on a processor
   * @param ready the part in which it could have been, and got none
   */
  private record Did(double processor, double ready) {
    static final Did NOTHING = new Did(0, 0);
  }

  /** The activity of all carriers from one sample to the next, in nanoseconds. */
  private record Sum(long toNanos, double capacity, double processor, double ready, double kept) {}

  private final Set<String> schedulers = new HashSet<>();
  private final Deque<Sum> sums = new ArrayDeque<>();
  private final LongFunction<OptionalLong> waited;
  private Map<Long, Sample> before = Map.of();
  private long lastNanos;

  /**
   * @param waited how long a thread of the operating system's could have run but got no processor
   */
  CarrierSamples(LongFunction<OptionalLong> waited) {
    this.waited = waited;
  }

  /**
   * Takes a sample of the carriers.
   *
   * @param printed the output of {@code Thread.print}
   * @param nowNanos its time, by a monotonic clock
   * @param parallelism the number of carriers when all are needed, if it is known
   */
  List<CarrierRow> look(String printed, long nowNanos, OptionalInt parallelism) {
    List<CarrierRow> rows = new ArrayList<>();
    Map<Long, Sample> now = new HashMap<>();
    double processor = 0;
    double ready = 0;
    double kept = 0;
    for (Carrier carrier : PrintedCarriers.read(printed, schedulers)) {
      Sample last = before.get(carrier.id());
      boolean same =
          (carrier.carried().isPresent() || carrier.waitsItself())
              && last != null
              && last.carrier().waitsItself() == carrier.waitsItself()
              && last.carrier().carried().equals(carrier.carried());
      long since = same ? last.sinceNanos() : nowNanos;
      Sample look = new Sample(carrier, waited.apply(carrier.systemThread()), since);
      now.put(carrier.id(), look);
      Optional<Did> did = last == null ? Optional.empty() : did(last, look);
      State state = state(carrier, same, did);
      rows.add(
          new CarrierRow(
              carrier.id(),
              carrier.name(),
              state,
              did.map(each -> OptionalDouble.of(each.processor())).orElse(OptionalDouble.empty()),
              carrying(carrier, nowNanos - since)));
      processor += did.orElse(Did.NOTHING).processor();
      ready += did.orElse(Did.NOTHING).ready();
      kept += state == State.BLOCKED ? 1 : 0;
    }
    double nanos = nowNanos - lastNanos;
    if (!before.isEmpty() && nanos >= MOMENT_NANOS) {
      double all = nanos * Math.max(now.size(), parallelism.orElse(0));
      sums.addLast(new Sum(nowNanos, all, processor * nanos, ready * nanos, kept * nanos));
    }
    before = now;
    lastNanos = nowNanos;
    return rows;
  }

  /** Returns what the carriers did in the last seconds; empty before the second sample. */
  Optional<Seen> seen(Duration window) {
    while (sums.size() > 1 && sums.getFirst().toNanos() < lastNanos - window.toNanos()) {
      sums.removeFirst();
    }
    double capacity = sum(Sum::capacity);
    return capacity <= 0
        ? Optional.empty()
        : Optional.of(
            new Seen(
                Math.min(1, sum(Sum::processor) / capacity),
                Math.min(1, sum(Sum::ready) / capacity),
                Math.min(1, sum(Sum::kept) / capacity)));
  }

  private double sum(ToDoubleFunction<Sum> part) {
    return sums.stream().mapToDouble(part).sum();
  }

  private static Optional<Did> did(Sample last, Sample now) {
    long elapsed = now.carrier().elapsedNanos() - last.carrier().elapsedNanos();
    if (now.carrier().cpuNanos() < 0 || last.carrier().cpuNanos() < 0 || elapsed < MOMENT_NANOS) {
      return Optional.empty();
    }
    double used = now.carrier().cpuNanos() - last.carrier().cpuNanos();
    double ready =
        now.waited().isPresent() && last.waited().isPresent()
            ? now.waited().getAsLong() - last.waited().getAsLong()
            : 0;
    return Optional.of(
        new Did(Math.clamp(used / elapsed, 0.0, 1.0), Math.clamp(ready / elapsed, 0.0, 1.0)));
  }

  private static State state(Carrier carrier, boolean same, Optional<Did> did) {
    if (carrier.waitsItself()) {
      return State.BLOCKED;
    }
    if (carrier.carried().isEmpty()) {
      return State.IDLE;
    }
    if (did.isEmpty()) {
      return State.CARRIES;
    }
    return same && did.get().processor() + did.get().ready() < BLOCKED ? State.BLOCKED : State.RUNS;
  }

  private static Optional<Carrying> carrying(Carrier carrier, long nanos) {
    return carrier.carried().isEmpty() && !carrier.waitsItself()
        ? Optional.empty()
        : Optional.of(
            new Carrying(
                carrier.carried().orElse(carrier.id()),
                "",
                nanos,
                false,
                application(carrier.stack())));
  }

  /** Returns the innermost frame in which somebody wrote a call, or the innermost of all. */
  static Optional<Frame> application(List<Frame> stack) {
    return WrittenFrames.innermost(stack).or(() -> stack.stream().findFirst());
  }
}
