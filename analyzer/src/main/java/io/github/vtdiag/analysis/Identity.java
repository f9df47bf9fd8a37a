package io.github.vtdiag.analysis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a finding is called from one build to the next: where it is and how the carrier is held, and
 * nothing that an edit elsewhere changes. {@link Identities} makes it.
 *
 * @param kin what it is: sort, class, method, lock; without lines, versions and the numbers that a
 *     compiler gives to lambdas
 * @param number 1, or which one it is of several findings of a run that are the same but for that
 */
public record Identity(String kin, int number) {
  private static final int FINGERPRINT = 16;

  /** Tells it from every other finding of the run. */
  public String text() {
    return number == 1 ? kin : kin + " #" + number;
  }

  /** The same as sixteen hexadecimal digits, for who keeps no long names. */
  public String fingerprint() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, FINGERPRINT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return text();
  }
}
