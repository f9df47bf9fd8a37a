package io.github.vtdiag.model;

/**
 * A monitor that the JVM named, seen by sampling.
 *
 * @param className the locked object's class
 * @param identityHash its identity hash code: the same number twice is, almost surely, one object
 */
public record MonitorObject(String className, int identityHash) {}
