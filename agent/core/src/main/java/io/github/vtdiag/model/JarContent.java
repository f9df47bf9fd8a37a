package io.github.vtdiag.model;

/**
 * What a jar was where its classes were loaded, so that a file of that name elsewhere can be told
 * from it.
 *
 * @param hash of the names, sizes and checksums of its entries; for a jar inside another, of the
 *     outer one; empty if it is not known
 * @param coordinates {@code group:artifact:version}, if a single POM in the jar tells them and the
 *     file's name agrees; else empty
 */
public record JarContent(String hash, String coordinates) {
  /** Of what is no jar, or was recorded by an agent that did not say. */
  public static final JarContent UNKNOWN = new JarContent("", "");

  /** Whether another is known to be the same. */
  public boolean isSame(JarContent other) {
    return !hash.isEmpty() && hash.equals(other.hash);
  }
}
