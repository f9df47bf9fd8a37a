package vtdiag.program;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Walks class files once, and keeps only what finds the rest again: who extends whom, which methods
 * lock, and a number for every method or field that an instruction names. ASM would make objects of
 * every instruction of a program of which the rules then look at one in a thousand.
 *
 * <p>One serves one thread, for any number of classes.
 */
final class ClassScan {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;
  private static final int METHOD_HANDLE = 15;

  /** The bytes of a constant behind its tag, by tag (JVMS 4.4); 0 where there is no such tag. */
  private static final int[] CONSTANT = {
    0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2
  };

  /** The length of each instruction (JVMS 6.5); 0 where it varies. */
  private static final byte[] LENGTH = lengths();

  /** What a class is, without its members. */
  record Head(
      String name,
      int access,
      String superName,
      List<String> interfaces,
      int majorVersion,
      int methods,
      BitSet locking) {}

  /** What methods name: a key, and a method's number, counted over all classes scanned. */
  long[] keys = new long[1 << 12];

  int[] methods = new int[1 << 12];
  int size;

  /** The interfaces that lambdas implement, and what else {@code invokedynamic} gives. */
  final Set<String> dynamicTypes = new HashSet<>();

  private final boolean[] readByAsm = new boolean[1 << 16];
  private final Set<Long> seenDynamicTypes = new HashSet<>();
  private byte[] bytes;
  private int end;
  private int[] constants = new int[1 << 10];

  /** The last method that was noted to name a constant. */
  private int[] namedBy = new int[1 << 10];

  private int constantCount;
  private int method;

  /** Pairs of a method's number and the bootstrap method it uses; those stand at the end. */
  private int[] dynamic = new int[64];

  private int dynamicSize;

  /** The key of the methods of a name and descriptor. */
  static long methodKey(String signature) {
    return hash(1, utf8(signature));
  }

  /** The key of the fields of a name that are looked for in a class. */
  static long fieldKey(FieldName field) {
    return hash(hash(2, utf8(field.owner())), utf8(field.name()));
  }

  private static long hash(long seed, byte[] text) {
    return hash(seed, text, 0, text.length);
  }

  /** Of 64 bits: two names with one number would only be one more place to look at. */
  private static long hash(long seed, byte[] text, int from, int to) {
    long hash = seed;
    for (int i = from; i < to; i++) {
      hash = hash * 0x9E3779B97F4A7C15L + text[i];
    }
    return hash;
  }

