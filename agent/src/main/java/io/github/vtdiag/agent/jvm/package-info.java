/**
 * The parts of the agent that touch the application's JVM: its threads, its lines on standard
 * error, its properties, and its access to JDK internals.
 */
package io.github.vtdiag.agent.jvm;
