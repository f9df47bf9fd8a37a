/**
 * All threads of this JVM, seen from a thread of the agent: which of them may be stuck, cheaply,
 * and everything about those. What they mean is for {@link io.github.vtdiag.hang.Diagnoser} to say.
 */
package io.github.vtdiag.agent.threads;
