/**
 * What class files tell about a program: its class path, jars and their coordinates, its hierarchy
 * and calls, and the JDK image.
 */
package io.github.vtdiag.program;
