/**
 * The decision which monitors can safely become ReentrantLocks, from a whole program's class files.
 */
package io.github.vtdiag.safety;
