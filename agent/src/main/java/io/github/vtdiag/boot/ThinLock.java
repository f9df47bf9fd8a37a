package io.github.vtdiag.boot;

/** A lock of {@link LockTable} for which no thread waits. Only its thread reads the count. */
final class ThinLock {
  final Object object;
  final Thread thread;

  /** The number of times the thread entered again. */
  int again;

  ThinLock(Object object, Thread thread) {
    this.object = object;
    this.thread = thread;
  }
}
