/**
 * The goals {@code prepare-agent} and {@code check}. They run in Maven's JVM, which may be any from
 * Java 8 on; all they know of pins is how to run vtdiag's command line.
 */
package io.github.vtdiag.mavenplugin;
