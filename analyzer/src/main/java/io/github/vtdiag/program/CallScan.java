package io.github.vtdiag.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Scans class files for calls: the methods that each method calls, the types it creates and the
 * lambdas it makes, as numbers. {@link CallGraph} puts them together.
 *
 * <p>One scan serves one thread, for any number of classes. A class that fails half way is taken
 * back, so that the rest stays valid.
 */
final class CallScan {
  /** The declared exceptions with which waits end, as flags beside a method's access flags. */
  static final int INTERRUPTIBLE = 1 << 16;

  static final int INPUT_OUTPUT = 1 << 17;
  static final int SQL = 1 << 18;

  /** The kinds of references in instructions. */
  static final int VIRTUAL = 0;

  static final int SPECIAL = 1;
  static final int STATIC = 2;
  static final int INTERFACE = 3;
  static final int NEW = 4;
  static final int LAMBDA = 5;

  /** The numbers of a reference: kind, type, signature; for a lambda also interface and method. */
  static final int REFERENCE = 5;

  private final List<String> types = new ArrayList<>();
  private final List<String> signatures = new ArrayList<>();
  private final IntList references = new IntList();
  private final IntList code = new IntList();
  private final Set<Long> strings = new HashSet<>();

  private final ConstantPool pool = new ConstantPool();
  private final KeyTable typeNumbers = new KeyTable();
  private final KeyTable signatureNumbers = new KeyTable();
  private final KeyTable referenceNumbers = new KeyTable();
  private int[] referenceOf = new int[1 << 10];

  /** The place of the class's bootstrap methods; -1 if it has none. */
  private int bootstraps;

  /**
   * The calls in some classes. Numbers count within these classes.
   *
   * @param types the names that they name, with slashes
   * @param signatures of methods, name and descriptor
   * @param references {@link #REFERENCE} numbers each: kind, type, signature; for a lambda the
   *     interface and the signature of its method
   * @param code of each class: type, access, supertype, the number of its interfaces and these, the
   *     number of its methods, and of each of these: signature, flags, the number of its calls, and
   *     of each call: reference and bci
   * @param strings hashes of the string constants that look like names of classes
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Calls(
      List<String> types,
      List<String> signatures,
      int[] references,
      int[] code,
      Set<Long> strings) {}

  /** Returns the calls in all classes so far. */
  Calls calls() {
    return new Calls(types, signatures, references.toArray(), code.toArray(), strings);
  }

  /** Scans the class in the first {@code length} bytes. */
  void scan(byte[] classFile, int length) {
    int before = code.size;
    try {
      scanClass(classFile, length);
    } catch (RuntimeException e) {
      code.size = before;
      throw e instanceof IllegalArgumentException known ? known : ConstantPool.broken();
    }
  }

  private void scanClass(byte[] classFile, int length) {
    int at = pool.open(classFile, length);
    if (referenceOf.length < pool.count()) {
      referenceOf = new int[pool.count() * 2];
    }
    Arrays.fill(referenceOf, 0, pool.count(), -1);
    noteStrings();
    int access = pool.u2(at);
    int self = type(pool.u2(at + 2));
    int parent = pool.u2(at + 4);
    int interfaces = pool.u2(at + 6);
    code.add(self);
    code.add(access);
    code.add(parent == 0 ? -1 : type(parent));
    code.add(interfaces);
    at += 8;
    for (int i = 0; i < interfaces; i++, at += 2) {
      code.add(type(pool.u2(at)));
    }
    at = pool.skipMembers(at);
    bootstraps = findBootstraps(pool.skipMembers(at));
    int methods = pool.u2(at);
    at += 2;
    code.add(methods);
    for (int i = 0; i < methods; i++) {
      at = scanMethod(at);
    }
  }

  private int scanMethod(int start) {
    int flags = pool.u2(start);
    code.add(signature(pool.u2(start + 2), pool.u2(start + 4)));
    int flagsAt = code.size;
    code.add(flags);
    int callsAt = code.size;
    code.add(0);
    int attributes = pool.u2(start + 6);
    int at = start + 8;
    for (int j = 0; j < attributes; j++) {
      int next = pool.attributeEnd(at);
      if (pool.isUtf8(pool.u2(at), "Code")) {
        scanCode(at + 14, pool.u4(at + 10), next);
      } else if (pool.isUtf8(pool.u2(at), "Exceptions")) {
        for (int k = 0; k < pool.u2(at + 6); k++) {
          flags |= flag(pool.className(pool.u2(at + 8 + 2 * k)));
        }
      }
      at = next;
    }
    code.items[flagsAt] = flags;
    code.items[callsAt] = (code.size - callsAt - 1) / 2;
    return at;
  }

