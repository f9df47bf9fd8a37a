package io.github.vtdiag.agent.waits;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A value that takes some work to find out, so it is looked for once in ten seconds at most. */
final class Seldom<T> {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Supplier<T> look;

  /** Null before the first use. */
  private T known;

  private long lookedNanos;

  Seldom(Supplier<T> look) {
    this.look = look;
  }

  T get() {
    long now = System.nanoTime();
    if (known == null || now - lookedNanos >= PERIOD_NANOS) {
      lookedNanos = now;
      known = look.get();
    }
    return known;
  }
}
