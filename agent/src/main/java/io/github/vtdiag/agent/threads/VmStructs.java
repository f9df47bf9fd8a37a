package io.github.vtdiag.agent.threads;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The layout of HotSpot's own structures: the table that it exports for debuggers, read from this
 * process.
 */
final class VmStructs {
  private static final String TABLE = "gHotSpotVMStructs";
  private static final String ENTRY = "gHotSpotVMStructEntry";
  private static final String CONSTANTS = "gHotSpotVMIntConstants";
  private static final String CONSTANT = "gHotSpotVMIntConstantEntry";

  /** More entries than a table of any JDK has. */
  private static final int MOST = 10_000;

  private final Map<String, Long> places = new HashMap<>();

  /**
   * Looks up fields.
   *
   * @param fields such as {@code JavaThread._current_pending_monitor}
   * @throws ReflectiveOperationException if this JVM has no such table or field
   */
  VmStructs(ProcessMemory memory, Set<String> fields)
      throws ReflectiveOperationException, IOException {
    Symbols symbols = new Symbols(memory.paged());
    long entry = symbols.value(TABLE);
    long stride = symbols.value(ENTRY + "ArrayStride");
    long typeName = symbols.value(ENTRY + "TypeNameOffset");
    long fieldName = symbols.value(ENTRY + "FieldNameOffset");
    long isStatic = symbols.value(ENTRY + "IsStaticOffset");
    long offset = symbols.value(ENTRY + "OffsetOffset");
    long address = symbols.value(ENTRY + "AddressOffset");
    Set<String> types =
        fields.stream()
            .map(field -> field.substring(0, field.indexOf('.')))
            .collect(Collectors.toSet());
    // Nearly all entries are of other types, and all entries of a type share the text of its name.
    Map<Long, String> wanted = new HashMap<>();
    ProcessMemory table = symbols.memory;
    for (int i = 0; i < MOST && table.longAt(entry + typeName) != 0; i++, entry += stride) {
      long at = table.longAt(entry + typeName);
      String type = wanted.get(at);
      if (type == null) {
        String name = table.textAt(at);
        type = types.contains(name) ? name : "";
        wanted.put(at, type);
      }
      String name =
          type.isEmpty() ? "" : type + "." + table.textAt(table.longAt(entry + fieldName));
      if (fields.contains(name)) {
        boolean global = table.intAt(entry + isStatic) != 0;
        places.put(name, table.longAt(entry + (global ? address : offset)));
      }
    }
    for (String field : fields) {
      place(field);
    }
  }

  /**
   * Returns the value of a constant of HotSpot's.
   *
   * @param name such as {@code _thread_in_native}
   * @throws ReflectiveOperationException if this JVM has no such table or constant
   */
  static int constant(ProcessMemory memory, String name)
      throws ReflectiveOperationException, IOException {
    Symbols symbols = new Symbols(memory.paged());
    long entry = symbols.value(CONSTANTS);
    long stride = symbols.value(CONSTANT + "ArrayStride");
    long nameAt = symbols.value(CONSTANT + "NameOffset");
    long value = symbols.value(CONSTANT + "ValueOffset");
    ProcessMemory table = symbols.memory;
    for (int i = 0; i < MOST && table.longAt(entry + nameAt) != 0; i++, entry += stride) {
      if (table.textAt(table.longAt(entry + nameAt)).equals(name)) {
        return table.intAt(entry + value);
      }
    }
    throw new NoSuchFieldException(name);
  }

  /** The variables that the JVM's library exports. */
  private static final class Symbols {
    private final ProcessMemory memory;
    private final Method symbol;

    Symbols(ProcessMemory memory) throws ReflectiveOperationException {
      this.memory = memory;
      this.symbol =
          Class.forName("jdk.internal.loader.NativeLibrary")
              .getDeclaredMethod("findEntry0", long.class, String.class);
      symbol.setAccessible(true);
    }

    long value(String name) throws ReflectiveOperationException, IOException {
      // No particular library is named: the launcher makes the JVM's symbols visible to all.
      long at = (long) symbol.invoke(null, 0L, name);
      if (at == 0) {
        throw new NoSuchFieldException(name);
      }
      return memory.longAt(at);
    }
  }

  /** Returns the offset of a field, or the address of a static one. */
  long place(String field) throws NoSuchFieldException {
    Long place = places.get(field);
    if (place == null) {
      throw new NoSuchFieldException(field);
    }
    return place;
  }
}
