package io.github.vtdiag.agent.ends;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A value that takes some work to find out, so it is looked for once in a time at most. */
public final class Seldom<T> {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long periodNanos;
  private final Supplier<T> look;

  /** Null before the first use. */
  private T known;

  private long lookedNanos;

  /** Looks once in ten seconds at most. */
  public Seldom(Supplier<T> look) {
    this(PERIOD_NANOS, look);
  }

  public Seldom(long periodNanos, Supplier<T> look) {
    this.periodNanos = periodNanos;
    this.look = look;
  }

  public T get() {
    long now = System.nanoTime();
    if (known == null || now - lookedNanos >= periodNanos) {
      lookedNanos = now;
      known = look.get();
    }
    return known;
  }
}
