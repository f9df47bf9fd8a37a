package io.github.vtdiag.pin;

import java.util.Optional;

/**
 * The texts of HotSpot's {@code pinnedReason} since JDK 24 that vtdiag interprets ({@code
 * continuationFreezeThaw.cpp}, {@code instanceKlass.cpp}). Other texts are left as they are.
 */
final class PinnedReasons {
  private static final String AWAITED_PREFIX = "Waited for initialization of ";
  private static final String AWAITED_SUFFIX = " by another thread";

  private PinnedReasons() {}

  /** Returns the text for a class; empty if it is unknown. */
  static String awaiting(String className) {
    return AWAITED_PREFIX + className.replace('.', '/') + AWAITED_SUFFIX;
  }

  /** Returns the class that another thread was initializing. */
  static Optional<String> awaitedClass(String reason) {
    if (reason.startsWith(AWAITED_PREFIX) && reason.endsWith(AWAITED_SUFFIX)) {
      return Optional.of(
          reason
              .substring(AWAITED_PREFIX.length(), reason.length() - AWAITED_SUFFIX.length())
              .replace('/', '.'));
    }
    return Optional.empty();
  }
}
