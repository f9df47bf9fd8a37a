package io.github.vtdiag.findings;

import java.util.Set;

/** The JDK's collections that take their only monitor in each call. */
public final class KnownCollections {
  private static final Set<String> NAMES =
      Set.of("java.util.Hashtable", "java.util.Properties", "java.util.Vector", "java.util.Stack");

  private KnownCollections() {}

  /** Returns whether a class is one, or what {@code Collections.synchronizedMap} returns. */
  public static boolean isSynchronized(String className) {
    return NAMES.contains(className) || className.startsWith("java.util.Collections$Synchronized");
  }
}
