package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Sha256;

/**
 * What a finding is called from one build to the next: where it is and how the carrier is held, and
 * nothing that an edit elsewhere changes. {@link Identities} makes it.
 *
 * @param kin what it is: sort, class, method, lock; without lines, versions and the numbers that a
 *     compiler gives to lambdas
 * @param number which one it is of all sites of the program that are the same but for that, where
 *     the lock map tells; else which one it is of those in this run
 * @param ambiguous whether the number is that of this run, so that another run may have another one
 *     under it
 */
public record Identity(String kin, int number, boolean ambiguous) {
  /** The version of what {@link #text} is made of. In version 1 all numbers were ambiguous. */
  public static final int VERSION = 2;

  private static final int FINGERPRINT = 16;

  /** Of what has no number. */
  public Identity(String kin, int number) {
    this(kin, number, false);
  }

  /** Tells it from every other finding of the run. */
  public String text() {
    return number == 1 ? kin : kin + " #" + number;
  }

  /** The same as sixteen hexadecimal digits, for who keeps no long names. */
  public String fingerprint() {
    return Sha256.of(text()).substring(0, FINGERPRINT);
  }

  @Override
  public String toString() {
    return text();
  }
}
