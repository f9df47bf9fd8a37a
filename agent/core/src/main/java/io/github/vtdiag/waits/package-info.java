/**
 * What a stack waits for, by the methods that are on top of it, and which waits stand still. Two
 * tables say it: {@code pools.tsv} has the methods of pools, {@code waits.tsv} those of the JDK.
 */
package io.github.vtdiag.waits;
