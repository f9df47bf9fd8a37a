/**
 * The plugin {@code io.github.vtdiag}. It runs in Gradle's JVM, which may be any from Java 8 on;
 * all that it knows of pins is how to run vtdiag's command line.
 */
package io.github.vtdiag.gradleplugin;
