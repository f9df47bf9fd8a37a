package vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_RECORD;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ASM9;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import vtdiag.locksite.LockMaps;
import vtdiag.model.ClassMonitors;
import vtdiag.model.ClassRef;
import vtdiag.model.DataException;
import vtdiag.model.LockExpression;
import vtdiag.model.MonitorRegion;
import vtdiag.program.ClassPathBytes.ClassBytes;
import vtdiag.program.JdkClasses;

/**
 * All classes of a program, its libraries among them: who extends whom, who calls what and who uses
 * which field. Of the JDK's classes only those that are asked for are read. Names in here are
 * internal ones, with slashes.
 */
public final class Program {
  static final String OBJECT = "java/lang/Object";

  /** A method, or a call of one. */
  record MethodName(String owner, String name, String descriptor) {
    String signature() {
      return name + descriptor;
    }
  }

  /** A field, by the class that declares it. */
  record FieldName(String owner, String name) {}

  record Field(FieldName name, String descriptor, int access, Object constant) {
    boolean has(int flag) {
      return (access & flag) != 0;
    }
  }

  record Method(MethodName name, int access) {
    boolean has(int flag) {
      return (access & flag) != 0;
    }
  }

  /** A class of the program, without its code. */
  record ClassFile(
      String name,
      int access,
      String superName,
      List<String> interfaces,
      String source,
      ClassBytes bytes,
      ClassMonitors monitors,
      Map<String, Field> fields,
      Map<String, Method> methods) {

    String dotted() {
      return name.replace('/', '.');
    }

    boolean has(int flag) {
      return (access & flag) != 0;
    }

    boolean isInterface() {
      return has(ACC_INTERFACE);
    }

    boolean isRecord() {
      return has(ACC_RECORD);
    }
  }

  /** What counts of a class of the JDK. */
  private record JdkType(
      String superName,
      List<String> interfaces,
      boolean isInterface,
      boolean locksItself,
      boolean valueBased,
      Set<String> methods) {}

  private final JdkClasses jdk;
  private final Map<String, ClassFile> types = new TreeMap<>();
  private final Map<String, Optional<JdkType>> jdkTypes = new HashMap<>();
  private final Map<String, Set<String>> subclasses = new HashMap<>();
  private final Map<String, Set<MethodName>> callers = new HashMap<>();
  private final Map<String, Set<MethodName>> fieldUsers = new HashMap<>();

  /** The interfaces that lambdas implement. */
  private final Set<String> lambdaTypes = new HashSet<>();

  private final List<String> problems = new ArrayList<>();

  private final Map<MethodName, Body> bodies = new HashMap<>();

  private Program(JdkClasses jdk) {
    this.jdk = jdk;
  }

  /**
   * Reads a program.
   *
   * @param classes all its classes; of two with one name the first counts
   * @param jdk where the JDK's classes are looked up
   */
  public static Program read(List<ClassBytes> classes, JdkClasses jdk) {
    Program program = new Program(jdk);
    for (ClassBytes bytes : classes) {
      try {
        program.add(bytes);
      } catch (IllegalArgumentException e) {
        program.problems.add(
            "a class in " + bytes.location() + " is not a readable class file, and was left out");
      }
    }
    return program;
  }

  /** What could not be read, one sentence each. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** The names of all its classes, with dots, in order. */
  public List<String> classNames() {
    return types.values().stream().map(ClassFile::dotted).toList();
  }

  /** The lock maps of all its classes. */
  public List<ClassMonitors> lockMaps() {
    return types.values().stream().map(ClassFile::monitors).toList();
  }

  /**
   * The Java version that a class, by its name with dots, is compiled for; 0 if it is none here.
   */
  public int javaVersion(String className) {
    ClassFile type = types.get(className.replace('.', '/'));
    // Class files count from 45, which was Java 1.1.
    return type == null ? 0 : (type.bytes().bytes()[7] & 0xFF) - 44;
  }

  Iterable<ClassFile> types() {
    return types.values();
  }

  Optional<ClassFile> type(String name) {
    return Optional.ofNullable(types.get(name));
  }

  /** The classes and interfaces of the program that directly extend or implement it. */
  Set<String> subclasses(String name) {
    return subclasses.getOrDefault(name, Set.of());
  }

  /** The class and all below it. */
  Set<String> subtree(String name) {
    Set<String> all = new LinkedHashSet<>();
    List<String> next = new ArrayList<>(List.of(name));
    while (!next.isEmpty()) {
      String each = next.removeLast();
      if (all.add(each)) {
        next.addAll(subclasses(each));
      }
    }
    return all;
  }

