package io.github.vtdiag.model;

/**
 * A thread as a recording names it.
 *
 * @param id the Java thread id, unique within one JVM
 * @param name the thread's name, empty for most virtual threads
 */
public record ThreadRef(long id, String name, boolean virtual) {}
