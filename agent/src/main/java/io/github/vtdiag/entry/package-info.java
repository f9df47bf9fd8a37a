/**
 * The place where the JVM enters the agent. Compiled for Java 8, so that any JVM can run it: it
 * decides whether this one can be diagnosed, and only then are classes linked that need Java 21.
 */
package io.github.vtdiag.entry;
