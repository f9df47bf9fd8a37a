package io.github.vtdiag.jfr;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;

/** A place in a recording's bytes, and JFR's encodings read from there. */
public final class Bytes {
  /** The encodings of a string, given by the byte before it. */
  public static final int STRING_NULL = 0;

  public static final int STRING_EMPTY = 1;
  public static final int STRING_CONSTANT = 2;
  public static final int STRING_UTF8 = 3;
  public static final int STRING_CHARS = 4;
  public static final int STRING_LATIN1 = 5;

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** The longest compressed integer, in bytes. */
  private static final int LONGEST_VARINT = 9;

  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;

  byte[] array = new byte[0];
  public int position;

  /** The end of the readable bytes. */
  int limit;

  /** Starts reading {@code array} from {@code from} to {@code to}. */
  public void reset(byte[] bytes, int from, int to) {
    array = bytes;
    position = from;
    limit = to;
  }

  int remaining() {
    return limit - position;
  }

  int unsignedByte() {
    require(1);
    return array[position++] & 0xFF;
  }

  /**
   * Reads a compressed integer: 7 bits a byte, the lowest first; the ninth byte has all its 8 bits.
   */
  public long varint() {
    return remaining() < LONGEST_VARINT ? varintNearEnd() : varintWithRoom();
  }

  private long varintNearEnd() {
    long value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
      require(1);
      byte b = array[position++];
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    require(1);
    return value | (array[position++] & 0xFFL) << 56;
  }

  /** Reads one where the longest would fit, without checking the end for each byte. */
  private long varintWithRoom() {
    byte[] bytes = array;
    int p = position;
    byte b = bytes[p++];
    long value = b & 0x7FL;
    for (int shift = 7; b < 0 && shift < 56; shift += 7) {
      b = bytes[p++];
      value |= (b & 0x7FL) << shift;
    }
    if (b < 0) {
      value |= (bytes[p++] & 0xFFL) << 56;
    }
    position = p;
    return value;
  }

  /** Reads compressed integers, one after the other. */
  void varints(long[] into, int count) {
    if (remaining() < (long) count * LONGEST_VARINT) {
      for (int i = 0; i < count; i++) {
        into[i] = varint();
      }
      return;
    }
    byte[] bytes = array;
    int p = position;
    for (int i = 0; i < count; i++) {
      byte b = bytes[p++];
      long value = b & 0x7FL;
      for (int shift = 7; b < 0 && shift < 56; shift += 7) {
        b = bytes[p++];
        value |= (b & 0x7FL) << shift;
      }
      if (b < 0) {
        value |= (bytes[p++] & 0xFFL) << 56;
      }
      into[i] = value;
    }
    position = p;
  }

  /** Reads the number of things that follow, each of at least {@code size} bytes. */
  int count(int size) {
    long count = varint();
    if (count < 0 || count > remaining() / size) {
      throw new Malformed("a count that exceeds the data");
    }
    return (int) count;
  }

  long bigEndianLong() {
    require(8);
    long value = (long) BIG_ENDIAN_LONG.get(array, position);
    position += 8;
    return value;
  }

  void skipBytes(long count) {
    if (count < 0 || count > remaining()) {
      throw new Malformed("a length that exceeds the data");
    }
    position += (int) count;
  }

  /** Skips compressed integers, eight bytes at a time: most of a chunk's constants are these. */
  void skipVarints(long count) {
    long left = count;
    byte[] bytes = array;
    int p = position;
    while (left >= 8 && p <= limit - 8) {
      long lastBytes = ~(long) LITTLE_ENDIAN_LONG.get(bytes, p) & HIGH_BITS;
      if (lastBytes == 0) { // one integer of nine bytes; the ninth has no mark
        p += 9;
        left--;
      } else {
        // Long.bitCount for the highest bit of each byte: HotSpot's fast compiler makes calls of
        // that and of numberOfLeadingZeros.
        left -= ((lastBytes >>> 7) * LOW_BITS) >>> 56;
        p += 8;
        for (long rest = lastBytes; rest > 0; rest <<= 8) {
          p--; // the beginning of the next integer
        }
      }
    }
    if (p > limit) {
      throw new Malformed("data ends inside a number");
    }
    position = p;
    while (left-- > 0) {
      varint();
    }
  }

  /**
   * Skips a string.
   *
   * @see #string
   */
  void skipString() {
    switch (unsignedByte()) {
      case STRING_NULL, STRING_EMPTY -> {}
      case STRING_CONSTANT -> varint();
      case STRING_UTF8, STRING_LATIN1 -> skipBytes(varint());
      case STRING_CHARS -> skipVarints(count(1));
      default -> throw new Malformed("an unknown string encoding");
    }
  }

  /** Reads a number, boolean or id; 0 if the field is none of these. */
  long number(Metadata.Field field) {
    return switch (field.form()) {
      case BYTE -> (byte) unsignedByte();
      case INT -> (int) varint();
      case LONG -> varint();
      case OTHER -> {
        field.skip().over(this);
        yield 0;
      }
    };
  }

  /** Reads the characters of a string, whose encoding has been read and is one with characters. */
  String string(int encoding) {
    return switch (encoding) {
      case STRING_UTF8 -> text(count(1), UTF_8);
      case STRING_LATIN1 -> text(count(1), ISO_8859_1);
      case STRING_CHARS -> {
        char[] chars = new char[count(1)];
        for (int i = 0; i < chars.length; i++) {
          chars[i] = (char) varint();
        }
        yield new String(chars);
      }
      default -> throw new Malformed("an unknown string encoding");
    };
  }

  private String text(int length, Charset charset) {
    String text = new String(array, position, length, charset);
    position += length;
    return text;
  }

  private void require(int bytes) {
    if (bytes > limit - position) {
      throw new Malformed("data ends too early");
    }
  }
}
