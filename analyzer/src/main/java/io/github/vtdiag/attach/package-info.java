/**
 * Asks a running JVM what {@code jcmd} asks it. An agent is loaded only on request. Nothing is sent
 * to a process that is no JVM or does not want to be asked: the first question to a JVM is a
 * signal, which other programs die of.
 */
package io.github.vtdiag.attach;
