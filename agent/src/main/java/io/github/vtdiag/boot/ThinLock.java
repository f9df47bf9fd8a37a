package io.github.vtdiag.boot;

/** A lock of {@link LockTable} for which nobody waits. Only its thread reads the count. */
final class ThinLock {
  final Object object;
  final Thread thread;

  /** How often the thread entered again. */
  int again;

  ThinLock(Object object, Thread thread) {
    this.object = object;
    this.thread = thread;
  }
}
