/**
 * The things that stacks wait for, by the methods on top of them, and the waits that stand still.
 * Two tables define them: {@code pools.tsv} has the methods of pools, {@code waits.tsv} those of
 * the JDK.
 */
package io.github.vtdiag.waits;
