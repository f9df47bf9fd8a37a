package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.Field;
import io.github.vtdiag.jfr.Metadata.Form;
import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.function.Function;

/**
 * The fields of one event or constant. One object moves from one to the next, so it must not be
 * kept.
 */
public final class Values {
  private final JfrType type;
  private final Metadata.Layout layout;
  private final Constants constants;
  private final Bytes in = new Bytes();
  private final Field[] fields;
  private final Form[] forms;
  private final Skip[] skips;
  private final int[] places;
  private final long[] numbers;

  /** The number of fields that were read. */
  private int read;

  Values(JfrType type, Constants constants) {
    this.type = type;
    this.constants = constants;
    layout = type.layout();
    fields = layout.fields;
    forms = layout.forms;
    skips = layout.skips;
    places = new int[fields.length];
    numbers = new long[fields.length];
  }

  /** Moves to what begins at {@code from} and ends before {@code to}. */
  public void moveTo(byte[] bytes, int from, int to) {
    moveTo(bytes, from, to, places.length);
  }

  /**
   * Does the same, but reads only the first fields.
   *
   * @see #readTo
   */
  public void moveTo(byte[] bytes, int from, int to, int count) {
    in.reset(bytes, from, to);
    read = 0;
    readTo(count);
  }

  /** Reads the fields up to the first {@code count}, unless they were read. */
  public void readTo(int count) {
    int i = read;
    read = Math.max(read, count);
    for (; i < count; i++) {
      places[i] = in.position;
      switch (forms[i]) {
        case LONG -> numbers[i] = in.varint();
        case INT -> numbers[i] = (int) in.varint();
        case BYTE -> numbers[i] = (byte) in.unsignedByte();
        case OTHER -> skips[i].over(in);
      }
    }
  }

  /** Returns the number of fields. */
  public int count() {
    return places.length;
  }

  public JfrType type() {
    return type;
  }

  /** Returns the index of a field, or -1. */
  public int indexOf(String field) {
    return layout.indexOf(field);
  }

  /** Returns an integral field, a boolean, or the id of a constant; 0 if it is none or missing. */
  public long number(int index) {
    return index < 0 ? 0 : numbers[index];
  }

  public long number(String field) {
    return number(indexOf(field));
  }

  /** Returns a string, or the text of a constant; empty if it is none or missing. */
  public String text(int index) {
    if (index < 0) {
      return "";
    }
    in.position = places[index];
    return constants.text(fields[index], in);
  }

  public String text(String field) {
    return text(indexOf(field));
  }

  /** Returns the type of the constants that a field refers to; null if it refers to none. */
  public JfrType constantType(int index) {
    return index >= 0 && fields[index].isConstant() ? fields[index].type() : null;
  }

  /**
   * Returns the constant that a field refers to.
   *
   * @see Constants#read
   */
  public <T> T constant(String field, T missing, Class<T> form, Function<Values, T> read) {
    int index = indexOf(field);
    return index < 0
        ? missing
        : constants.read(fields[index].type(), numbers[index], missing, form, read);
  }
}
