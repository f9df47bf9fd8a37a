package io.github.vtdiag.jfr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of a chunk: every type, with its fields in the order in which they are written.
 * Threads share it; what two of them compute is the same.
 */
public final class Metadata {
  private static final int MAX_DEPTH = 16;

  /** The JDK's own types have some 4,000. */
  private static final int MAX_STRINGS = 1 << 20;

  /** A field of a type. */
  final class Field {
    public final String name;

    /** True if the value is an id in the constant pool of its type. */
    final boolean constant;

    /** True if a count precedes that many values. */
    final boolean array;

    private final long typeId;
    private JfrType type;
    private Form form;
    private Skip skip;

    private Field(String name, long typeId, boolean constant, boolean array) {
      // Fields are often looked up by constant names; the same object is the fastest to compare.
      this.name = name.intern();
      this.typeId = typeId;
      this.constant = constant;
      this.array = array;
    }

    /** Returns its type, or null if the metadata does not define it. */
    public JfrType type() {
      if (type == null) {
        type = types.get(typeId);
      }
      return type;
    }

    /** Returns the encoding of its value, as far as it is a number. */
    Form form() {
      if (form == null) {
        JfrType type = type();
        form =
            array
                ? Form.OTHER
                : constant
                    ? Form.LONG
                    : switch (type == null ? "" : type.name) {
                      case "boolean", "byte" -> Form.BYTE;
                      case "int" -> Form.INT;
                      case "char", "short", "long" -> Form.LONG;
                      default -> Form.OTHER;
                    };
      }
      return form;
    }

    /** Returns whether it refers to one constant. */
    boolean isConstant() {
      return constant && !array;
    }

    Skip skip() {
      if (skip == null) {
        skip = Skip.of(this);
      }
      return skip;
    }
  }

  /** The encodings of a number; a type shorter than int is encoded like a long. */
  enum Form {
    BYTE,
    INT,
    LONG,
    OTHER
  }

  /** A type: of an event, of a constant, or of a part of one. */
  public static final class JfrType {
    public final long id;
    public final String name;
    final boolean event;

    /** True if it stands for its only field. */
    final boolean simple;

    final List<Field> fields = new ArrayList<>();
    private Skip skip;
    private Layout layout;

    private JfrType(long id, String name, boolean event, boolean simple) {
      this.id = id;
      this.name = name;
      this.event = event;
      this.simple = simple;
    }

