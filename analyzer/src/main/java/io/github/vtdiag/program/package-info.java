/** The contents of class files: class path, hierarchy, calls, and the JDK image. */
package io.github.vtdiag.program;