  private static int flag(String thrown) {
    return switch (thrown) {
      case "java/lang/InterruptedException" -> INTERRUPTIBLE;
      case "java/sql/SQLException" -> SQL;
      default ->
          thrown.equals("java/io/IOException")
                  || thrown.startsWith("java/net/")
                  || thrown.startsWith("javax/net/")
                  || thrown.equals("java/nio/channels/ClosedChannelException")
              ? INPUT_OUTPUT
              : 0;
    };
  }

  private int findBootstraps(int start) {
    int count = pool.u2(start);
    int at = start + 2;
    for (int i = 0; i < count; i++) {
      if (pool.isUtf8(pool.u2(at), "BootstrapMethods")) {
        return at + 6;
      }
      at = pool.attributeEnd(at);
    }
    return -1;
  }

  private void scanCode(int start, int length, int limit) {
    if (length < 0 || length > limit - start) {
      throw ConstantPool.broken();
    }
    byte[] bytes = pool.bytes;
    int at = start;
    int stop = start + length;
    while (at < stop) {
      int opcode = bytes[at] & 0xFF;
      switch (opcode) {
        case Opcodes.INVOKEVIRTUAL -> call(VIRTUAL, pool.u2(at + 1), at - start);
        case Opcodes.INVOKESPECIAL -> call(SPECIAL, pool.u2(at + 1), at - start);
        case Opcodes.INVOKESTATIC -> call(STATIC, pool.u2(at + 1), at - start);
        case Opcodes.INVOKEINTERFACE -> call(INTERFACE, pool.u2(at + 1), at - start);
        case Opcodes.NEW -> create(pool.u2(at + 1), at - start);
        case Opcodes.INVOKEDYNAMIC -> dynamic(pool.u2(at + 1), at - start);
        default -> {}
      }
      at += ClassScan.LENGTH[opcode] > 0 ? ClassScan.LENGTH[opcode] : pool.lengthAt(at, start);
    }
    if (at != stop) {
      throw ConstantPool.broken();
    }
  }

  private void call(int kind, int constant, int bci) {
    // A method is seldom called in two ways.
    if (referenceOf[constant] < 0 || references.get(referenceOf[constant] * REFERENCE) != kind) {
      referenceOf[constant] = method(kind, pool.constant(constant), -1, -1);
    }
    add(referenceOf[constant], bci);
  }

  private int method(int kind, int at, int face, int faceMethod) {
    int nameAndType = pool.constant(pool.u2(at + 2));
    return reference(
        kind,
        type(pool.u2(at)),
        signature(pool.u2(nameAndType), pool.u2(nameAndType + 2)),
        face,
        faceMethod);
  }

  private void create(int constant, int bci) {
    if (referenceOf[constant] < 0) {
      referenceOf[constant] = reference(NEW, type(constant), 0, -1, -1);
    }
    add(referenceOf[constant], bci);
  }

  /**
   * Notes a lambda: the method that is its body, and the method of the interface that leads to it.
   */
  private void dynamic(int constant, int bci) {
    if (referenceOf[constant] < 0) {
      int at = pool.constant(constant);
      int nameAndType = pool.constant(pool.u2(at + 2));
      int descriptor = pool.constant(pool.u2(nameAndType + 2));
      String text = pool.decode(descriptor + 2, pool.textEnd(descriptor));
      int result = text.lastIndexOf(")L");
      referenceOf[constant] = -2;
      if (result >= 0 && bootstraps >= 0) {
        lambda(constant, at, nameAndType, text.substring(result + 2, text.length() - 1));
      }
    }
    if (referenceOf[constant] >= 0) {
      add(referenceOf[constant], bci);
    }
  }

