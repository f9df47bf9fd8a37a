package vtdiag.jfr;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import vtdiag.jfr.Metadata.Field;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.model.ClassRef;
import vtdiag.model.Frame;
import vtdiag.model.StackTrace;
import vtdiag.model.ThreadRef;
import vtdiag.pin.Events;

/**
 * The constant pools of one chunk. Loading them notes where the constants are; what a constant says
 * is read when an event needs it, and once.
 */
public final class Constants {
  private static final String STRING = "java.lang.String";
  private static final String CLASS = "java.lang.Class";
  private static final String THREAD = "java.lang.Thread";
  private static final String STACK_TRACE = "jdk.types.StackTrace";

  public static final ThreadRef NO_THREAD = new ThreadRef(0, "", false);
  private static final ClassRef NO_CLASS = new ClassRef("", "");
  private static final Method NO_METHOD = new Method(NO_CLASS, "", "", 0);

  /** A stack's symbols are 7 deep; constants that hold each other end here. */
  private static final int MAX_DEPTH = 16;

  /** Where the constants of one type are, and those that were read. */
  private static final class Pool {
    private static final int MISSING = -1;

    private final LongIntMap indexes = new LongIntMap();
    private int[] places = new int[16];
    private Object[] values = new Object[16];

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

  private record Method(ClassRef type, String name, String descriptor, int modifiers) {}

  /** A field of a frame that is read. */
  private enum Role {
    METHOD,
    LINE,
    BCI,
    KIND,
    OTHER;

    static Role of(Field field) {
      return switch (field.name) {
        case "method" -> METHOD;
        case "lineNumber" -> LINE;
        case "bytecodeIndex" -> BCI;
        case "type" -> KIND;
        default -> OTHER;
      };
    }
  }

  /** The fields of a frame; there are so many frames that their names are compared once. */
  private record FrameLayout(JfrType type, List<Field> fields, List<Role> roles) {
    static FrameLayout of(JfrType type) {
      return new FrameLayout(type, type.fields, type.fields.stream().map(Role::of).toList());
    }
  }

  /** A stack by the frames it has, each of which is one object wherever it stands. */
  private static final class StackKey {
    final Frame[] frames;
    final boolean truncated;
    private final int hash;

    StackKey(Frame[] frames, boolean truncated) {
      this.frames = frames;
      this.truncated = truncated;
      int sum = frames.length;
      for (Frame frame : frames) {
        sum = 31 * sum + System.identityHashCode(frame);
      }
      hash = sum;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Equal frames are one object.
    public boolean equals(Object other) {
      if (!(other instanceof StackKey key)
          || truncated != key.truncated
          || frames.length != key.frames.length) {
        return false;
      }
      for (int i = 0; i < frames.length; i++) {
        if (frames[i] != key.frames[i]) {
          return false;
        }
      }
      return true;
    }
  }

  private final Problems problems;
  // Equal frames and stacks are one object, over all chunks.
  private final Map<ClassRef, ClassRef> classes = new HashMap<>();
  private final Map<Frame, Frame> frames = new HashMap<>();
  private final Map<StackKey, StackTrace> stacks = new HashMap<>();

  private final Bytes in = new Bytes();
  private final Map<Long, Pool> pools = new HashMap<>();
  private final LongIntMap wantedStacks = new LongIntMap();
  private final FrameTable frameTable = new FrameTable();
  private Metadata metadata;
  private FrameLayout layout;
  private Frame.Kind lastKind;
  private long lastKindId;
  private Walk.Places checkpoints;
  private boolean loaded;
  private int depth;

  public Constants(Problems problems) {
    this.problems = problems;
  }

  /**
   * Turns to a chunk.
   *
   * @param events the types of the events that will ask
   * @param places where the chunk's checkpoint events are, in the order of the file
   */
  public void reset(
      Metadata types, List<JfrType> events, byte[] array, int end, Walk.Places places) {
    in.reset(array, 0, end);
    checkpoints = places;
    loaded = false;
    wantedStacks.clear();
    frameTable.clear();
    lastKind = null;
    if (types == metadata) {
      pools.values().forEach(Pool::clear);
      return;
    }
    metadata = types;
    pools.clear();
    Set<JfrType> seen = new HashSet<>();
    for (JfrType type : types.types()) {
      // Any string field can refer to a constant.
      if (type.name.equals(STRING)) {
        pools.put(type.id, new Pool());
      }
    }
    events.forEach(event -> addPools(event, seen, 0));
  }

