/** What class files tell: the class path with its jars and their coordinates, and the JDK image. */
package vtdiag.program;
