package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.Field;
import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The constant pools of one chunk. Loading them notes the places of the constants; a constant is
 * read when it is first requested, and once.
 */
public final class Constants {
  private static final String STRING = "java.lang.String";
  private static final String CLASS = "java.lang.Class";
  private static final String THREAD = "java.lang.Thread";
  static final String STACK_TRACE = "jdk.types.StackTrace";

  /** The greatest depth of constants that refer to each other; a stack's symbols are 7 deep. */
  private static final int MAX_DEPTH = 16;

  /** The places of the constants of one type, and those that were read. */
  private static final class Pool {
    private static final int MISSING = -1;

    private final LongIntMap indexes = new LongIntMap();
    private final JfrType type;
    private int[] places = new int[16];
    private Object[] values = new Object[16];

    /** Reads one constant at a time; null while it does. */
    private Values reader;

    Pool(JfrType type) {
      this.type = type;
    }

    void clear() {
      Arrays.fill(values, 0, indexes.size(), null);
      indexes.clear();
    }

    /** Notes a constant; as in the JDK's reader, the first in the file counts. */
    void addIfAbsent(long id, int place) {
      if (indexes.get(id) == LongIntMap.ABSENT) {
        add(id, place);
      }
    }

    int indexOf(long id) {
      int index = indexes.get(id);
      return index == LongIntMap.ABSENT ? add(id, MISSING) : index;
    }

    private int add(long id, int place) {
      int index = indexes.size();
      if (index == places.length) {
        places = Arrays.copyOf(places, index * 2);
        values = Arrays.copyOf(values, index * 2);
      }
      places[index] = place;
      indexes.put(id, index);
      return index;
    }
  }

  private final Bytes in = new Bytes();
  private final LongIntMap poolNumbers = new LongIntMap();
  private final List<Pool> pools = new ArrayList<>();
  private final StackPlaces stacks = new StackPlaces();
  private Problems problems = new Problems();
  private Metadata metadata;
  private Walk.Places checkpoints;
  private boolean loaded;
  private int depth;

  /**
   * Begins a chunk.
   *
   * @param wanted the types of the events that will request constants
   * @param walk has the places of the chunk's checkpoint events, in the order of the file
   * @param damage receives what cannot be read
   */
  public void reset(
      Metadata types, List<JfrType> wanted, byte[] array, int end, Walk walk, Problems damage) {
    in.reset(array, 0, end);
    checkpoints = walk.checkpoints;
    problems = damage;
    loaded = false;
    stacks.clear();
    if (types == metadata) {
      pools.forEach(Pool::clear);
      return;
    }
    metadata = types;
    pools.clear();
    poolNumbers.clear();
    Set<JfrType> seen = new HashSet<>();
    for (JfrType type : types.types()) {
      // Any string field can refer to a constant.
      if (type.name.equals(STRING)) {
        addPool(type);
      }
    }
    wanted.forEach(type -> addPools(type, seen, 0));
  }

  /** Releases the chunk's bytes. */
  public void release() {
    in.reset(new byte[0], 0, 0);
    stacks.clear();
  }

  private void addPools(JfrType type, Set<JfrType> seen, int nesting) {
    if (nesting > MAX_DEPTH || !seen.add(type)) {
      return;
    }
    for (Field field : type.fields) {
      JfrType value = field.type();
      if (value != null) {
        if (field.constant) {
          addPool(value);
        }
        addPools(value, seen, nesting + 1);
      }
    }
  }

  private void addPool(JfrType type) {
    if (poolNumbers.get(type.id) == LongIntMap.ABSENT) {
      poolNumbers.put(type.id, pools.size());
      pools.add(new Pool(type));
    }
  }

  /** Returns the pool of a type, or null if its constants will not be requested. */
  private Pool pool(long typeId) {
    int number = poolNumbers.get(typeId);
    return number == LongIntMap.ABSENT ? null : pools.get(number);
  }

  /** Returns the fields of events of this type. */
  public Values values(JfrType type) {
    return new Values(type, this);
  }

  Metadata metadata() {
    return metadata;
  }

  byte[] array() {
    return in.array;
  }

  int end() {
    return in.limit;
  }

  Problems problems() {
    return problems;
  }

  /**
   * Returns the number of a stack among those of this chunk; a new one for a stack that is missing.
   */
  public int stackNumber(long id) {
    return stacks().number(id);
  }

  /** Returns the places of the stacks. */
  StackPlaces stacks() {
    load();
    return stacks;
  }

  private void load() {
    if (loaded) {
      return;
    }
    loaded = true;
    int limit = in.limit;
    for (int i = 0; i < checkpoints.size(); i++) {
      int checkpoint = checkpoints.get(i);
      try {
        in.position = checkpoint;
        long size = in.varint();
        in.limit = (int) Math.min(limit, checkpoint + size);
        in.skipVarints(4); // type, start, duration, distance to the checkpoint before
        in.unsignedByte(); // the kind of checkpoint
        for (long count = in.varint(); count > 0; count--) {
          loadPool();
        }
      } catch (Malformed e) {
        problems.damagedConstants();
      }
      in.limit = limit;
    }
  }

