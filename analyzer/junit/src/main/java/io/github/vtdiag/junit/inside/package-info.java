/**
 * The part that needs Java 21: one recording for the whole run, which is read when a test is over,
 * and the way from a thread to the test that created it. Only {@code io.github.vtdiag.junit} uses
 * it, by name.
 */
package io.github.vtdiag.junit.inside;
