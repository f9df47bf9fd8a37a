/**
 * Tests that fail if their virtual threads keep their carriers: {@link vtdiag.junit.ShouldNotPin},
 * {@link vtdiag.junit.ShouldPin}. Compiled for Java 8, like JUnit 5; what needs Java 21 is in
 * {@code inside}.
 */
package vtdiag.junit;
