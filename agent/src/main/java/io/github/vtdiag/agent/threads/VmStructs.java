package io.github.vtdiag.agent.threads;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where HotSpot keeps what in its own structures: the table that it exports for debuggers, read
 * from this process.
 */
final class VmStructs {
  private static final String TABLE = "gHotSpotVMStructs";
  private static final String ENTRY = "gHotSpotVMStructEntry";

  /** More entries than any JDK has. */
  private static final int MOST = 10_000;

  private final Map<String, Long> places = new HashMap<>();
  private final ProcessMemory memory;
  private final Method symbol;

  /**
   * Looks up fields.
   *
   * @param fields such as {@code JavaThread._current_pending_monitor}
   * @throws ReflectiveOperationException if this JVM has no such table or field
   */
  VmStructs(ProcessMemory memory, Set<String> fields)
      throws ReflectiveOperationException, IOException {
    this.memory = memory;
    this.symbol =
        Class.forName("jdk.internal.loader.NativeLibrary")
            .getDeclaredMethod("findEntry0", long.class, String.class);
    symbol.setAccessible(true);
    long entry = exported(TABLE);
    long stride = exported(ENTRY + "ArrayStride");
    long typeName = exported(ENTRY + "TypeNameOffset");
    long fieldName = exported(ENTRY + "FieldNameOffset");
    long isStatic = exported(ENTRY + "IsStaticOffset");
    long offset = exported(ENTRY + "OffsetOffset");
    long address = exported(ENTRY + "AddressOffset");
    for (int i = 0; i < MOST && memory.longAt(entry + typeName) != 0; i++, entry += stride) {
      String name =
          memory.textAt(memory.longAt(entry + typeName))
              + "."
              + memory.textAt(memory.longAt(entry + fieldName));
      if (fields.contains(name)) {
        boolean global = memory.intAt(entry + isStatic) != 0;
        places.put(name, memory.longAt(entry + (global ? address : offset)));
      }
    }
    for (String field : fields) {
      place(field);
    }
  }

  /** The value of a variable that the JVM's library exports. */
  private long exported(String name) throws ReflectiveOperationException, IOException {
    // Of no library in particular: the launcher makes the JVM's symbols known to all.
    long at = (long) symbol.invoke(null, 0L, name);
    if (at == 0) {
      throw new NoSuchFieldException(name);
    }
    return memory.longAt(at);
  }

  /** The offset of a field; of a static one its address. */
  long place(String field) throws NoSuchFieldException {
    Long place = places.get(field);
    if (place == null) {
      throw new NoSuchFieldException(field);
    }
    return place;
  }
}
