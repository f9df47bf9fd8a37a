package io.github.vtdiag.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Scans class files once, and keeps only what finds the rest again: the supertypes, the methods
 * that lock, and a number for every method or field that an instruction names. ASM would create
 * objects for every instruction of a program, and the rules examine one in a thousand of them.
 *
 * <p>One scan serves one thread, for any number of classes.
 */
final class ClassScan {

  /** The length of each instruction (JVMS 6.5); 0 where it varies. */
  static final byte[] LENGTH = lengths();

  /** A class without its members. */
  record Head(
      String name,
      int access,
      String superName,
      List<String> interfaces,
      int majorVersion,
      int methods,
      BitSet locking) {}

  /** The names in methods: a key, and a method's number, counted over all classes scanned. */
  long[] keys = new long[1 << 12];

  int[] methods = new int[1 << 12];
  int size;

  /** The interfaces that lambdas implement, and other results of {@code invokedynamic}. */
  final Set<String> dynamicTypes = new HashSet<>();

  private final boolean[] readByAsm = new boolean[1 << 16];
  private final Set<Long> seenDynamicTypes = new HashSet<>();
  private final ConstantPool pool = new ConstantPool();

  /** By constant, the last method that was noted to name it. */
  private int[] namedBy = new int[1 << 10];

  private int method;

  /**
   * Pairs of a method's number and the bootstrap method it uses; the bootstrap methods stand at the
   * end.
   */
  private int[] dynamic = new int[64];

  private int dynamicSize;

  /**
   * Scans the class in the first {@code length} bytes.
   *
   * @throws IllegalArgumentException if it is no class file, or one that ASM will not read; nothing
   *     is kept of it
   */
  Head scan(byte[] classFile, int length) {
    int sizeBefore = size;
    int methodBefore = method;
    try {
      return scanClass(classFile, length);
    } catch (RuntimeException e) {
      size = sizeBefore;
      method = methodBefore;
      throw e instanceof IllegalArgumentException known ? known : ConstantPool.broken();
    }
  }

  private Head scanClass(byte[] classFile, int length) {
    int at = pool.open(classFile, length);
    if (namedBy.length < pool.count()) {
      namedBy = new int[pool.count() * 2];
    }
    Arrays.fill(namedBy, 0, pool.count(), -1);
    int major = pool.u2(6);
    if (!readByAsm[major]) {
      readByAsm[major] = isReadByAsm(major);
    }
    int access = pool.u2(at);
    String name = pool.className(pool.u2(at + 2));
    int parent = pool.u2(at + 4);
    int interfaceCount = pool.u2(at + 6);
    at += 8;
    List<String> interfaces = new ArrayList<>(interfaceCount);
    for (int i = 0; i < interfaceCount; i++) {
      interfaces.add(pool.className(pool.u2(at)));
      at += 2;
    }
    at = scanFields(at);
    int methodCount = pool.u2(at);
    at += 2;
    dynamicSize = 0;
    BitSet locking = new BitSet();
    for (int i = 0; i < methodCount; i++) {
      boolean locks = (pool.u2(at) & Opcodes.ACC_SYNCHRONIZED) != 0;
      int attributes = pool.u2(at + 6);
      at += 8;
      for (int j = 0; j < attributes; j++) {
        int next = pool.attributeEnd(at);
        if (pool.isUtf8(pool.u2(at), "Code")) {
          locks |= scanCode(at + 14, pool.u4(at + 10), next);
        }
        at = next;
      }
      if (locks) {
        locking.set(i);
      }
      method++;
    }
    scanBootstrapMethods(at);
    return new Head(
        name,
        access,
        parent == 0 ? null : pool.className(parent),
        List.copyOf(interfaces),
        major,
        methodCount,
        locking);
  }

  /** Notes the names of the fields under the number of the class's first method. */
  private int scanFields(int start) {
    int at = start + 2;
    for (int i = pool.u2(start); i > 0; i--) {
      note(UseKey.declared(pool, pool.u2(at + 2)), method);
      at = pool.skipMember(at);
    }
    return at;
  }

