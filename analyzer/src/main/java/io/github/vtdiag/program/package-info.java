/**
 * The contents of class files: class path, jars and their coordinates, hierarchy, calls, and the
 * JDK image.
 */
package io.github.vtdiag.program;