  private void lambda(int constant, int at, int nameAndType, String face) {
    int entry = bootstraps + 2;
    for (int i = pool.u2(at); i > 0; i--) {
      entry += 4 + 2 * pool.u2(entry + 2);
    }
    int arguments = pool.u2(entry + 2);
    String sam = "";
    for (int i = 0; i < arguments; i++) {
      int argument = pool.constant(pool.u2(entry + 4 + 2 * i));
      int tag = pool.bytes[argument - 1];
      if (tag == ConstantPool.METHOD_TYPE && sam.isEmpty()) {
        int utf8 = pool.constant(pool.u2(argument));
        sam = pool.decode(utf8 + 2, pool.textEnd(utf8));
      } else if (tag == ConstantPool.METHOD_HANDLE && !sam.isEmpty()) {
        int body = pool.constant(pool.u2(argument + 1));
        int bodyTag = pool.bytes[body - 1];
        if (bodyTag == ConstantPool.METHOD || bodyTag == ConstantPool.INTERFACE_METHOD) {
          int name = pool.constant(pool.u2(nameAndType));
          referenceOf[constant] =
              method(
                  LAMBDA,
                  body,
                  type(face),
                  signature(pool.decode(name + 2, pool.textEnd(name)) + sam));
        }
        return;
      }
    }
  }

  private void add(int reference, int bci) {
    code.add(reference);
    code.add(bci);
  }

  private int reference(int kind, int type, int signature, int face, int faceMethod) {
    long key =
        ((((long) kind * 1_000_003 + type) * 1_000_003 + signature) * 1_000_003 + face) * 1_000_003
            + faceMethod;
    int number = referenceNumbers.get(key);
    if (number < 0) {
      number = references.size / REFERENCE;
      referenceNumbers.put(key, number);
      for (int each : new int[] {kind, type, signature, face, faceMethod}) {
        references.add(each);
      }
    }
    return number;
  }

  private int type(int constant) {
    int utf8 = pool.constant(pool.u2(pool.constant(constant)));
    long key = UseKey.hash(5, pool.bytes, utf8 + 2, pool.textEnd(utf8));
    int number = typeNumbers.get(key);
    return number >= 0 ? number : newType(key, pool.decode(utf8 + 2, pool.textEnd(utf8)));
  }

  private int type(String name) {
    long key = UseKey.typeName(name);
    int number = typeNumbers.get(key);
    return number >= 0 ? number : newType(key, name);
  }

  private int newType(long key, String name) {
    typeNumbers.put(key, types.size());
    types.add(name);
    return types.size() - 1;
  }

  private int signature(int name, int descriptor) {
    int nameAt = pool.constant(name);
    int descriptorAt = pool.constant(descriptor);
    long key =
        UseKey.hash(
            UseKey.hash(7, pool.bytes, nameAt + 2, pool.textEnd(nameAt)),
            pool.bytes,
            descriptorAt + 2,
            pool.textEnd(descriptorAt));
    int number = signatureNumbers.get(key);
    if (number >= 0) {
      return number;
    }
    signatureNumbers.put(key, signatures.size());
    signatures.add(
        pool.decode(nameAt + 2, pool.textEnd(nameAt))
            + pool.decode(descriptorAt + 2, pool.textEnd(descriptorAt)));
    return signatures.size() - 1;
  }

  private int signature(String text) {
    long key = UseKey.signature(text);
    int number = signatureNumbers.get(key);
    if (number < 0) {
      number = signatures.size();
      signatureNumbers.put(key, number);
      signatures.add(text);
    }
    return number;
  }

  /**
   * Notes the string constants that look like names of classes: some code creates classes by name.
   */
  private void noteStrings() {
    for (int i = 1; i < pool.count(); i++) {
      int at = pool.place(i);
      if (at > 0 && pool.bytes[at - 1] == ConstantPool.STRING) {
        int utf8 = pool.constant(pool.u2(at));
        int length = pool.u2(utf8);
        if (length > 3 && length < 200 && looksLikeClass(utf8 + 2, utf8 + 2 + length)) {
          strings.add(UseKey.hash(5, pool.bytes, utf8 + 2, utf8 + 2 + length));
        }
      }
    }
  }

  private boolean looksLikeClass(int from, int to) {
    boolean dotted = false;
    for (int i = from; i < to; i++) {
      char c = (char) (pool.bytes[i] & 0xFF);
      if (c == '.') {
        dotted = true;
      } else if (!Character.isJavaIdentifierPart(c)) {
        return false;
      }
    }
    return dotted;
  }
}
