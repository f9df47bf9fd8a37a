package io.github.vtdiag.compare;

/** Time that a load is paced by. */
public interface Clock {
  /** The process's own. */
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

  /** As {@link System#nanoTime}: only differences mean something. */
  long nanos();

  /** Returns at once if the time is past. */
  void sleepUntil(long nanos) throws InterruptedException;
}
