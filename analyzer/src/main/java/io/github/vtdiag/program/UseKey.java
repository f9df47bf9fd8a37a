package io.github.vtdiag.program;

import java.util.Arrays;

/**
 * The numbers that stand for the names in instructions. They have 64 bits; if two names had one
 * number, it would only be one more place to check.
 */
final class UseKey {
  private static final long METHOD = 1;
  private static final long FIELD = 2;
  private static final long STRING = 11;
  private static final long LITERAL = 13;
  private static final long DECLARED = 17;

  private UseKey() {}

  /** Returns the key of the methods of a name and descriptor. */
  static long method(String signature) {
    return hash(METHOD, utf8(signature));
  }

  /** Returns the key of the fields of a name that are searched in a class. */
  static long field(FieldName field) {
    return hash(hash(FIELD, utf8(field.owner())), utf8(field.name()));
  }

  /** Returns the key of the classes that declare a field of a name. */
  static long declared(String field) {
    return hash(DECLARED, utf8(field));
  }

  /** Returns the key of a type's name, as it is or with dots. */
  static long typeName(String name) {
    return hash(5, utf8(name));
  }

  /** Returns the key of a name and descriptor, for call graphs. */
  static long signature(String text) {
    return hash(7, utf8(text));
  }

  /** Returns the key of a string constant that an instruction loads. */
  static long string(String text) {
    return hash(STRING, utf8(text));
  }

  /**
   * Returns the key of a class, by its name with slashes, whose {@code Class} an instruction loads.
   */
  static long literal(String type) {
    return hash(LITERAL, utf8(type));
  }

  private static long hash(long seed, byte[] text) {
    return hash(seed, text, 0, text.length);
  }

  static long hash(long seed, byte[] text, int from, int to) {
    long hash = seed;
    for (int i = from; i < to; i++) {
      hash = hash * 0x9E3779B97F4A7C15L + text[i];
    }
    return hash;
  }

  /** Encodes a text as in class files; see {@link java.io.DataInput}. */
  private static byte[] utf8(String text) {
    byte[] bytes = new byte[3 * text.length()];
    int size = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != 0 && c < 0x80) {
        bytes[size++] = (byte) c;
      } else if (c < 0x800) {
        bytes[size++] = (byte) (0xC0 | (c >> 6));
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
      } else {
        bytes[size++] = (byte) (0xE0 | (c >> 12));
        bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
      }
    }
    return Arrays.copyOf(bytes, size);
  }

  /** Returns the key of the method that an entry of a constant pool names. */
  static long method(ConstantPool pool, int nameAndType) {
    return text(text(METHOD, pool, pool.u2(nameAndType)), pool, pool.u2(nameAndType + 2));
  }

  /** Returns the key of the field that two entries of a constant pool name. */
  static long field(ConstantPool pool, int type, int nameAndType) {
    return text(text(FIELD, pool, pool.u2(type)), pool, pool.u2(nameAndType));
  }

  /** Returns the key of the classes that declare a field of the name in a constant. */
  static long declared(ConstantPool pool, int name) {
    return text(DECLARED, pool, name);
  }

  /** Returns the key of the constant that an instruction loads: a string or a class. */
  static long loaded(ConstantPool pool, int at) {
    return text(pool.bytes[at - 1] == ConstantPool.STRING ? STRING : LITERAL, pool, pool.u2(at));
  }

  private static long text(long seed, ConstantPool pool, int utf8) {
    int at = pool.constant(utf8);
    return hash(seed, pool.bytes, at + 2, pool.textEnd(at));
  }
}
