package io.github.vtdiag.model;

/**
 * The content of a jar from which classes were loaded. It distinguishes the jar from another file
 * of that name.
 *
 * @param hash of the names, sizes and checksums of its entries; for a jar inside another, of the
 *     outer one; empty if it is unknown
 * @param coordinates {@code group:artifact:version}, if a single POM in the jar has them and the
 *     file's name agrees; else empty
 */
public record JarContent(String hash, String coordinates) {
  /** The content of what is no jar, or was recorded by an agent that did not record it. */
  public static final JarContent UNKNOWN = new JarContent("", "");

  /** Returns whether both are known to be the same. */
  public boolean isSame(JarContent other) {
    return !hash.isEmpty() && hash.equals(other.hash);
  }
}
