package io.github.vtdiag.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/** Bytes and numbers packed for a page: gzip, then base64. */
final class Packed {
  private byte[] bytes = new byte[1024];
  private int size;

  /**
   * Adds a number, seven bits a byte, the lowest first; a negative one needs {@link #addSigned}.
   */
  void add(long number) {
    if (bytes.length - size < Long.BYTES + 2) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    long rest = number;
    while (rest > 0x7f) {
      bytes[size++] = (byte) ((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Adds a number that can be negative: its sign is the lowest bit. */
  void addSigned(long number) {
    add(number < 0 ? -number * 2 - 1 : number * 2);
  }

  String text() {
    return text(bytes, size);
  }

  static String text(byte[] bytes) {
    return text(bytes, bytes.length);
  }

  private static String text(byte[] bytes, int size) {
    ByteArrayOutputStream small = new ByteArrayOutputStream();
    // The best compression takes three times as long, and makes a page half a percent smaller.
    try (GZIPOutputStream gzip = new GZIPOutputStream(small)) {
      gzip.write(bytes, 0, size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(small.toByteArray());
  }
}
