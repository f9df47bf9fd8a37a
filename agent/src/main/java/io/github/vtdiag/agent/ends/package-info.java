/**
 * Finds what can still end a wait: the code of a thread that lives, a task that is due, a shutdown
 * hook, another process, the other end of a connection. The servers that threads wait for are in
 * {@link io.github.vtdiag.agent.servers}; which waits last is known in {@link
 * io.github.vtdiag.agent.waits}.
 */
package io.github.vtdiag.agent.ends;
