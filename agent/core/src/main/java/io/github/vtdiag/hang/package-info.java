/**
 * From two looks at all threads to what is wrong: a cycle of locks, carriers that nobody gives
 * back, a crowd at one lock. {@link io.github.vtdiag.hang.Diagnoser} is a pure function; the agent
 * feeds it from inside the JVM, the command line from thread dumps.
 */
package io.github.vtdiag.hang;
