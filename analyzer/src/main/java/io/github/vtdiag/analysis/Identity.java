package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Sha256;

/**
 * The name of a finding from one build to the next. It says where the finding is and how the
 * carrier is held; no edit elsewhere changes it. {@link Identities} makes it.
 *
 * @param kin sort, class, method and lock, without lines, versions and the numbers that a compiler
 *     gives to lambdas
 * @param number the number among all sites of the program with the same kin, where the lock map
 *     shows it; otherwise the number among those in this run
 * @param ambiguous whether the number is that of this run, so that another run may have another
 *     finding under it
 */
public record Identity(String kin, int number, boolean ambiguous) {
  /** The version of the format of {@link #text}. In version 1 all numbers were ambiguous. */
  public static final int VERSION = 2;

  private static final int FINGERPRINT = 16;

  /** Makes an identity that is not ambiguous. */
  public Identity(String kin, int number) {
    this(kin, number, false);
  }

  /** Returns a text that no other finding of the run has. */
  public String text() {
    return number == 1 ? kin : kin + " #" + number;
  }

  /**
   * Returns a hash of the text in sixteen hexadecimal digits, for tools that store no long names.
   */
  public String fingerprint() {
    return Sha256.of(text()).substring(0, FINGERPRINT);
  }

  @Override
  public String toString() {
    return text();
  }
}
