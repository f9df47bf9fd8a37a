/**
 * The agent's life inside the observed JVM: how it starts, what it starts, and how it leaves.
 * Nothing here may take the application down, change what it prints to standard output or its exit
 * code, or keep it alive.
 */
package io.github.vtdiag.agent.lifecycle;
