/**
 * The oracle suite: programs that hold monitors in every way the language knows, and a probe that
 * has the JVM itself tell which frames hold what. {@code MonitorOracleTest} compares.
 */
package io.github.vtdiag.locksite.oracle;
