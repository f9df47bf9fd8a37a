/**
 * The diagnosis of hangs from two snapshots of all threads: a cycle of locks, carriers that are
 * never freed, a crowd at one lock. {@link io.github.vtdiag.hang.Diagnoser} is a pure function. The
 * agent calls it inside the JVM, the command line with thread dumps.
 */
package io.github.vtdiag.hang;
