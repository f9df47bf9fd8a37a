/**
 * The vocabulary of every stage: recorded frames, pin episodes, monitor regions, and what a pin is
 * attributed to. Immutable records that depend on {@code java.base} only.
 */
package io.github.vtdiag.model;
