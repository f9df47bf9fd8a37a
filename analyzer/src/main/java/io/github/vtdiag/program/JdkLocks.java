package io.github.vtdiag.program;

import java.util.Map;
import java.util.Set;

/**
 * The types of the JDK whose own code locks their instances in some of its versions and not in
 * others. A program that runs on several must be right on each of them.
 */
final class JdkLocks {
  /**
   * The types, read from the classes in {@code java.*} and {@code javax.*} of JDK 11, 17, 21 and
   * 25. All other types that these have in common lock themselves in all of them, or in none.
   */
  private static final Map<String, Set<Integer>> LOCK_ON =
      Map.ofEntries(
          Map.entry("java/awt/Color", Set.of(11, 17, 21)),
          Map.entry("java/awt/color/ICC_ColorSpace", Set.of(17, 21, 25)),
          Map.entry("java/awt/color/ICC_Profile", Set.of(17, 21, 25)),
          Map.entry("java/io/FilterInputStream", Set.of(11, 17)),
          Map.entry("java/io/InputStream", Set.of(11, 17)),
          Map.entry("java/lang/ClassLoader", Set.of(11)),
          Map.entry("java/lang/NullPointerException", Set.of(17, 21, 25)),
          Map.entry("java/lang/Process", Set.of(17, 21, 25)),
          Map.entry("java/lang/ref/ReferenceQueue", Set.of(11, 17, 25)),
          Map.entry("java/net/DatagramSocket", Set.of(11)),
          Map.entry("java/net/ServerSocket", Set.of(11, 17)),
          Map.entry("java/net/Socket", Set.of(11, 17)),
          Map.entry("java/nio/channels/spi/AbstractSelectionKey", Set.of(11)),
          Map.entry("java/util/concurrent/ForkJoinPool", Set.of(11)),
          Map.entry("java/util/concurrent/ForkJoinTask", Set.of(11)),
          Map.entry("java/util/concurrent/SubmissionPublisher", Set.of(11)),
          Map.entry("java/util/zip/InflaterInputStream", Set.of(11, 17)),
          Map.entry("javax/crypto/spec/PBEKeySpec", Set.of(21, 25)));

  /** The versions that were read; a version between two of them counts as the older. */
  private static final int[] READ = {25, 21, 17, 11};

  private JdkLocks() {}

  /**
   * Returns whether a type locks its instances on a JDK of this version or a later one, as far as
   * known. For JDK 8 to 10, the answer is that of 11.
   *
   * @param name with slashes
   */
  static boolean lockOnOrAfter(int version, String name) {
    int oldest = READ[READ.length - 1];
    for (int read : READ) {
      if (read <= version) {
        oldest = read;
        break;
      }
    }
    int from = oldest;
    return LOCK_ON.getOrDefault(name, Set.of()).stream().anyMatch(known -> known >= from);
  }
}
