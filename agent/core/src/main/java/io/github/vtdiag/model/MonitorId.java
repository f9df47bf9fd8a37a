package io.github.vtdiag.model;

/**
 * The identity of one {@code synchronized} of a program, from the agent's lock map to the edit of a
 * patch. Class loaders do not count: the sources are the same.
 *
 * @param className the class by its binary name, with dots
 * @param method the method's name, {@code <init>} and {@code <clinit>} included
 * @param descriptor the method's descriptor (JVMS 4.3.3)
 * @param enterBci the bci of the block's {@code monitorenter}; {@link #METHOD} for the monitor of a
 *     synchronized method
 */
public record MonitorId(String className, String method, String descriptor, int enterBci) {
  /** The {@code enterBci} of a synchronized method, which no {@code monitorenter} enters. */
  public static final int METHOD = -1;

  public boolean isMethod() {
    return enterBci == METHOD;
  }

  /** Avoids the record's own hash code, a slow chain of method handles: it is called very often. */
  @Override
  public int hashCode() {
    return ((className.hashCode() * 31 + method.hashCode()) * 31 + descriptor.hashCode()) * 31
        + enterBci;
  }

  /** Returns {@code com.example.Foo.bar}. */
  public String qualifiedMethod() {
    return className + "." + method;
  }
}