  /** Returns whether ASM reads the class; later steps use ASM. */
  private boolean isReadByAsm(int major) {
    try {
      return new ClassReader(pool.bytes, 0, pool.length()).getAccess() >= 0;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "it is compiled for a newer Java than vtdiag reads (class file version " + major + ")",
          e);
    }
  }

  /** Notes the names in the instructions; returns true if one of them enters a monitor. */
  private boolean scanCode(int start, int length, int limit) {
    if (length < 0 || length > limit - start) {
      throw ConstantPool.broken();
    }
    boolean locks = false;
    byte[] bytes = pool.bytes;
    int at = start;
    int stop = start + length;
    while (at < stop) {
      int opcode = bytes[at] & 0xFF;
      switch (opcode) {
        case Opcodes.GETSTATIC, Opcodes.PUTSTATIC, Opcodes.GETFIELD, Opcodes.PUTFIELD ->
            name(pool.u2(at + 1), false);
        case Opcodes.INVOKEVIRTUAL,
            Opcodes.INVOKESPECIAL,
            Opcodes.INVOKESTATIC,
            Opcodes.INVOKEINTERFACE ->
            name(pool.u2(at + 1), true);
        case Opcodes.INVOKEDYNAMIC -> nameDynamic(pool.u2(at + 1));
        case Opcodes.LDC -> load(pool.u1(at + 1));
        case 19 -> load(pool.u2(at + 1)); // ldc_w, which ASM calls ldc too
        case Opcodes.MONITORENTER -> locks = true;
        default -> {}
      }
      at += LENGTH[opcode] > 0 ? LENGTH[opcode] : pool.lengthAt(at, start);
    }
    if (at != stop) {
      throw ConstantPool.broken();
    }
    return locks;
  }

  private void name(int reference, boolean isMethod) {
    int at = pool.constant(reference);
    if (namedBy[reference] != method) {
      namedBy[reference] = method;
      int nameAndType = pool.constant(pool.u2(at + 2));
      note(
          isMethod
              ? UseKey.method(pool, nameAndType)
              : UseKey.field(pool, pool.constant(pool.u2(at)), nameAndType),
          method);
    }
  }

  private void nameDynamic(int reference) {
    int at = pool.constant(reference);
    if (namedBy[reference] == method) {
      return;
    }
    namedBy[reference] = method;
    if (dynamicSize == dynamic.length) {
      dynamic = Arrays.copyOf(dynamic, 2 * dynamicSize);
    }
    dynamic[dynamicSize++] = method;
    dynamic[dynamicSize++] = pool.u2(at);
    int descriptor = pool.constant(pool.u2(pool.constant(pool.u2(at + 2)) + 2));
    int type = pool.textEnd(descriptor);
    while (pool.bytes[type - 1] != ')') {
      type--;
      if (type == descriptor + 2) {
        throw ConstantPool.broken();
      }
    }
    if (pool.bytes[type] == 'L'
        && seenDynamicTypes.add(
            UseKey.hash(3, pool.bytes, type + 1, pool.textEnd(descriptor) - 1))) {
      dynamicTypes.add(pool.decode(type + 1, pool.textEnd(descriptor) - 1));
    }
  }

  /** Notes a string if it may be a name, by which reflection finds things. */
  private void load(int index) {
    int at = pool.constant(index);
    int tag = pool.bytes[at - 1];
    if (tag == ConstantPool.METHOD_HANDLE) {
      nameHandle(index, method);
    } else if ((tag == ConstantPool.CLASS || tag == ConstantPool.STRING)
        && namedBy[index] != method) {
      namedBy[index] = method;
      if (tag == ConstantPool.CLASS || mayBeName(pool.constant(pool.u2(at)))) {
        note(UseKey.loaded(pool, at), method);
      }
    }
  }

  private boolean mayBeName(int utf8) {
    int length = pool.u2(utf8);
    if (length < 1 || length > 200) {
      return false;
    }
    for (int i = utf8 + 2; i < utf8 + 2 + length; i++) {
      byte each = pool.bytes[i];
      // A character that is not ASCII may be part of a name.
      if (each >= 0 && each != '.' && !Character.isJavaIdentifierPart(each)) {
        return false;
      }
    }
    return true;
  }

  private void nameHandle(int index, int by) {
    int at = pool.constant(index);
    if (pool.bytes[at - 1] == ConstantPool.METHOD_HANDLE) {
      int reference = pool.constant(pool.u2(at + 1));
      int tag = pool.bytes[reference - 1];
      if (tag == ConstantPool.METHOD || tag == ConstantPool.INTERFACE_METHOD) {
        note(UseKey.method(pool, pool.constant(pool.u2(reference + 2))), by);
      }
    }
  }

  private void scanBootstrapMethods(int start) {
    int count = pool.u2(start);
    int at = start + 2;
    for (int i = 0; i < count; i++) {
      int next = pool.attributeEnd(at);
      if (dynamicSize > 0 && pool.isUtf8(pool.u2(at), "BootstrapMethods")) {
        scanBootstrapMethods(at + 8, pool.u2(at + 6));
      }
      at = next;
    }
  }

  private void scanBootstrapMethods(int start, int count) {
    int[] starts = new int[count];
    int at = start;
    for (int i = 0; i < count; i++) {
      starts[i] = at;
      at += 4 + 2 * pool.u2(at + 2);
    }
    for (int i = 0; i < dynamicSize; i += 2) {
      int entry = starts[dynamic[i + 1]];
      for (int j = 0; j < pool.u2(entry + 2); j++) {
        nameHandle(pool.u2(entry + 4 + 2 * j), dynamic[i]);
      }
    }
  }

  private void note(long key, int by) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      methods = Arrays.copyOf(methods, 2 * size);
    }
    keys[size] = key;
    methods[size] = by;
    size++;
  }

  private static byte[] lengths() {
    byte[] lengths = new byte[256];
    Arrays.fill(lengths, 0, 202, (byte) 1);
    for (int[] range :
        new int[][] {
          {16, 16, 2},
          {17, 17, 3},
          {18, 18, 2},
          {19, 20, 3},
          {21, 25, 2},
          {54, 58, 2},
          {132, 132, 3},
          {153, 168, 3},
          {169, 169, 2},
          {170, 171, 0},
          {178, 184, 3},
          {185, 186, 5},
          {187, 187, 3},
          {188, 188, 2},
          {189, 189, 3},
          {192, 193, 3},
          {196, 196, 0},
          {197, 197, 4},
          {198, 199, 3},
          {200, 201, 5}
        }) {
      Arrays.fill(lengths, range[0], range[1] + 1, (byte) range[2]);
    }
    return lengths;
  }
}
