package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** What no class file is first; then every class of real libraries, against ASM. */
final class ClassScanTest {

  private static List<ClassBytes> classes(String library) throws Exception {
    String jar =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> new File(entry).getName().startsWith(library + "-"))
            .findFirst()
            .orElseThrow();
    try (ClassPathBytes classPath = ClassPathBytes.open(List.of(jar), 21)) {
      return classPath.all();
    }
  }

  private static byte[] thisClass() throws Exception {
    try (var in = ClassScanTest.class.getResourceAsStream("ClassScanTest.class")) {
      return in.readAllBytes();
    }
  }

  private static void assertRefused(String why, byte[] bytes, int length) {
    ClassScan scan = new ClassScan();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> scan.scan(bytes, length));
    assertTrue(e.getMessage().contains(why), e.getMessage());
    assertEquals(0, scan.size, "something is kept of it");
  }

  @Test
  void aClassThatIsCutOffAnywhere() throws Exception {
    byte[] bytes = thisClass();
    for (int length = 0; length < bytes.length; length++) {
      assertRefused("damaged or cut off", bytes, length);
    }
  }

  @Test
  void aClassForANewerJavaThanAsmReads() throws Exception {
    byte[] bytes = thisClass();
    bytes[7] = 99;
    assertRefused("newer Java than vtdiag reads (class file version 99)", bytes, bytes.length);
  }

  /** Whatever the damage: it is seen, or the class can be read in another way. Never a crash. */
  @Test
  void aClassWithDamage() throws Exception {
    byte[] bytes = thisClass();
    Random random = new Random(9);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      ClassScan scan = new ClassScan();
      try {
        scan.scan(damaged, damaged.length);
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    assertTrue(refused > 1_000, "only " + refused + " damaged classes were refused");
  }

  @Test
  void aDamagedClassLeavesNothingToTheNext() throws Exception {
    byte[] bytes = thisClass();
    ClassScan scan = new ClassScan();
    assertThrows(IllegalArgumentException.class, () -> scan.scan(bytes, bytes.length - 1));
    scan.scan(bytes, bytes.length);
    ClassScan fresh = new ClassScan();
    fresh.scan(bytes, bytes.length);
    assertEquals(keys(fresh, 0), keys(scan, 0));
    assertEquals(fresh.dynamicTypes, scan.dynamicTypes);
  }

  /** What each method, counted from 0, names; the first of a class also the class's fields. */
  private static Map<Integer, Set<Long>> keys(ClassScan scan, int from) {
    Map<Integer, Set<Long>> keys = new HashMap<>();
    for (int i = from; i < scan.size; i++) {
      keys.computeIfAbsent(scan.methods[i], m -> new HashSet<>()).add(scan.keys[i]);
    }
    return keys;
  }

  /** The same as ASM tells it. */
  private static final class Expected extends ClassVisitor {
    private final Map<Integer, Set<Long>> keys = new HashMap<>();
    private final BitSet locking = new BitSet();
    private final Set<String> dynamicTypes;
    private final int first;
    private int method;

    Expected(int first, Set<String> dynamicTypes) {
      super(Opcodes.ASM9);
      this.first = first;
      this.method = first;
      this.dynamicTypes = dynamicTypes;
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      keys.computeIfAbsent(first, m -> new HashSet<>()).add(UseKey.declared(name));
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] thrown) {
      int number = method++;
      int inClass = number - first;
      locking.set(inClass, (access & Opcodes.ACC_SYNCHRONIZED) != 0);
      return new MethodVisitor(Opcodes.ASM9) {
        private void add(long key) {
          keys.computeIfAbsent(number, m -> new HashSet<>()).add(key);
        }

        @Override
        public void visitInsn(int opcode) {
          if (opcode == Opcodes.MONITORENTER) {
            locking.set(inClass);
          }
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          add(UseKey.method(called + type));
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          add(UseKey.field(new FieldName(owner, field)));
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String type, Handle bootstrap, Object... arguments) {
          Type returned = Type.getReturnType(type);
          if (returned.getSort() == Type.OBJECT) {
            dynamicTypes.add(returned.getInternalName());
          }
          for (Object argument : arguments) {
            addHandle(argument);
          }
        }

        @Override
        public void visitLdcInsn(Object value) {
          addHandle(value);
          if (value instanceof Type type && type.getSort() != Type.METHOD) {
            add(UseKey.literal(type.getInternalName()));
          } else if (value instanceof String text && mayBeName(text)) {
            add(UseKey.string(text));
          }
        }

        private static boolean mayBeName(String text) {
          // As class files write it: in two bytes what is not ASCII, and zero.
          int length =
              text.chars().map(each -> each > 0x7ff ? 3 : each > 0x7f || each == 0 ? 2 : 1).sum();
          return length >= 1
              && length <= 200
              && text.chars()
                  .filter(each -> each > 0 && each <= 0x7f)
                  .allMatch(each -> each == '.' || Character.isJavaIdentifierPart(each));
        }

        private void addHandle(Object value) {
          if (value instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
            add(UseKey.method(handle.getName() + handle.getDesc()));
          }
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"postgresql", "hsqldb", "picocli", "asm", "javaparser-core", "commons-pool2"})
  void everyClassAsAsmReadsIt(String library) throws Exception {
    ClassScan scan = new ClassScan();
    Set<String> dynamicTypes = new HashSet<>();
    int method = 0;
    for (ClassBytes each : classes(library)) {
      int from = scan.size;
      ClassScan.Head head = scan.scan(each.bytes(), each.bytes().length);
      ClassReader reader = new ClassReader(each.bytes());
      Expected expected = new Expected(method, dynamicTypes);
      reader.accept(expected, ClassReader.SKIP_FRAMES);
      assertEquals(reader.getClassName(), head.name());
      assertEquals(reader.getSuperName(), head.superName());
      assertEquals(List.of(reader.getInterfaces()), head.interfaces());
      assertEquals(expected.keys, keys(scan, from), head.name());
      assertEquals(expected.locking, head.locking(), head.name());
      method += head.methods();
      assertEquals(expected.method, method);
    }
    assertEquals(dynamicTypes, scan.dynamicTypes);
    assertTrue(method > 100);
  }
}
