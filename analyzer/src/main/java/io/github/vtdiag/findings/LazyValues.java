package io.github.vtdiag.findings;

/** The values that Kotlin's {@code by lazy} computes while it holds a monitor. */
public final class LazyValues {
  /** The advice for threads that wait for one, or block a carrier while they compute one. */
  public static final String TO_DO =
      "read the property at start-up, or declare it with lazy(LazyThreadSafetyMode.PUBLICATION)"
          + " where it may be computed twice";

  private LazyValues() {}

  /** Returns whether a class is the one that computes them. */
  public static boolean areOf(String className) {
    return className.equals("kotlin.SynchronizedLazyImpl");
  }
}
