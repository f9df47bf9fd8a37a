package io.github.vtdiag.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
  private static Bytes bytes(int... values) {
    byte[] array = new byte[values.length];
    for (int i = 0; i < array.length; i++) {
      array[i] = (byte) values[i];
    }
    Bytes bytes = new Bytes();
    bytes.reset(array, 0, array.length);
    return bytes;
  }

  /** Writes as HotSpot's encoder does; {@code least} bytes or more. */
  private static void write(ByteArrayOutputStream out, long value, int least) {
    long rest = value;
    for (int i = 1; i < 9; i++) {
      if ((rest & ~0x7FL) == 0 && i >= least) {
        out.write((int) rest);
        return;
      }
      out.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  @Test
  void neverReadsPastTheEnd() {
    assertThrows(Malformed.class, () -> bytes().varint());
    assertThrows(Malformed.class, () -> bytes(0x80).varint());
    assertThrows(Malformed.class, () -> bytes(255, 255, 255, 255, 255, 255, 255, 255).varint());
    assertThrows(Malformed.class, () -> bytes().unsignedByte());
    assertThrows(Malformed.class, () -> bytes(1, 2, 3, 4, 5, 6, 7).bigEndianLong());
    assertThrows(Malformed.class, () -> bytes(1).skipBytes(2));
    assertThrows(Malformed.class, () -> bytes(1).skipBytes(-1));
    assertThrows(Malformed.class, () -> bytes(1, 2).skipVarints(3));
    assertThrows(Malformed.class, () -> bytes(1, 2).skipVarints(Long.MAX_VALUE));
    assertThrows(Malformed.class, () -> bytes(3, 0).count(1));
    assertThrows(Malformed.class, () -> bytes(2, 0, 0, 0).count(2));
    assertThrows(Malformed.class, () -> bytes(3, 5, 'a').skipString());
    assertThrows(Malformed.class, () -> bytes(9).skipString());
    assertThrows(Malformed.class, () -> bytes(2, 'a').string(Bytes.STRING_UTF8));
    assertThrows(Malformed.class, () -> bytes(2, 'a').string(Bytes.STRING_CHARS));
    assertThrows(Malformed.class, () -> bytes(1, 'a').string(9));
    // The array goes on, but what may be read does not.
    Bytes limited = bytes(1, 2, 3);
    limited.limit = 1;
    limited.varint();
    assertThrows(Malformed.class, limited::varint);
  }

  @Test
  void readsStrings() {
    assertEquals("a\u00e9", bytes(3, 'a', 0xC3, 0xA9).string(Bytes.STRING_UTF8));
    assertEquals("a\u00e9", bytes(2, 'a', 0xE9).string(Bytes.STRING_LATIN1));
    assertEquals("a\u7ebf", bytes(2, 'a', 0xBF, 0xFD, 0x01).string(Bytes.STRING_CHARS));
    for (Bytes string :
        new Bytes[] {
          bytes(0),
          bytes(1),
          bytes(2, 0x80, 1),
          bytes(3, 3, 'a', 0xC3, 0xA9),
          bytes(4, 2, 'a', 0xBF, 0xFD, 0x01),
          bytes(5, 2, 'a', 0xE9)
        }) {
      string.skipString();
      assertEquals(0, string.remaining());
    }
  }

  /** Numbers of every length, padded or not, read or skipped, end at the same place. */
  @Test
  void readsAndSkipsNumbersAlike() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      long[] numbers = new long[random.nextInt(40)];
      int[] ends = new int[numbers.length + 1];
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = random.nextInt(8) == 0 ? -1L : random.nextLong() >>> random.nextInt(64);
        write(out, numbers[i], 1 + random.nextInt(random.nextBoolean() ? 1 : 8));
        ends[i + 1] = out.size();
      }
      Bytes in = new Bytes();
      in.reset(out.toByteArray(), 0, out.size());
      for (int i = 0; i < numbers.length; i++) {
        assertEquals(numbers[i], in.varint());
        assertEquals(ends[i + 1], in.position);
      }
      for (int skip = 0; skip <= numbers.length; skip++) {
        in.reset(out.toByteArray(), 0, out.size());
        in.skipVarints(skip);
        assertEquals(ends[skip], in.position);
      }
    }
  }
}
