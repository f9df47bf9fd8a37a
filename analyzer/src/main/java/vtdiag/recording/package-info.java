/** From {@code .jfr} files to pin episodes, and class bytes from jars and directories. */
package vtdiag.recording;