  /** Lets go of the chunk. */
  public void release() {
    if (metadata != null) {
      reset(metadata, List.of(), new byte[0], 0, new Walk.Places());
    }
  }

  private void addPools(JfrType type, Set<JfrType> seen, int nesting) {
    if (nesting > MAX_DEPTH || !seen.add(type)) {
      return;
    }
    for (Field field : type.fields) {
      JfrType value = field.type();
      if (value != null) {
        if (field.constant) {
          pools.computeIfAbsent(value.id, id -> new Pool());
        }
        addPools(value, seen, nesting + 1);
      }
    }
  }

  /** Stacks are most of a chunk's constants: only those asked for before loading are noted. */
  public void wantStack(long id) {
    wantedStacks.put(id, 0);
  }

  private void load() {
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
    Pool pool = pools.get(typeId);
    if (pool == null) {
      for (int i = 0; i < count; i++) {
        in.varint();
        skip.over(in);
      }
      return;
    }
    boolean stacksOnly = type.name.equals(STACK_TRACE);
    for (int i = 0; i < count; i++) {
      long id = in.varint();
      if (!stacksOnly || wantedStacks.get(id) != LongIntMap.ABSENT) {
        pool.addIfAbsent(id, in.position); // types repeat, and so do constants
      }
      skip.over(in);
    }
  }

  /**
   * Reads a constant, or returns it if it was read before.
   *
   * @param missing what stands for null, and for a constant that is missing or damaged
   * @param read reads it from {@link #in}
   */
  private <T> T constant(
      JfrType type, long id, T missing, Class<T> form, Function<JfrType, T> read) {
    Pool pool = type == null ? null : pools.get(type.id);
    if (pool == null || depth > MAX_DEPTH) {
      return missing;
    }
    if (!loaded) {
      load();
    }
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
      int back = in.position;
      in.position = pool.places[index];
      depth++;
      try {
        value = read.apply(type);
      } catch (Malformed e) {
        problems.damagedConstants();
      } finally {
        depth--;
        in.position = back;
      }
    }
    pool.values[index] = value;
    return value;
  }

  ThreadRef thread(JfrType type, long id) {
    return constant(type, id, NO_THREAD, ThreadRef.class, this::readThread);
  }

  private ThreadRef readThread(JfrType type) {
    String javaName = "";
    String osName = "";
    long javaId = 0;
    boolean virtual = false;
    for (Field field : type.fields) {
      switch (field.name) {
        case "javaName" -> javaName = text(field, in);
        case "osName" -> osName = text(field, in);
        case "javaThreadId" -> javaId = number(field, in);
        case "virtual" -> virtual = number(field, in) != 0;
        default -> field.skip().over(in);
      }
    }
    // A virtual thread's OS name is its carrier's, or nothing.
    return new ThreadRef(javaId, javaName.isEmpty() && !virtual ? osName : javaName, virtual);
  }

  StackTrace stack(JfrType type, long id) {
    return constant(type, id, StackTrace.ABSENT, StackTrace.class, this::readStack);
  }

  private StackTrace readStack(JfrType type) {
    boolean truncated = false;
    Frame[] list = {};
    for (Field field : type.fields) {
      switch (field.name) {
        case "truncated" -> truncated = number(field, in) != 0;
        case "frames" -> list = readFrames(field);
        default -> field.skip().over(in);
      }
    }
    return stacks.computeIfAbsent(
        new StackKey(list, truncated),
        key -> new StackTrace(Arrays.asList(key.frames), key.truncated));
  }

  private Frame[] readFrames(Field field) {
    JfrType type = field.type();
    if (type == null || !field.array || field.constant) {
      throw new Malformed("a stack without frames");
    }
    if (layout == null || layout.type != type) {
      layout = FrameLayout.of(type);
    }
    Frame[] list = new Frame[in.count(Math.max(1, type.fields.size()))];
    for (int i = 0; i < list.length; i++) {
      list[i] = readFrame();
    }
    return list;
  }

  private Frame readFrame() {
    long method = 0;
    Frame.Kind kind = Frame.Kind.UNKNOWN;
    int line = -1;
    int bci = -1;
    JfrType methodType = null;
    for (int i = 0; i < layout.fields.size(); i++) {
      Field field = layout.fields.get(i);
      switch (layout.roles.get(i)) {
        case METHOD -> {
          method = number(field, in);
          methodType = field.type();
        }
        case LINE -> line = (int) number(field, in);
        case BCI -> bci = (int) number(field, in);
        case KIND -> kind = frameKind(field);
        case OTHER -> field.skip().over(in);
      }
    }
    Frame known = frameTable.get(method, kind, line, bci);
    if (known == null) {
      Method found = method(methodType, method);
      Frame frame =
          new Frame(found.type, found.name, found.descriptor, found.modifiers, bci, line, kind);
      known = intern(frames, frame);
      frameTable.put(method, kind, line, bci, known);
    }
    return known;
  }

