/**
 * The agent's place in a JVM that belongs to somebody else: its threads, its lines on standard
 * error, its properties, and what the JDK hides.
 */
package io.github.vtdiag.agent.jvm;
