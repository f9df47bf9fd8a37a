/**
 * The waits of this JVM's threads: since when each lasts, who or what can still end it, and which
 * stand still. What the threads are is read in {@link io.github.vtdiag.agent.threads}; {@link
 * io.github.vtdiag.waits.Stall} draws the conclusions.
 */
package io.github.vtdiag.agent.waits;