  /** The methods with an instruction that calls or refers to one of that name and descriptor. */
  Set<MethodName> callers(String signature) {
    return callers.getOrDefault(signature, Set.of());
  }

  /** The methods with an instruction that reads or writes a field of that name. */
  Set<MethodName> fieldUsers(String name) {
    return fieldUsers.getOrDefault(name, Set.of());
  }

  /** Whether a lambda may be an instance of the type. */
  boolean mayBeLambda(String type) {
    return subtree(type).stream().anyMatch(lambdaTypes::contains);
  }

  Optional<Method> method(MethodName name) {
    return type(name.owner()).map(type -> type.methods().get(name.signature()));
  }

  /** The code of a method, with what each instruction works on. */
  Body body(MethodName method) {
    return bodies.computeIfAbsent(
        method, name -> Body.read(types.get(name.owner()).bytes().bytes(), name, this));
  }

  /** The field that a reference resolves to; empty if the program does not declare it. */
  Optional<Field> field(String owner, String name) {
    for (String at = owner; at != null; at = superName(at)) {
      ClassFile type = types.get(at);
      if (type == null) {
        return Optional.empty();
      }
      if (type.fields().containsKey(name)) {
        return Optional.of(type.fields().get(name));
      }
      for (String each : type.interfaces()) {
        Optional<Field> found = field(each, name);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** The superclass; null for Object and for a class that is not at hand. */
  String superName(String name) {
    ClassFile type = types.get(name);
    return type != null ? type.superName() : jdkType(name).map(JdkType::superName).orElse(null);
  }

  boolean isKnown(String name) {
    return types.containsKey(name) || jdkType(name).isPresent();
  }

  boolean isInterface(String name) {
    ClassFile type = types.get(name);
    return type != null
        ? type.isInterface()
        : jdkType(name).map(JdkType::isInterface).orElse(false);
  }

  /** Whether {@code name} is {@code ancestor} or extends or implements it. */
  boolean isSubtype(String name, String ancestor) {
    if (name == null) {
      return false;
    }
    if (name.equals(ancestor) || ancestor.equals(OBJECT)) {
      return true;
    }
    if (name.startsWith("[")) {
      return ancestor.equals("java/lang/Cloneable") || ancestor.equals("java/io/Serializable");
    }
    return isSubtype(superName(name), ancestor)
        || interfaces(name).stream().anyMatch(each -> isSubtype(each, ancestor));
  }

  private List<String> interfaces(String name) {
    ClassFile type = types.get(name);
    return type != null
        ? type.interfaces()
        : jdkType(name).map(JdkType::interfaces).orElse(List.of());
  }

  /** The nearest class of the JDK above (or at) it whose own code locks its instances. */
  Optional<String> lockingJdkAncestor(String name) {
    for (String at = name; at != null; at = superName(at)) {
      if (!types.containsKey(at) && jdkType(at).map(JdkType::locksItself).orElse(false)) {
        return Optional.of(at.replace('/', '.'));
      }
    }
    return Optional.empty();
  }

  boolean isValueBased(String name) {
    return !types.containsKey(name) && jdkType(name).map(JdkType::valueBased).orElse(false);
  }

  /** Whether a class or interface of the JDK above it declares the method, and so may call it. */
  boolean overridesJdkMethod(MethodName method) {
    return ancestors(method.owner()).stream()
        .filter(name -> !types.containsKey(name))
        .anyMatch(
            name ->
                jdkType(name)
                    .map(type -> type.methods().contains(method.signature()))
                    .orElse(true));
  }

  private Set<String> ancestors(String name) {
    Set<String> all = new LinkedHashSet<>();
    List<String> next = new ArrayList<>(List.of(name));
    while (!next.isEmpty()) {
      String each = next.removeLast();
      if (all.add(each)) {
        next.addAll(interfaces(each));
        if (superName(each) != null) {
          next.add(superName(each));
        }
      }
    }
    return all;
  }

  private Optional<JdkType> jdkType(String name) {
    Optional<JdkType> known = jdkTypes.get(name);
    if (known == null) {
      known = readJdkType(name);
      jdkTypes.put(name, known);
    }
    return known;
  }

  private Optional<JdkType> readJdkType(String name) {
    if (name.startsWith("[")) {
      return Optional.of(new JdkType(OBJECT, List.of(), false, false, false, Set.of()));
    }
    Optional<ClassBytes> bytes;
    try {
      bytes = jdk.find(name.replace('/', '.'));
    } catch (DataException e) {
      problems.add(e.getMessage());
      return Optional.empty();
    }
    return bytes.map(found -> jdkType(name, found));
  }

  private static JdkType jdkType(String name, ClassBytes bytes) {
    ClassReader reader = new ClassReader(bytes.bytes());
    boolean[] found = new boolean[2];
    Set<String> methods = new HashSet<>();
    reader.accept(
        new ClassVisitor(ASM9) {
          @Override
          public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            found[1] |= descriptor.equals("Ljdk/internal/ValueBased;");
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String method, String descriptor, String signature, String[] thrown) {
            methods.add(method + descriptor);
            found[0] |= (access & ACC_SYNCHRONIZED) != 0 && (access & ACC_STATIC) == 0;
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
    boolean locksItself = found[0] || hasBlockOnItself(name, bytes);
    return new JdkType(
        reader.getSuperName(),
        List.of(reader.getInterfaces()),
        (reader.getAccess() & ACC_INTERFACE) != 0,
        locksItself,
        found[1],
        methods);
  }

  /**
   * A block on {@code this}, or on a field like {@code java.io.Reader.lock} that may hold {@code
   * this}.
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
                        && lock.owner().startsWith("java.")));
  }

  private void add(ClassBytes bytes) {
    try {
      ClassReader reader = new ClassReader(bytes.bytes());
      if (!types.containsKey(reader.getClassName())) {
        ClassRef ref = new ClassRef(reader.getClassName().replace('/', '.'), "");
        ClassMonitors monitors =
            LockMaps.read(bytes.bytes(), ref, bytes.location(), ClassMonitors.Evidence.CLASS_PATH);
        Scan scan = new Scan(bytes, monitors);
        reader.accept(scan, ClassReader.SKIP_FRAMES);
        ClassFile type = scan.type();
        types.put(type.name(), type);
        if (type.superName() != null) {
          subclasses.computeIfAbsent(type.superName(), n -> new LinkedHashSet<>()).add(type.name());
        }
        for (String each : type.interfaces()) {
          subclasses.computeIfAbsent(each, n -> new LinkedHashSet<>()).add(type.name());
        }
      }
    } catch (RuntimeException | StackOverflowError e) {
      // ASM fails on bytes that are no class with whatever it trips over.
      throw new IllegalArgumentException("not a class file that can be read: " + e, e);
    }
  }

  /** Reads a class and notes what its methods call and use. */
  private final class Scan extends ClassVisitor {
    private final ClassBytes bytes;
    private final ClassMonitors monitors;
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<String, Method> methods = new LinkedHashMap<>();
    private String name;
    private int access;
    private String superName;
    private List<String> interfaces;
    private String source;

    Scan(ClassBytes bytes, ClassMonitors monitors) {
      super(ASM9);
      this.bytes = bytes;
      this.monitors = monitors;
    }

    ClassFile type() {
      return new ClassFile(
          name, access, superName, interfaces, source, bytes, monitors, fields, methods);
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String superName, String[] faces) {
      this.access = access;
      this.name = name;
      this.superName = superName;
      this.interfaces = List.of(faces);
    }

    @Override
    public void visitSource(String source, String debug) {
      this.source = source;
    }

    @Override
    public FieldVisitor visitField(
        int access, String field, String descriptor, String signature, Object constant) {
      fields.put(field, new Field(new FieldName(name, field), descriptor, access, constant));
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] thrown) {
      MethodName caller = new MethodName(name, method, descriptor);
      methods.put(caller.signature(), new Method(caller, access));
      return new MethodVisitor(ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String calledDescriptor, boolean face) {
          calls(caller, called + calledDescriptor);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          fieldUsers.computeIfAbsent(field, n -> new LinkedHashSet<>()).add(caller);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String type, Handle bootstrap, Object... arguments) {
          lambdaTypes.add(org.objectweb.asm.Type.getReturnType(type).getInternalName());
          for (Object argument : arguments) {
            refersTo(argument);
          }
        }

        @Override
        public void visitLdcInsn(Object value) {
          refersTo(value);
        }

        private void refersTo(Object constant) {
          if (constant instanceof Handle handle) {
            calls(caller, handle.getName() + handle.getDesc());
          }
        }
      };
    }

    private void calls(MethodName caller, String signature) {
      callers.computeIfAbsent(signature, n -> new LinkedHashSet<>()).add(caller);
    }
  }
}
