package io.github.vtdiag.pin;

import java.util.Optional;

/**
 * The texts HotSpot puts into {@code pinnedReason} since JDK 24, as far as vtdiag reads them
 * ({@code continuationFreezeThaw.cpp}, {@code instanceKlass.cpp}); others stay what they are.
 */
final class PinnedReasons {
  private static final String AWAITED_PREFIX = "Waited for initialization of ";
  private static final String AWAITED_SUFFIX = " by another thread";

  private PinnedReasons() {}

  /** The text for a class; empty if it is not known which. */
  static String awaiting(String className) {
    return AWAITED_PREFIX + className.replace('.', '/') + AWAITED_SUFFIX;
  }

  /** The class that another thread was initializing. */
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
