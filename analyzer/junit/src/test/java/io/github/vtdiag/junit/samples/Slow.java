package io.github.vtdiag.junit.samples;

/** Takes its time to be initialized. */
final class Slow {
  static {
    // Not by another class of this package: another loader has that.
    try {
      Thread.sleep(Long.getLong("slow.millis", 60));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Slow() {}
}
