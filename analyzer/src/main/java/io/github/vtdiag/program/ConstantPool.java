package io.github.vtdiag.program;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.objectweb.asm.Opcodes;

/**
 * The bytes of a class file, and the places of its constants (JVMS 4.4); for one file at a time.
 */
final class ConstantPool {
  static final int CLASS = 7;
  static final int METHOD = 10;
  static final int INTERFACE_METHOD = 11;
  static final int METHOD_HANDLE = 15;
  static final int METHOD_TYPE = 16;
  static final int STRING = 8;
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  /** The bytes of a constant behind its tag, by tag (JVMS 4.4); 0 where there is no such tag. */
  private static final int[] CONSTANT = {
    0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2
  };

  byte[] bytes;
  private int end;
  private int[] constants = new int[1 << 10];
  private int count;

  /** Takes the first {@code length} bytes; returns where the constants end. */
  int open(byte[] classFile, int length) {
    bytes = classFile;
    end = length;
    if (u4(0) != 0xCAFEBABE) {
      throw broken();
    }
    count = u2(8);
    if (constants.length < count) {
      constants = new int[count * 2];
    }
    Arrays.fill(constants, 0, count, 0);
    int at = 10;
    for (int i = 1; i < count; i++) {
      constants[i] = at + 1;
      int tag = u1(at);
      if (tag == UTF8) {
        at += 3 + u2(at + 1);
      } else if (tag < CONSTANT.length && CONSTANT[tag] > 0) {
        at += 1 + CONSTANT[tag];
        i += tag == LONG || tag == DOUBLE ? 1 : 0;
      } else {
        throw broken();
      }
    }
    return at;
  }

  /** Returns the name of the class that a constant names, with slashes. */
  String className(int index) {
    int at = constant(u2(constant(index)));
    return decode(at + 2, textEnd(at));
  }

  String decode(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return decodeModified(from, to);
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private String decodeModified(int from, int to) {
    byte[] text = new byte[to - from + 2];
    text[0] = (byte) ((to - from) >> 8);
    text[1] = (byte) (to - from);
    System.arraycopy(bytes, from, text, 2, to - from);
    try {
      return new DataInputStream(new ByteArrayInputStream(text)).readUTF();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isUtf8(int index, String text) {
    int at = constant(index);
    if (u2(at) != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[at + 2 + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns where the text of a constant ends, which is known to be in the file. */
  int textEnd(int utf8) {
    return utf8 + 2 + u2(utf8);
  }

  /** Returns the place of a constant, after its tag. */
  int constant(int index) {
    if (index <= 0 || index >= count || constants[index] == 0) {
      throw broken();
    }
    return constants[index];
  }

  /** Returns the place of a constant, after its tag; 0 for a number that no constant has. */
  int place(int index) {
    return constants[index];
  }

  int count() {
    return count;
  }

  int length() {
    return end;
  }

  int u1(int at) {
    if (at >= end) {
      throw broken();
    }
    return bytes[at] & 0xFF;
  }

  int u2(int at) {
    if (at > end - 2) {
      throw broken();
    }
    return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
  }

  int u4(int at) {
    return (u2(at) << 16) | u2(at + 2);
  }

  /** Returns the length of an instruction whose length varies. */
  int lengthAt(int at, int start) {
    int aligned = at + 4 - ((at - start) & 3);
    long length =
        switch (bytes[at] & 0xFF) {
          case Opcodes.TABLESWITCH ->
              aligned - at + 12 + (4 * ((long) u4(aligned + 8) - u4(aligned + 4) + 1));
          case Opcodes.LOOKUPSWITCH -> aligned - at + 8 + 8 * (long) u4(aligned + 4);
          case 196 -> (u1(at + 1) == Opcodes.IINC) ? 6 : 4; // wide
          default -> 0;
        };
    if (length <= 0 || length > end) {
      throw broken();
    }
    return (int) length;
  }

  static IllegalArgumentException broken() {
    return new IllegalArgumentException("it is damaged or cut off");
  }

  /** Returns the place after the fields or methods that are counted at {@code start}. */
  int skipMembers(int start) {
    int at = start + 2;
    for (int i = u2(start); i > 0; i--) {
      at = skipMember(at);
    }
    return at;
  }

  /** Returns the place after the field or method at {@code at}. */
  int skipMember(int start) {
    int at = start + 8;
    for (int i = u2(start + 6); i > 0; i--) {
      at = attributeEnd(at);
    }
    return at;
  }

  /** Returns the place after the attribute at {@code at}. */
  int attributeEnd(int at) {
    int attributeLength = u4(at + 2);
    if (attributeLength < 0 || attributeLength > length() - at - 6) {
      throw broken();
    }
    return at + 6 + attributeLength;
  }
}