    /** Returns the index of a field, or -1. */
    int indexOf(String field) {
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i).name.equals(field)) {
          return i;
        }
      }
      return -1;
    }

    Skip skip() {
      if (skip == null) {
        skip = Skip.of(this);
      }
      return skip;
    }

    Layout layout() {
      if (layout == null) {
        layout = new Layout(this);
      }
      return layout;
    }
  }

  /** A type's fields as arrays, for the loops over many values of the type. */
  static final class Layout {
    // Final, because threads that read chunks at the same time share them.
    final Field[] fields;
    final Form[] forms;
    final Skip[] skips;

    private final String[] names;

    private Layout(JfrType type) {
      fields = type.fields.toArray(Field[]::new);
      forms = new Form[fields.length];
      skips = new Skip[fields.length];
      for (int i = 0; i < fields.length; i++) {
        forms[i] = fields[i].form();
        skips[i] = fields[i].skip();
      }
      names = type.fields.stream().map(field -> field.name).toArray(String[]::new);
    }

    /** Returns the index of a field, or -1. The name is a constant in loops over events. */
    int indexOf(String field) {
      for (int i = 0; i < names.length; i++) {
        if (isSame(names[i], field)) {
          return i;
        }
      }
      return Arrays.asList(names).indexOf(field);
    }

    @SuppressWarnings("ReferenceEquality") // Both are interned, and only the fast way is this.
    private static boolean isSame(String a, String b) {
      return a == b;
    }
  }

  private final byte[] source;
  private final Map<Long, JfrType> types = new HashMap<>();

  private Metadata(byte[] source) {
    this.source = source;
  }

  /** Returns the type, or null. */
  public JfrType type(long id) {
    return types.get(id);
  }

  Collection<JfrType> types() {
    return types.values();
  }

  /**
   * Reads a metadata event.
   *
   * @param in at the event
   * @param previous the result of the previous read, or null: every chunk repeats the same bytes
   */
  public static Metadata read(Bytes in, Metadata previous) {
    int start = in.position;
    int limit = in.limit;
    long size = in.varint();
    if (size < in.position - start || size > limit - start) {
      throw new Malformed("type descriptions of an impossible size");
    }
    in.limit = start + (int) size;
    try {
      if (in.varint() != 0) {
        throw new Malformed("no type descriptions where the header says");
      }
      in.skipVarints(3); // start, duration, id
      if (previous != null
          && Arrays.equals(
              in.array, in.position, in.limit, previous.source, 0, previous.source.length)) {
        return previous;
      }
      Metadata metadata = new Metadata(Arrays.copyOfRange(in.array, in.position, in.limit));
      new Elements(in, metadata).readRoot();
      if (metadata.types.isEmpty()) {
        throw new Malformed("no types among the type descriptions");
      }
      return metadata;
    } finally {
      in.limit = limit;
    }
  }

  /**
   * The metadata's own format: a string table, then a tree of elements, each a name, attributes and
   * children, all by index into the table. Most of it is labels, which are skipped.
   */
  private static final class Elements {
    private final Bytes in;
    private final Metadata metadata;
    private final int[] offsets;
    private final String[] strings;

    Elements(Bytes in, Metadata metadata) {
      this.in = in;
      this.metadata = metadata;
      int count = in.count(1);
      if (count > MAX_STRINGS) {
        throw new Malformed("too many strings among the type descriptions");
      }
      offsets = new int[count];
      strings = new String[offsets.length];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = in.position;
        in.skipString();
      }
    }

    void readRoot() {
      string();
      skipAttributes();
      for (int child = in.count(3); child > 0; child--) {
        if (string().equals("metadata")) {
          skipAttributes();
          for (int type = in.count(3); type > 0; type--) {
            if (string().equals("class")) {
              readType();
            } else {
              skipElement(0);
            }
          }
        } else {
          skipElement(0);
        }
      }
    }

    private void readType() {
      String name = "";
      String superType = "";
      boolean simple = false;
      long id = -1;
      for (int attribute = in.count(2); attribute > 0; attribute--) {
        String key = string();
        String value = string();
        switch (key) {
          case "name" -> name = value;
          case "superType" -> superType = value;
          case "simpleType" -> simple = value.equals("true");
          case "id" -> id = number(value);
          default -> {}
        }
      }
      JfrType type = new JfrType(id, name, superType.equals("jdk.jfr.Event"), simple);
      for (int child = in.count(3); child > 0; child--) {
        if (string().equals("field")) {
          readField(type);
        } else {
          skipElement(0);
        }
      }
      metadata.types.put(id, type);
    }

    private void readField(JfrType type) {
      String name = "";
      long typeId = -1;
      boolean constant = false;
      boolean array = false;
      for (int attribute = in.count(2); attribute > 0; attribute--) {
        String key = string();
        String value = string();
        switch (key) {
          case "name" -> name = value;
          case "class" -> typeId = number(value);
          case "constantPool" -> constant = value.equals("true");
          case "dimension" -> array = !value.equals("0");
          default -> {}
        }
      }
      skipChildren(0);
      type.fields.add(metadata.new Field(name, typeId, constant, array));
    }

    private void skipElement(int depth) {
      if (depth > MAX_DEPTH) {
        throw new Malformed("type descriptions nested too deep");
      }
      skipAttributes();
      skipChildren(depth);
    }

    private void skipAttributes() {
      in.skipVarints(2L * in.count(2));
    }

    private void skipChildren(int depth) {
      for (int child = in.count(3); child > 0; child--) {
        in.varint();
        skipElement(depth + 1);
      }
    }

    private String string() {
      long index = in.varint();
      if (index < 0 || index >= strings.length) {
        throw new Malformed("a type description without a name");
      }
      String string = strings[(int) index];
      if (string == null) {
        int here = in.position;
        in.position = offsets[(int) index];
        int encoding = in.unsignedByte();
        string =
            encoding == Bytes.STRING_NULL || encoding == Bytes.STRING_EMPTY
                ? ""
                : in.string(encoding);
        in.position = here;
        strings[(int) index] = string;
      }
      return string;
    }

    private static long number(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new Malformed("a type description without a number");
      }
    }
  }
}
