package io.github.vtdiag.locksite;

import java.util.Set;

/**
 * A loop that goes round only while what it tries does not succeed.
 *
 * @param first the index of its first instruction, which tells the loops of a method apart
 * @param failed whether a thread on that line has tried in vain in this round
 * @param asked the methods whose answer ends it; empty if it ends once no exception is thrown
 */
public record RetryLoop(int first, boolean failed, Set<String> asked) {}
