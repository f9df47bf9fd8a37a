package io.github.vtdiag.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4), which every Java platform has, as lower-case hexadecimal digits. */
public final class Sha256 {
  private Sha256() {}

  /** Returns a digest without input. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns the 64 digits of a digest and resets it. */
  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the digits of a text in UTF-8. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  public static String of(byte[] bytes) {
    return HexFormat.of().formatHex(digest().digest(bytes));
  }

  /** Returns the digits of a stream, read to its end. */
  public static String of(InputStream in) throws IOException {
    DigestInputStream digested = new DigestInputStream(in, digest());
    digested.transferTo(OutputStream.nullOutputStream());
    return hex(digested.getMessageDigest());
  }
}
