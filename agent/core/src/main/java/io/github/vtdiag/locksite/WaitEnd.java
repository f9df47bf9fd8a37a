package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LoopTarget;
import java.util.Set;

/**
 * The code by which a thread ends the waits of others.
 *
 * @param calls calls that do, as {@code java/util/concurrent/CountDownLatch.countDown}
 * @param fields fields that are written
 * @param in the class whose code does it, or that of a class nested in it; empty if any may
 */
public record WaitEnd(Set<String> calls, Set<LoopTarget> fields, String in) {}
