/**
 * Tells threads that wait for the end of a server from threads that stand still: does that server
 * accept connections, and does its event loop run?
 */
package io.github.vtdiag.agent.servers;
