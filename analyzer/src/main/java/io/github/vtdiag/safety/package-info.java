/** Which monitors can safely become ReentrantLocks, decided from a whole program's class files. */
package io.github.vtdiag.safety;
