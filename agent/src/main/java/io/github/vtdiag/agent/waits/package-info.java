/**
 * The waits of this JVM's threads: since when each lasts, and which stand still. What the threads
 * are is read in {@link io.github.vtdiag.agent.threads}, what can still end their waits in {@link
 * io.github.vtdiag.agent.ends}; {@link io.github.vtdiag.waits.Stall} draws the conclusions.
 */
package io.github.vtdiag.agent.waits;
