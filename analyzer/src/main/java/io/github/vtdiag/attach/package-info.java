/**
 * Asks a running JVM what {@code jcmd} asks it. No agent is loaded, and nothing is sent to a
 * process that is no JVM or does not want to be asked: the first question to a JVM is a signal,
 * which other programs die of.
 */
package io.github.vtdiag.attach;
