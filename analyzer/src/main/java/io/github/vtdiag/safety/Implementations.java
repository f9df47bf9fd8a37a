package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_STATIC;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The class of which all objects of an interface are instances, if there is one: then that class
 * can have their lock. There is none if the program can make implementations at run time.
 */
final class Implementations {
  private static final String LOADER = "Ljava/lang/ClassLoader;";
  private static final String CLASS = "Ljava/lang/Class;";
  private static final String BYTES = "[BII";
  private static final String DOMAIN = "Ljava/security/ProtectionDomain;";
  private static final String MBEAN =
      "Ljavax/management/MBeanServerConnection;Ljavax/management/ObjectName;" + CLASS;

  /** The calls that make classes, or instances of interfaces that no class file implements. */
  private static final List<String> GENERATORS =
      List.of(
          "newProxyInstance("
              + LOADER
              + "["
              + CLASS
              + "Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;",
          "getProxyClass(" + LOADER + "[" + CLASS + ")" + CLASS,
          "asInterfaceInstance(" + CLASS + "Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;",
          "newMBeanProxy(" + MBEAN + ")Ljava/lang/Object;",
          "newMBeanProxy(" + MBEAN + "Z)Ljava/lang/Object;",
          "newMXBeanProxy(" + MBEAN + ")Ljava/lang/Object;",
          "newMXBeanProxy(" + MBEAN + "Z)Ljava/lang/Object;",
          "defineClass([B)" + CLASS,
          "defineClass(" + BYTES + ")" + CLASS,
          "defineClass(Ljava/lang/String;" + BYTES + ")" + CLASS,
          "defineClass(Ljava/lang/String;" + BYTES + DOMAIN + ")" + CLASS,
          "defineClass(Ljava/lang/String;" + BYTES + "Ljava/security/CodeSource;)" + CLASS,
          "defineClass(Ljava/lang/String;Ljava/nio/ByteBuffer;" + DOMAIN + ")" + CLASS,
          "defineClass(Ljava/lang/String;Ljava/nio/ByteBuffer;Ljava/security/CodeSource;)" + CLASS,
          "defineClass(Ljava/lang/String;" + BYTES + LOADER + DOMAIN + ")" + CLASS,
          "defineAnonymousClass(" + CLASS + "[B[Ljava/lang/Object;)" + CLASS,
          "defineHiddenClass([BZ[Ljava/lang/invoke/MethodHandles$Lookup$ClassOption;)"
              + "Ljava/lang/invoke/MethodHandles$Lookup;");

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final Map<String, Optional<String>> known = new ConcurrentHashMap<>();
  private Boolean generates;

  Implementations(TypeHierarchy hierarchy, UseIndex uses, Bodies bodies) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
  }

  /**
   * Finds the most specific class of the program of which every object of the interface is an
   * instance.
   */
  Optional<String> commonClass(String type) {
    return known.computeIfAbsent(type, this::find);
  }

  private Optional<String> find(String type) {
    if (hierarchy.type(type).filter(ClassFile::isInterface).isEmpty()
        || uses.mayBeLambda(type)
        || generatesClasses()) {
      return Optional.empty();
    }
    List<String> implementations =
        hierarchy.subtree(type).stream().filter(each -> !hierarchy.isInterface(each)).toList();
    if (implementations.isEmpty()) {
      return Optional.empty();
    }
    for (String at = implementations.getFirst();
        at != null && hierarchy.type(at).isPresent();
        at = hierarchy.superName(at)) {
      Set<String> tree = hierarchy.subtree(at);
      if (tree.containsAll(implementations)) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  private synchronized boolean generatesClasses() {
    if (generates == null) {
      generates =
          GENERATORS.stream()
              .flatMap(signature -> uses.callers(signature).stream())
              .anyMatch(this::mayRun);
    }
    return generates;
  }

  /**
   * Returns whether a method may run. An instance method cannot if no code creates the object, and
   * reflection would need arguments.
   */
  private boolean mayRun(MethodName caller) {
    if (caller.name().equals("<init>")
        || caller.name().equals("<clinit>")
        || hierarchy.method(caller).orElseThrow().has(ACC_STATIC)) {
      return true;
    }
    return hierarchy.subtree(caller.owner()).stream().anyMatch(this::mayBeMade);
  }

  private boolean mayBeMade(String type) {
    return hierarchy.type(type).orElseThrow().methods().values().stream()
        .filter(method -> method.name().name().equals("<init>"))
        .anyMatch(
            constructor ->
                constructor.name().descriptor().startsWith("()")
                    || uses.callers(constructor.name().signature()).stream()
                        .anyMatch(caller -> makes(caller, type)));
  }

  /** Returns whether a method creates an object of the type, or refers to its constructor. */
  private boolean makes(MethodName caller, String type) {
    for (AbstractInsnNode each : bodies.of(caller).code()) {
      boolean isMade =
          each instanceof TypeInsnNode created
              && created.getOpcode() == Opcodes.NEW
              && created.desc.equals(type);
      if (isMade
          || (each instanceof InvokeDynamicInsnNode dynamic
              && Stream.of(dynamic.bsmArgs)
                  .anyMatch(
                      argument ->
                          argument instanceof Handle handle && handle.getOwner().equals(type)))) {
        return true;
      }
    }
    return false;
  }
}
