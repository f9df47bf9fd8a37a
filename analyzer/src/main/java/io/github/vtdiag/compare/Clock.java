package io.github.vtdiag.compare;

/** The time by which a load is paced. */
public interface Clock {
  /** The clock of the process. */
  Clock SYSTEM =
      new Clock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleepUntil(long nanos) throws InterruptedException {
          long left = nanos - System.nanoTime();
          if (left > 0) {
            Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
          }
        }
      };

  /** Returns a time as {@link System#nanoTime} does: only differences mean something. */
  long nanos();

  /** Returns at once if the time is past. */
  void sleepUntil(long nanos) throws InterruptedException;
}
