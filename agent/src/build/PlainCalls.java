import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Gives the classes of a jar plain calls in place of {@code invokedynamic}: for lambdas and method
 * references, for switches over types, and for what records inherit. The JDK links each of those
 * anew in every JVM and makes a class of its own for it, which takes the better part of a
 * millisecond of processor time; an agent and a command line live for a second or two and have
 * hundreds. What they do stays the same: the conversions are those of {@code
 * java.lang.invoke.InnerClassLambdaMetafactory}, the order of labels that of {@code
 * java.lang.runtime.SwitchBootstraps}. One file because the JDK's launcher of sources takes one.
 *
 * <p>Usage: {@code java PlainCalls.java JAR TIME_OF_ENTRIES BEGIN_OF_CLASSES [BUT_NOT...]}.
 */
final class PlainCalls implements Opcodes {
  private static final String OBJECT = "java/lang/Object";
  private static final String BUILDER = "java/lang/StringBuilder";

  /** Nest mates, which may call each other's private methods, came with Java 11. */
  private static final int OLDEST = V11;

  private static final Map<String, String> BOXES =
      Map.of(
          "Z", "java/lang/Boolean",
          "C", "java/lang/Character",
          "B", "java/lang/Byte",
          "S", "java/lang/Short",
          "I", "java/lang/Integer",
          "J", "java/lang/Long",
          "F", "java/lang/Float",
          "D", "java/lang/Double");

  /** The classes that are changed, by name. */
  private final Map<String, ClassNode> classes = new LinkedHashMap<>();

  /** The lambdas by the class that will hold them: those of one class and interface share it. */
  private final Map<String, List<Lambda>> lambdas = new TreeMap<>();

  /** A lambda of a class, and the method that it calls. */
  private record Lambda(ClassNode in, InvokeDynamicInsnNode site) {
    Type[] captured() {
      return Type.getArgumentTypes(site.desc);
    }

    /** The method of the interface. */
    Type declared() {
      return (Type) site.bsmArgs[0];
    }

    Handle target() {
      return (Handle) site.bsmArgs[1];
    }

