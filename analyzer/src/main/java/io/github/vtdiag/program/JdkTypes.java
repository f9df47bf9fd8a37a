package io.github.vtdiag.program;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MonitorRegion;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The relevant facts about classes of the JDK, read when they are asked for. Names are with
 * slashes.
 */
final class JdkTypes {

  /**
   * A type of the JDK.
   *
   * @param locksItself whether its own code locks its instances
   * @param methods name and descriptor of each
   * @param fields the type of each by its name; nothing for an Object that an initializer of the
   *     JDK makes
   */
  record JdkType(
      String superName,
      List<String> interfaces,
      boolean isInterface,
      boolean locksItself,
      boolean valueBased,
      Set<String> methods,
      Map<String, Optional<String>> fields) {}

  private final JdkClasses classes;
  private final int oldest;
  private final Map<String, Optional<JdkType>> types = new ConcurrentHashMap<>();
  private final Set<String> problems = Collections.synchronizedSet(new LinkedHashSet<>());

  /**
   * @param oldest the oldest JDK for which the answers have to hold; 0 for that of the classes only
   */
  JdkTypes(JdkClasses classes, int oldest) {
    this.classes = classes;
    this.oldest = oldest;
  }

  Set<String> problems() {
    return problems;
  }

  /** Returns the names of the classes with this beginning. */
  List<String> namesFrom(String beginning) {
    return classes.namesFrom(beginning.replace('/', '.')).stream()
        .map(name -> name.replace('.', '/'))
        .toList();
  }

  Optional<JdkType> find(String name) {
    Optional<JdkType> known = types.get(name);
    if (known == null) {
      known = read(name);
      types.put(name, known);
    }
    return known;
  }

  private Optional<JdkType> read(String name) {
    if (name.startsWith("[")) {
      return Optional.of(
          new JdkType(TypeHierarchy.OBJECT, List.of(), false, false, false, Set.of(), Map.of()));
    }
    try {
      return classes.find(name.replace('/', '.')).map(bytes -> read(name, bytes));
    } catch (DataException e) {
      problems.add(e.getMessage());
      return Optional.empty();
    }
  }

  private JdkType read(String name, ClassBytes bytes) {
    ClassReader reader = new ClassReader(bytes.bytes());
    TypeReader type = new TypeReader();
    reader.accept(type, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
    return new JdkType(
        reader.getSuperName(),
        List.of(reader.getInterfaces()),
        (reader.getAccess() & ACC_INTERFACE) != 0,
        type.hasSynchronizedMethod
            || hasBlockOnItself(name, bytes)
            || (oldest > 0 && JdkLocks.lockOnOrAfter(oldest, name)),
        type.valueBased,
        type.methods,
        type.fields);
  }

  private static final class TypeReader extends ClassVisitor {
    private final Set<String> methods = new HashSet<>();
    private final Map<String, Optional<String>> fields = new HashMap<>();
    private boolean valueBased;
    private boolean hasSynchronizedMethod;

    TypeReader() {
      super(ASM9);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      valueBased |= descriptor.equals("Ljdk/internal/ValueBased;");
      return null;
    }

    @Override
    public FieldVisitor visitField(
        int access, String field, String descriptor, String signature, Object constant) {
      int fixed = ACC_STATIC | ACC_FINAL;
      fields.put(
          field,
          (access & fixed) == fixed && descriptor.equals("Ljava/lang/Object;")
              ? Optional.empty()
              : Optional.of(Type.getType(descriptor).getInternalName()));
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] thrown) {
      methods.add(method + descriptor);
      hasSynchronizedMethod |= (access & ACC_SYNCHRONIZED) != 0 && (access & ACC_STATIC) == 0;
      return null;
    }
  }

  /**
   * Returns whether it has a block on {@code this}, or on a field like {@code java.io.Reader.lock}
   * that may hold {@code this}.
   */
  private static boolean hasBlockOnItself(String name, ClassBytes bytes) {
    ClassRef type = new ClassRef(name.replace('/', '.'), "");
    ClassMonitors monitors =
        LockMaps.read(bytes.bytes(), type, bytes.location(), ClassMonitors.Evidence.CLASS_PATH);
    return monitors.methods().stream()
        .flatMap(method -> method.regions().stream())
        .map(MonitorRegion::lock)
        .anyMatch(
            lock ->
                lock.kind() == LockExpression.Kind.THIS
                    || (lock.kind() == LockExpression.Kind.INSTANCE_FIELD
                        && (lock.name().equals("lock") || lock.name().equals("mutex"))
                        && lock.owner().startsWith("java.")
                        && !(lock.owner().equals(type.name())
                            && isCreatedForIt(bytes, lock.name()))));
  }

  /** Returns whether a field of a class only ever gets what its code just made, never itself. */
  private static boolean isCreatedForIt(ClassBytes bytes, String field) {
    ClassNode type = new ClassNode();
    new ClassReader(bytes.bytes()).accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return type.fields.stream()
            .anyMatch(each -> each.name.equals(field) && (each.access & ACC_FINAL) != 0)
        && type.methods.stream()
            .flatMap(method -> Arrays.stream(method.instructions.toArray()))
            .filter(
                each ->
                    each instanceof FieldInsnNode put
                        && put.getOpcode() == PUTFIELD
                        && put.name.equals(field)
                        && put.owner.equals(type.name))
            .allMatch(JdkTypes::isOfNewObject);
  }

  /** Returns whether {@code new Object()} is right in front of an instruction. */
  private static boolean isOfNewObject(AbstractInsnNode put) {
    AbstractInsnNode called = put.getPrevious();
    AbstractInsnNode copied = called.getPrevious();
    return called instanceof MethodInsnNode constructor
        && constructor.name.equals("<init>")
        && constructor.desc.equals("()V")
        && copied.getOpcode() == DUP
        && copied.getPrevious().getOpcode() == NEW;
  }
}