  private void loadPool() {
    long typeId = in.varint();
    int count = in.count(2);
    JfrType type = metadata.type(typeId);
    if (type == null) {
      throw new Malformed("constants of a type that is not described");
    }
    Skip skip = type.skip();
    if (type.name.equals(STACK_TRACE)) {
      for (int i = 0; i < count; i++) {
        long id = in.varint();
        int number = stacks.note(id, in.position);
        skip.over(in);
        if (number != LongIntMap.ABSENT) {
          stacks.noteEnd(number, in.position);
        }
      }
      return;
    }
    Pool pool = pool(typeId);
    for (int i = 0; i < count; i++) {
      long id = in.varint();
      if (pool != null) {
        pool.addIfAbsent(id, in.position); // types repeat, and so do constants
      }
      skip.over(in);
    }
  }

  /**
   * Reads a constant, or returns it if it was read before.
   *
   * @param missing the value for null, and for a constant that is missing or damaged
   * @param read reads it from its fields
   */
  public <T> T read(JfrType type, long id, T missing, Class<T> form, Function<Values, T> read) {
    return constant(type, id, missing, form, read, false);
  }

  /**
   * @param asText whether the constant has no fields to read, but a text
   */
  private <T> T constant(
      JfrType type, long id, T missing, Class<T> form, Function<Values, T> read, boolean asText) {
    Pool pool = type == null ? null : pool(type.id);
    if (pool == null || depth > MAX_DEPTH) {
      return missing;
    }
    load();
    int index = pool.indexOf(id);
    Object known = pool.values[index];
    if (form.isInstance(known)) {
      return form.cast(known);
    }
    T value = missing;
    if (pool.places[index] == Pool.MISSING) {
      if (id != 0) { // 0 is null, unless there is such a constant
        problems.missingConstant();
      }
    } else {
      depth++;
      try {
        int place = pool.places[index];
        value = asText ? form.cast(readText(type, place)) : read(pool, place, read);
      } catch (Malformed e) {
        problems.damagedConstants();
      } finally {
        depth--;
      }
    }
    pool.values[index] = value;
    return value;
  }

  private <T> T read(Pool pool, int place, Function<Values, T> read) {
    // A constant can refer to others of its own type.
    Values values = pool.reader == null ? new Values(pool.type, this) : pool.reader;
    pool.reader = null;
    try {
      values.moveTo(in.array, place, in.limit);
      return read.apply(values);
    } finally {
      pool.reader = values;
    }
  }

  /** Reads the text of a string, or of a constant that has one; {@code from} moves past it. */
  String text(Field field, Bytes from) {
    JfrType type = field.type();
    if (type == null || field.array || depth > MAX_DEPTH) {
      field.skip().over(from);
      return "";
    }
    if (field.constant) {
      return text(type, from.varint());
    }
    if (type.name.equals(STRING)) {
      int encoding = from.unsignedByte();
      return switch (encoding) {
        case Bytes.STRING_NULL, Bytes.STRING_EMPTY -> "";
        case Bytes.STRING_CONSTANT -> text(type, from.varint());
        default -> from.string(encoding);
      };
    }
    if (type.simple && type.fields.size() == 1) {
      depth++;
      try {
        return text(type.fields.getFirst(), from);
      } finally {
        depth--;
      }
    }
    field.skip().over(from);
    return "";
  }

  /** Returns the text of a constant: for a class its name, with dots; for a thread its name. */
  String text(JfrType type, long id) {
    return switch (type.name) {
      case CLASS -> read(type, id, "", String.class, values -> className(values.text("name")));
      case THREAD -> read(type, id, "", String.class, Constants::threadName);
      default -> constant(type, id, "", String.class, null, true);
    };
  }

  /** Returns a class name in a constant, as the language writes it. */
  public static String className(String name) {
    return name.replace('/', '.');
  }

  /**
   * Returns the name in a thread constant: a virtual thread's OS name is its carrier's, or empty.
   */
  public static String threadName(Values thread) {
    String name = thread.text("javaName");
    return name.isEmpty() && thread.number("virtual") == 0 ? thread.text("osName") : name;
  }

  private String readText(JfrType type, int place) {
    Bytes at = new Bytes();
    at.reset(in.array, place, in.limit);
    if (type.name.equals(STRING)) {
      int encoding = at.unsignedByte();
      return encoding == Bytes.STRING_NULL || encoding == Bytes.STRING_EMPTY
          ? ""
          : at.string(encoding);
    }
    return type.fields.size() == 1 ? text(type.fields.getFirst(), at) : "";
  }
}