    /** The method of the interface, with the types that the lambda has for its parameters. */
    Type specialized() {
      return (Type) site.bsmArgs[2];
    }
  }

  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    // The time of day that entries have is local, so one of an instant would depend on the time
    // zone.
    LocalDateTime time = LocalDateTime.ofInstant(Instant.parse(args[1]), ZoneOffset.UTC);
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream in = new ZipInputStream(file)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.put(entry.getName(), in.readAllBytes());
      }
    }
    new PlainCalls().change(entries, args[2], List.of(args).subList(3, args.length));
    Path changed = Path.of(jar + ".plain");
    try (OutputStream target = Files.newOutputStream(changed);
        ZipOutputStream out = new ZipOutputStream(target)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        ZipEntry copy = new ZipEntry(entry.getKey());
        copy.setTimeLocal(time);
        out.putNextEntry(copy);
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    Files.move(changed, jar, REPLACE_EXISTING);
  }

  private void change(Map<String, byte[]> entries, String begin, List<String> butNot) {
    entries.forEach(
        (name, content) -> {
          if (name.endsWith(".class")
              && name.startsWith(begin)
              && butNot.stream().noneMatch(name::startsWith)
              && new ClassReader(content).readUnsignedShort(6) >= OLDEST) {
            ClassNode type = new ClassNode();
            new ClassReader(content).accept(type, 0);
            classes.put(type.name, type);
          }
        });
    classes.values().forEach(this::makePlain);
    lambdas.forEach(
        (name, group) -> {
          ClassNode holder = holder(name, group);
          classes.get(holder.nestHostClass).nestMembers.add(name);
          entries.put(name + ".class", bytes(holder));
        });
    classes.forEach((name, type) -> entries.put(name + ".class", bytes(type)));
  }

  private static byte[] bytes(ClassNode type) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  private void makePlain(ClassNode type) {
    List<MethodNode> added = new ArrayList<>();
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode at : method.instructions.toArray()) {
        if (at instanceof InvokeDynamicInsnNode site) {
          method.instructions.set(at, plain(type, site, added));
        }
      }
    }
    type.methods.addAll(added);
  }

  /** Returns a call that takes and returns what the site does. */
  private MethodInsnNode plain(ClassNode type, InvokeDynamicInsnNode site, List<MethodNode> added) {
    boolean inInterface = (type.access & ACC_INTERFACE) != 0;
    String name = site.name + "$" + added.size();
    MethodNode made =
        new MethodNode(ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, name, site.desc, null, null);
    switch (site.bsm.getOwner() + "." + site.bsm.getName()) {
      case "java/lang/invoke/LambdaMetafactory.metafactory" -> {
        return lambda(new Lambda(type, site));
      }
      case "java/lang/runtime/SwitchBootstraps.typeSwitch" -> chooseType(made, site.bsmArgs);
      case "java/lang/runtime/ObjectMethods.bootstrap" ->
          ofRecord(made, site.name, type, site.bsmArgs);
      default -> throw new IllegalStateException(type.name + ": no plain call for " + site.bsm);
    }
    made.visitMaxs(0, 0);
    added.add(made);
    return new MethodInsnNode(INVOKESTATIC, type.name, name, site.desc, inInterface);
  }

  // Lambdas and method references.

  private MethodInsnNode lambda(Lambda lambda) {
    String type = Type.getReturnType(lambda.site.desc).getInternalName();
    ClassNode host = classes.get(host(lambda.in));
    if (host.nestMembers == null) {
      host.nestMembers = new ArrayList<>();
    }
    String holder = lambda.in.name + "$$" + type.substring(type.lastIndexOf('/') + 1);
    List<Lambda> group = lambdas.computeIfAbsent(holder, name -> new ArrayList<>());
    if (!group.isEmpty() && !group.get(0).site.desc.endsWith(")L" + type + ";")) {
      throw new IllegalStateException(lambda.in.name + ": two interfaces with the name of " + type);
    }
    group.add(lambda);
    return new MethodInsnNode(INVOKESTATIC, holder, factory(group.size() - 1), lambda.site.desc);
  }

  private static String host(ClassNode type) {
    return type.nestHostClass == null ? type.name : type.nestHostClass;
  }

  private static String factory(int number) {
    return "make" + number;
  }

  /** The class of all lambdas of one class that are of one interface: a number tells them apart. */
  private static ClassNode holder(String name, List<Lambda> group) {
    Lambda first = group.get(0);
    ClassNode holder = new ClassNode();
    holder.version = first.in.version;
    holder.access = ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC;
    holder.name = name;
    holder.superName = OBJECT;
    holder.interfaces = List.of(Type.getReturnType(first.site.desc).getInternalName());
    holder.nestHostClass = host(first.in);
    holder.fields.add(new FieldNode(ACC_PRIVATE | ACC_FINAL, "number", "I", null, null));
    MethodNode constructor = new MethodNode(ACC_PRIVATE, "<init>", "(I)V", null, null);
    constructor.visitVarInsn(ALOAD, 0);
    constructor.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
    constructor.visitVarInsn(ALOAD, 0);
    constructor.visitVarInsn(ILOAD, 1);
    constructor.visitFieldInsn(PUTFIELD, name, "number", "I");
    end(constructor, RETURN);
    holder.methods.add(constructor);
    MethodNode initializer = new MethodNode(ACC_STATIC, "<clinit>", "()V", null, null);
    MethodNode method =
        new MethodNode(ACC_PUBLIC, first.site.name, first.declared().getDescriptor(), null, null);
    Label[] starts = new Label[group.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = new Label();
    }
    if (starts.length > 1) {
      method.visitVarInsn(ALOAD, 0);
      method.visitFieldInsn(GETFIELD, name, "number", "I");
      method.visitTableSwitchInsn(0, starts.length - 1, starts[0], starts);
    }
    for (int i = 0; i < starts.length; i++) {
      addFactory(holder, group.get(i), i, initializer);
      if (starts.length > 1) {
        method.visitLabel(starts[i]);
        method.visitFrame(F_SAME, 0, null, 0, null);
      }
      callTarget(method, holder, group.get(i));
    }
    method.visitMaxs(0, 0);
    holder.methods.add(method);
    if (initializer.instructions.size() > 0) {
      end(initializer, RETURN);
      holder.methods.add(initializer);
    }
    return holder;
  }

  private static void end(MethodNode method, int instruction) {
    method.visitInsn(instruction);
    method.visitMaxs(0, 0);
  }

  /** A lambda that captures nothing is one object, as the JDK's is. */
  private static void addFactory(
      ClassNode holder, Lambda lambda, int number, MethodNode initializer) {
    MethodNode factory = new MethodNode(ACC_STATIC, factory(number), lambda.site.desc, null, null);
    Type[] captured = lambda.captured();
    if (captured.length == 0) {
      String type = Type.getReturnType(lambda.site.desc).getDescriptor();
      String only = "only" + number;
      int access = ACC_PRIVATE | ACC_STATIC | ACC_FINAL;
      holder.fields.add(new FieldNode(access, only, type, null, null));
      create(initializer, holder, number);
      initializer.visitFieldInsn(PUTSTATIC, holder.name, only, type);
      factory.visitFieldInsn(GETSTATIC, holder.name, only, type);
    } else {
      create(factory, holder, number);
      int slot = 0;
      for (int i = 0; i < captured.length; i++) {
        factory.visitInsn(DUP);
        factory.visitVarInsn(captured[i].getOpcode(ILOAD), slot);
        factory.visitFieldInsn(
            PUTFIELD, holder.name, field(holder, captured, i), kind(captured[i]));
        slot += captured[i].getSize();
      }
    }
    end(factory, ARETURN);
    holder.methods.add(factory);
  }

  private static void create(MethodNode method, ClassNode holder, int number) {
    method.visitTypeInsn(NEW, holder.name);
    method.visitInsn(DUP);
    method.visitLdcInsn(number);
    method.visitMethodInsn(INVOKESPECIAL, holder.name, "<init>", "(I)V", false);
  }

  /** The descriptor of the field that holds a captured value. */
  private static String kind(Type captured) {
    return isPrimitive(captured) ? captured.getDescriptor() : "L" + OBJECT + ";";
  }

  /** The field of the n-th captured value: lambdas of one class share those of one kind. */
  private static String field(ClassNode holder, Type[] captured, int n) {
    String kind = kind(captured[n]);
    int before = 0;
    for (int i = 0; i < n; i++) {
      before += kind(captured[i]).equals(kind) ? 1 : 0;
    }
    String name = kind.charAt(0) + "" + before;
    if (holder.fields.stream().noneMatch(field -> field.name.equals(name))) {
      holder.fields.add(new FieldNode(ACC_PRIVATE, name, kind, null, null));
    }
    return name;
  }

  private static void callTarget(MethodNode method, ClassNode holder, Lambda lambda) {
    Handle target = lambda.target();
    Type[] captured = lambda.captured();
    Type owner = Type.getObjectType(target.getOwner());
    boolean creates = target.getTag() == H_NEWINVOKESPECIAL;
    List<Type> wanted = new ArrayList<>();
    if (creates) {
      method.visitTypeInsn(NEW, target.getOwner());
      method.visitInsn(DUP);
    } else if (target.getTag() != H_INVOKESTATIC) {
      wanted.add(owner);
    }
    wanted.addAll(List.of(Type.getArgumentTypes(target.getDesc())));
    for (int i = 0; i < captured.length; i++) {
      method.visitVarInsn(ALOAD, 0);
      method.visitFieldInsn(GETFIELD, holder.name, field(holder, captured, i), kind(captured[i]));
      if (isPrimitive(captured[i])) {
        convert(method, captured[i], wanted.get(i), captured[i]);
      } else {
        cast(method, Type.getObjectType(OBJECT), wanted.get(i));
      }
    }
    Type[] given = lambda.declared().getArgumentTypes();
    Type[] specialized = lambda.specialized().getArgumentTypes();
    int slot = 1;
    for (int i = 0; i < given.length; i++) {
      method.visitVarInsn(given[i].getOpcode(ILOAD), slot);
      slot += given[i].getSize();
      convert(method, given[i], wanted.get(captured.length + i), specialized[i]);
    }
    method.visitMethodInsn(
        instruction(target),
        target.getOwner(),
        target.getName(),
        target.getDesc(),
        target.isInterface());
    Type got = creates ? owner : Type.getReturnType(target.getDesc());
    Type result = lambda.declared().getReturnType();
    if (result.getSort() != Type.VOID) {
      convert(method, got, result, result);
    }
    method.visitInsn(result.getOpcode(IRETURN));
  }

  /** A private method of a nest mate is called like any other. */
  private static int instruction(Handle target) {
    return switch (target.getTag()) {
      case H_INVOKESTATIC -> INVOKESTATIC;
      case H_NEWINVOKESPECIAL -> INVOKESPECIAL;
      default -> target.isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL;
    };
  }

  /**
   * Converts a value for its receiver.
   *
   * @param as the type that the value has by what the lambda declares, if it is more special
   */
  private static void convert(MethodNode method, Type from, Type to, Type as) {
    if (isPrimitive(from) && isPrimitive(to)) {
      widen(method, from, to);
    } else if (isPrimitive(from)) {
      Type value = unboxed(to) == null ? from : unboxed(to);
      widen(method, from, value);
      Type box = box(value);
      String descriptor = Type.getMethodDescriptor(box, value);
      method.visitMethodInsn(INVOKESTATIC, box.getInternalName(), "valueOf", descriptor, false);
    } else {
      Type special = isPrimitive(as) ? from : as;
      cast(method, from, special);
      if (isPrimitive(to)) {
        Type box = unboxed(special) == null ? box(to) : special;
        cast(method, special, box);
        Type value = unboxed(box);
        String getter = value.getClassName() + "Value";
        String descriptor = Type.getMethodDescriptor(value);
        method.visitMethodInsn(INVOKEVIRTUAL, box.getInternalName(), getter, descriptor, false);
        widen(method, value, to);
      } else {
        cast(method, special, to);
      }
    }
  }

  private static void cast(MethodNode method, Type from, Type to) {
    if (!from.equals(to) && !to.getInternalName().equals(OBJECT)) {
      method.visitTypeInsn(CHECKCAST, to.getInternalName());
    }
  }

  private static boolean isPrimitive(Type type) {
    return type.getSort() < Type.ARRAY;
  }

  private static Type box(Type primitive) {
    return Type.getObjectType(BOXES.get(primitive.getDescriptor()));
  }

  private static Type unboxed(Type box) {
    return BOXES.entrySet().stream()
        .filter(entry -> entry.getValue().equals(box.getInternalName()))
        .map(entry -> Type.getType(entry.getKey()))
        .findAny()
        .orElse(null);
  }

  private static void widen(MethodNode method, Type from, Type to) {
    String source = from.getSort() < Type.INT ? "I" : from.getDescriptor();
    switch (source + to.getDescriptor()) {
      case "IJ" -> method.visitInsn(I2L);
      case "IF" -> method.visitInsn(I2F);
      case "ID" -> method.visitInsn(I2D);
      case "JF" -> method.visitInsn(L2F);
      case "JD" -> method.visitInsn(L2D);
      case "FD" -> method.visitInsn(F2D);
      default -> {
        // The same, or one of those that the JVM keeps as an int.
      }
    }
  }

  // Switches over types.

  private static void chooseType(MethodNode method, Object[] labels) {
    Label none = new Label();
    Label isNull = new Label();
    Label[] tests = new Label[labels.length];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = new Label();
    }
    method.visitVarInsn(ALOAD, 0);
    method.visitJumpInsn(IFNULL, isNull);
    method.visitVarInsn(ILOAD, 1);
    method.visitTableSwitchInsn(0, labels.length - 1, none, tests);
    for (int i = 0; i < labels.length; i++) {
      startOf(method, tests[i]);
      method.visitVarInsn(ALOAD, 0);
      if (labels[i] instanceof Type type) {
        method.visitTypeInsn(INSTANCEOF, type.getInternalName());
      } else if (labels[i] instanceof String) {
        method.visitLdcInsn(labels[i]);
        method.visitMethodInsn(INVOKEVIRTUAL, OBJECT, "equals", "(L" + OBJECT + ";)Z", false);
      } else {
        throw new IllegalStateException("no plain test for the label " + labels[i]);
      }
      method.visitJumpInsn(IFEQ, i + 1 < tests.length ? tests[i + 1] : none);
      method.visitLdcInsn(i);
      method.visitInsn(IRETURN);
    }
    startOf(method, none);
    method.visitLdcInsn(labels.length);
    method.visitInsn(IRETURN);
    startOf(method, isNull);
    method.visitInsn(ICONST_M1);
    method.visitInsn(IRETURN);
  }

  /** A place that is jumped to, with an empty stack and nothing but the parameters. */
  private static void startOf(MethodNode method, Label label) {
    method.visitLabel(label);
    method.visitFrame(F_SAME, 0, null, 0, null);
  }

  // What records inherit.

  private static void ofRecord(MethodNode method, String name, ClassNode type, Object[] bootstrap) {
    String[] names = ((String) bootstrap[1]).split(";");
    List<Handle> fields = new ArrayList<>();
    for (int i = 2; i < bootstrap.length; i++) {
      fields.add((Handle) bootstrap[i]);
    }
    switch (name) {
      case "hashCode" -> addHashCode(method, fields);
      case "equals" -> addEquals(method, type, fields);
      case "toString" -> addToString(method, type, names, fields);
      default -> throw new IllegalStateException("no plain method of records for " + name);
    }
  }

  private static void get(MethodNode method, Handle field) {
    method.visitFieldInsn(GETFIELD, field.getOwner(), field.getName(), field.getDesc());
  }

  private static void addHashCode(MethodNode method, List<Handle> fields) {
    method.visitInsn(ICONST_0);
    for (Handle field : fields) {
      Type type = Type.getType(field.getDesc());
      method.visitLdcInsn(31);
      method.visitInsn(IMUL);
      method.visitVarInsn(ALOAD, 0);
      get(method, field);
      String by = isPrimitive(type) ? box(type).getInternalName() : "java/util/Objects";
      method.visitMethodInsn(INVOKESTATIC, by, "hashCode", "(" + kind(type) + ")I", false);
      method.visitInsn(IADD);
    }
    method.visitInsn(IRETURN);
  }

  private static void addEquals(MethodNode method, ClassNode type, List<Handle> fields) {
    Label other = new Label();
    Label differs = new Label();
    method.visitVarInsn(ALOAD, 0);
    method.visitVarInsn(ALOAD, 1);
    method.visitJumpInsn(IF_ACMPNE, other);
    method.visitInsn(ICONST_1);
    method.visitInsn(IRETURN);
    startOf(method, other);
    method.visitVarInsn(ALOAD, 1);
    method.visitTypeInsn(INSTANCEOF, type.name);
    method.visitJumpInsn(IFEQ, differs);
    for (Handle field : fields) {
      Type of = Type.getType(field.getDesc());
      method.visitVarInsn(ALOAD, 0);
      get(method, field);
      method.visitVarInsn(ALOAD, 1);
      method.visitTypeInsn(CHECKCAST, type.name);
      get(method, field);
      if (isPrimitive(of)) {
        String compare = "(" + of + of + ")I";
        method.visitMethodInsn(INVOKESTATIC, box(of).getInternalName(), "compare", compare, false);
        method.visitJumpInsn(IFNE, differs);
      } else {
        String equals = "(L" + OBJECT + ";L" + OBJECT + ";)Z";
        method.visitMethodInsn(INVOKESTATIC, "java/util/Objects", "equals", equals, false);
        method.visitJumpInsn(IFEQ, differs);
      }
    }
    method.visitInsn(ICONST_1);
    method.visitInsn(IRETURN);
    startOf(method, differs);
    method.visitInsn(ICONST_0);
    method.visitInsn(IRETURN);
  }

  private static void addToString(
      MethodNode method, ClassNode type, String[] names, List<Handle> fields) {
    String simple = type.name.substring(type.name.lastIndexOf('/') + 1);
    for (InnerClassNode inner : type.innerClasses) {
      simple = inner.name.equals(type.name) ? inner.innerName : simple;
    }
    method.visitTypeInsn(NEW, BUILDER);
    method.visitInsn(DUP);
    method.visitMethodInsn(INVOKESPECIAL, BUILDER, "<init>", "()V", false);
    append(method, simple + "[", Type.getType(String.class));
    for (int i = 0; i < fields.size(); i++) {
      append(method, (i == 0 ? "" : ", ") + names[i] + "=", Type.getType(String.class));
      method.visitVarInsn(ALOAD, 0);
      get(method, fields.get(i));
      append(method, null, Type.getType(fields.get(i).getDesc()));
    }
    append(method, "]", Type.getType(String.class));
    method.visitMethodInsn(INVOKEVIRTUAL, BUILDER, "toString", "()Ljava/lang/String;", false);
    method.visitInsn(ARETURN);
  }

  /** Appends a text, or without one what is on the stack. */
  private static void append(MethodNode method, String text, Type type) {
    if (text != null) {
      method.visitLdcInsn(text);
    }
    boolean small = type.getSort() == Type.BYTE || type.getSort() == Type.SHORT;
    String of = text != null ? type.getDescriptor() : small ? "I" : kind(type);
    method.visitMethodInsn(
        INVOKEVIRTUAL, BUILDER, "append", "(" + of + ")L" + BUILDER + ";", false);
  }
}
