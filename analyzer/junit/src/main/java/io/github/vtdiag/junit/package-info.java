/**
 * Tests that fail if their virtual threads pin their carriers: {@link
 * io.github.vtdiag.junit.ShouldNotPin}, {@link io.github.vtdiag.junit.ShouldPin}. Compiled for Java
 * 8, like JUnit 5; the part that needs Java 21 is in {@code inside}.
 */
package io.github.vtdiag.junit;