  /** As class files write it; see {@link java.io.DataInput}. */
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
      throw e instanceof IllegalArgumentException known ? known : broken();
    }
  }

  private Head scanClass(byte[] classFile, int length) {
    bytes = classFile;
    end = length;
    if (u4(0) != 0xCAFEBABE) {
      throw broken();
    }
    int major = u2(6);
    int at = scanConstants();
    if (!readByAsm[major]) {
      readByAsm[major] = isReadByAsm(major);
    }
    int access = u2(at);
    String name = className(u2(at + 2));
    int parent = u2(at + 4);
    int interfaceCount = u2(at + 6);
    at += 8;
    List<String> interfaces = new ArrayList<>(interfaceCount);
    for (int i = 0; i < interfaceCount; i++) {
      interfaces.add(className(u2(at)));
      at += 2;
    }
    at = skipFields(at);
    int methodCount = u2(at);
    at += 2;
    dynamicSize = 0;
    BitSet locking = new BitSet();
    for (int i = 0; i < methodCount; i++) {
      boolean locks = (u2(at) & Opcodes.ACC_SYNCHRONIZED) != 0;
      int attributes = u2(at + 6);
      at += 8;
      for (int j = 0; j < attributes; j++) {
        int next = attributeEnd(at);
        if (isUtf8(u2(at), "Code")) {
          locks |= scanCode(at + 14, u4(at + 10), next);
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
        parent == 0 ? null : className(parent),
        List.copyOf(interfaces),
        major,
        methodCount,
        locking);
  }

  /** Whatever looks into the class later does it with ASM. */
  private boolean isReadByAsm(int major) {
    try {
      return new ClassReader(bytes, 0, end).getAccess() >= 0;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "it is compiled for a newer Java than vtdiag reads (class file version " + major + ")",
          e);
    }
  }

  private int scanConstants() {
    constantCount = u2(8);
    if (constants.length < constantCount) {
      constants = new int[constantCount * 2];
      namedBy = new int[constantCount * 2];
    }
    Arrays.fill(constants, 0, constantCount, 0);
    Arrays.fill(namedBy, 0, constantCount, -1);
    int at = 10;
    for (int i = 1; i < constantCount; i++) {
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

  private int skipFields(int start) {
    int count = u2(start);
    int at = start + 2;
    for (int i = 0; i < count; i++) {
      int attributes = u2(at + 6);
      at += 8;
      for (int j = 0; j < attributes; j++) {
        at = attributeEnd(at);
      }
    }
    return at;
  }

  private int attributeEnd(int at) {
    int length = u4(at + 2);
    if (length < 0 || length > end - at - 6) {
      throw broken();
    }
    return at + 6 + length;
  }

  /** Notes what the instructions name; true if one of them enters a monitor. */
  private boolean scanCode(int start, int length, int limit) {
    if (length < 0 || length > limit - start) {
      throw broken();
    }
    boolean locks = false;
    int at = start;
    int stop = start + length;
    while (at < stop) {
      int opcode = bytes[at] & 0xFF;
      switch (opcode) {
        case Opcodes.GETSTATIC, Opcodes.PUTSTATIC, Opcodes.GETFIELD, Opcodes.PUTFIELD ->
            name(u2(at + 1), false);
        case Opcodes.INVOKEVIRTUAL,
            Opcodes.INVOKESPECIAL,
            Opcodes.INVOKESTATIC,
            Opcodes.INVOKEINTERFACE ->
            name(u2(at + 1), true);
        case Opcodes.INVOKEDYNAMIC -> nameDynamic(u2(at + 1));
        case Opcodes.LDC -> nameHandle(u1(at + 1), method);
        case 19 -> nameHandle(u2(at + 1), method); // ldc_w, which ASM calls ldc too
        case Opcodes.MONITORENTER -> locks = true;
        default -> {}
      }
      at += LENGTH[opcode] > 0 ? LENGTH[opcode] : lengthAt(at, start);
    }
    if (at != stop) {
      throw broken();
    }
    return locks;
  }

  private void name(int reference, boolean isMethod) {
    int at = constant(reference);
    if (namedBy[reference] != method) {
      namedBy[reference] = method;
      int nameAndType = constant(u2(at + 2));
      note(isMethod ? methodKey(nameAndType) : fieldKey(constant(u2(at)), nameAndType), method);
    }
  }

  private long methodKey(int nameAndType) {
    return text(text(1, u2(nameAndType)), u2(nameAndType + 2));
  }

  private long fieldKey(int type, int nameAndType) {
    return text(text(2, u2(type)), u2(nameAndType));
  }

  private long text(long seed, int utf8) {
    int at = constant(utf8);
    return hash(seed, bytes, at + 2, textEnd(at));
  }

  private void nameDynamic(int reference) {
    int at = constant(reference);
    if (namedBy[reference] == method) {
      return;
    }
    namedBy[reference] = method;
    if (dynamicSize == dynamic.length) {
      dynamic = Arrays.copyOf(dynamic, 2 * dynamicSize);
    }
    dynamic[dynamicSize++] = method;
    dynamic[dynamicSize++] = u2(at);
    int descriptor = constant(u2(constant(u2(at + 2)) + 2));
    int type = textEnd(descriptor);
    while (bytes[type - 1] != ')') {
      type--;
      if (type == descriptor + 2) {
        throw broken();
      }
    }
    if (bytes[type] == 'L'
        && seenDynamicTypes.add(hash(3, bytes, type + 1, textEnd(descriptor) - 1))) {
      dynamicTypes.add(decode(type + 1, textEnd(descriptor) - 1));
    }
  }

  private void nameHandle(int index, int by) {
    int at = constant(index);
    if (bytes[at - 1] == METHOD_HANDLE) {
      int reference = constant(u2(at + 1));
      int tag = bytes[reference - 1];
      if (tag == METHOD || tag == INTERFACE_METHOD) {
        note(methodKey(constant(u2(reference + 2))), by);
      }
    }
  }

  private void scanBootstrapMethods(int start) {
    int count = u2(start);
    int at = start + 2;
    for (int i = 0; i < count; i++) {
      int next = attributeEnd(at);
      if (dynamicSize > 0 && isUtf8(u2(at), "BootstrapMethods")) {
        scanBootstrapMethods(at + 8, u2(at + 6));
      }
      at = next;
    }
  }

  private void scanBootstrapMethods(int start, int count) {
    int[] starts = new int[count];
    int at = start;
    for (int i = 0; i < count; i++) {
      starts[i] = at;
      at += 4 + 2 * u2(at + 2);
    }
    for (int i = 0; i < dynamicSize; i += 2) {
      int entry = starts[dynamic[i + 1]];
      for (int j = 0; j < u2(entry + 2); j++) {
        nameHandle(u2(entry + 4 + 2 * j), dynamic[i]);
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

  /** The length of the instructions whose length varies. */
  private int lengthAt(int at, int start) {
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

  private String className(int index) {
    int at = constant(u2(constant(index)));
    return decode(at + 2, textEnd(at));
  }

  private String decode(int from, int to) {
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

  private boolean isUtf8(int index, String text) {
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

  /** Where the text of a constant ends, which was seen to be in the file. */
  private int textEnd(int utf8) {
    return utf8 + 2 + u2(utf8);
  }

  private int constant(int index) {
    if (index <= 0 || index >= constantCount || constants[index] == 0) {
      throw broken();
    }
    return constants[index];
  }

  private int u1(int at) {
    if (at >= end) {
      throw broken();
    }
    return bytes[at] & 0xFF;
  }

  private int u2(int at) {
    if (at > end - 2) {
      throw broken();
    }
    return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
  }

  private int u4(int at) {
    return (u2(at) << 16) | u2(at + 2);
  }

  private static IllegalArgumentException broken() {
    return new IllegalArgumentException("it is damaged or cut off");
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