  private Frame.Kind frameKind(Field field) {
    if (!field.constant || field.array) {
      return Events.frameKind(text(field, in));
    }
    long id = in.varint();
    if (lastKind == null || id != lastKindId) {
      lastKind = Events.frameKind(field.type() == null ? "" : constantText(field.type(), id));
      lastKindId = id;
    }
    return lastKind;
  }

  private Method method(JfrType type, long id) {
    return constant(type, id, NO_METHOD, Method.class, this::readMethod);
  }

  private Method readMethod(JfrType type) {
    ClassRef owner = NO_CLASS;
    String name = "";
    String descriptor = "";
    int modifiers = 0;
    for (Field field : type.fields) {
      switch (field.name) {
        case "type" -> owner = classRef(field.type(), number(field, in));
        case "name" -> name = text(field, in);
        case "descriptor" -> descriptor = text(field, in);
        case "modifiers" -> modifiers = (int) number(field, in);
        default -> field.skip().over(in);
      }
    }
    return new Method(owner, name, descriptor, modifiers);
  }

  private ClassRef classRef(JfrType type, long id) {
    return constant(type, id, NO_CLASS, ClassRef.class, this::readClass);
  }

  private ClassRef readClass(JfrType type) {
    String name = "";
    String loader = "";
    for (Field field : type.fields) {
      switch (field.name) {
        case "name" -> name = text(field, in).replace('/', '.');
        case "classLoader" -> loader = loader(field.type(), number(field, in));
        default -> field.skip().over(in);
      }
    }
    return intern(classes, new ClassRef(name, loader));
  }

  private String loader(JfrType type, long id) {
    return constant(type, id, "", String.class, this::readLoader);
  }

  private String readLoader(JfrType type) {
    String name = "";
    String className = "";
    for (Field field : type.fields) {
      switch (field.name) {
        case "name" -> name = text(field, in);
        // Only the name: the loader's class has a loader too, and so on.
        case "type" -> className = className(field.type(), number(field, in));
        default -> field.skip().over(in);
      }
    }
    return Events.loaderName(name, className);
  }

  private String className(JfrType type, long id) {
    return constant(type, id, "", String.class, this::readClassName);
  }

  private String readClassName(JfrType type) {
    String name = "";
    for (Field field : type.fields) {
      if (field.name.equals("name")) {
        name = text(field, in).replace('/', '.');
      } else {
        field.skip().over(in);
      }
    }
    return name;
  }

  /** A number, truth value or id at the place of {@code from}, which moves past it. */
  long number(Field field, Bytes from) {
    return switch (field.form()) {
      case BYTE -> (byte) from.unsignedByte();
      case INT -> (int) from.varint();
      case LONG -> from.varint();
      case OTHER -> {
        field.skip().over(from);
        yield 0;
      }
    };
  }

  /** The text of a string, or of a constant that has one; {@code from} moves past it. */
  String text(Field field, Bytes from) {
    JfrType type = field.type();
    if (type == null || field.array || depth > MAX_DEPTH) {
      field.skip().over(from);
      return "";
    }
    if (field.constant) {
      return constantText(type, from.varint());
    }
    if (type.name.equals(STRING)) {
      int encoding = from.unsignedByte();
      return switch (encoding) {
        case Bytes.STRING_NULL, Bytes.STRING_EMPTY -> "";
        case Bytes.STRING_CONSTANT -> constantText(type, from.varint());
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

  private String constantText(JfrType type, long id) {
    return switch (type.name) {
      case CLASS -> classRef(type, id).name();
      case THREAD -> thread(type, id).name();
      default -> constant(type, id, "", String.class, this::readText);
    };
  }

  private String readText(JfrType type) {
    if (type.name.equals(STRING)) {
      int encoding = in.unsignedByte();
      return encoding == Bytes.STRING_NULL || encoding == Bytes.STRING_EMPTY
          ? ""
          : in.string(encoding);
    }
    return type.fields.size() == 1 ? text(type.fields.getFirst(), in) : "";
  }

  private static <T> T intern(Map<T, T> known, T value) {
    T first = known.putIfAbsent(value, value);
    return first == null ? value : first;
  }
}
