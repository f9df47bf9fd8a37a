package io.github.vtdiag.watch;

/** Tells a thread that waits from one that has no processor. */
@FunctionalInterface
public interface Scheduling {
  /** Whether a platform thread may want a processor now, which it has or has not. */
  boolean mayWantProcessor(Thread thread);
}
