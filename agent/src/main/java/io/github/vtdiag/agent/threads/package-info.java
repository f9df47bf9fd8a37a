/**
 * All threads of this JVM, seen from a thread of the agent: which of them may be stuck, cheaply,
 * and everything about those. {@link io.github.vtdiag.hang.Diagnoser} draws the conclusions.
 */
package io.github.vtdiag.agent.threads;
