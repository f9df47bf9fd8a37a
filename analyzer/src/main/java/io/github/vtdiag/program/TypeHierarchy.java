package io.github.vtdiag.program;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.JdkTypes.JdkType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The supertypes and subtypes in a program and in the JDK. Names are with slashes. */
public final class TypeHierarchy {
  public static final String OBJECT = "java/lang/Object";

  private final Map<String, ClassFile> types = new TreeMap<>();
  private final Map<String, Set<String>> subclasses = new HashMap<>();
  private final JdkTypes jdk;

  /**
   * @param classes those of the program; the subclasses of a class keep their order
   */
  TypeHierarchy(List<ClassFile> classes, JdkTypes jdk) {
    this.jdk = jdk;
    for (ClassFile type : classes) {
      types.put(type.name(), type);
      if (type.superName() != null) {
        subclasses.computeIfAbsent(type.superName(), n -> new LinkedHashSet<>()).add(type.name());
      }
      for (String each : type.interfaces()) {
        subclasses.computeIfAbsent(each, n -> new LinkedHashSet<>()).add(type.name());
      }
    }
  }

  /** Returns the classes of the program, by name. */
  public Collection<ClassFile> types() {
    return types.values();
  }

  /** Returns a class of the program. */
  public Optional<ClassFile> type(String name) {
    return Optional.ofNullable(types.get(name));
  }

  /** Returns the classes and interfaces of the program that directly extend or implement it. */
  public Set<String> subclasses(String name) {
    return subclasses.getOrDefault(name, Set.of());
  }

  /** Returns the class and all its subtypes. */
  public Set<String> subtree(String name) {
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

  /** Returns a method that a class of the program declares. */
  public Optional<Method> method(MethodName name) {
    return type(name.owner()).map(type -> type.methods().get(name.signature()));
  }

  /** Returns the field that a reference resolves to; empty if the program does not declare it. */
  public Optional<Field> field(String owner, String name) {
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

  /** Returns the superclass; null for Object and for a class that is not at hand. */
  public String superName(String name) {
    ClassFile type = types.get(name);
    return type != null ? type.superName() : jdk.find(name).map(JdkType::superName).orElse(null);
  }

  /** Returns whether it is a class of the program or the JDK. */
  public boolean isKnown(String name) {
    return types.containsKey(name) || jdk.find(name).isPresent();
  }

  public boolean isInterface(String name) {
    ClassFile type = types.get(name);
    return type != null
        ? type.isInterface()
        : jdk.find(name).map(JdkType::isInterface).orElse(false);
  }

  /** Returns whether {@code name} is {@code ancestor} or extends or implements it. */
  public boolean isSubtype(String name, String ancestor) {
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
        : jdk.find(name).map(JdkType::interfaces).orElse(List.of());
  }

  /** Returns the nearest class of the JDK above (or at) it whose own code locks its instances. */
  public Optional<String> lockingJdkAncestor(String name) {
    for (String at = name; at != null; at = superName(at)) {
      if (!types.containsKey(at) && jdk.find(at).map(JdkType::locksItself).orElse(false)) {
        return Optional.of(at.replace('/', '.'));
      }
    }
    return Optional.empty();
  }

  /** Returns whether a class of the JDK is value-based. */
  public boolean isValueBased(String name) {
    return !types.containsKey(name) && jdk.find(name).map(JdkType::valueBased).orElse(false);
  }

  /** Returns the type of each field of a class of the JDK; see {@link JdkType#fields}. */
  public Map<String, Optional<String>> jdkFields(String name) {
    return types.containsKey(name)
        ? Map.of()
        : jdk.find(name).map(JdkType::fields).orElse(Map.of());
  }

  /** Returns the classes of the JDK with this beginning of their name, in one package. */
  public List<String> jdkClassesFrom(String beginning) {
    return jdk.namesFrom(beginning);
  }

  /** Returns whether a class or interface of the JDK declares a method. */
  public boolean isJdkMethod(MethodName method) {
    return !types.containsKey(method.owner())
        && jdk.find(method.owner())
            .map(type -> type.methods().contains(method.signature()))
            .orElse(false);
  }

  /**
   * Returns whether a class or interface of the JDK above it declares the method, and so may call
   * it.
   */
  public boolean overridesJdkMethod(MethodName method) {
    if (method(method).filter(of -> of.has(ACC_PRIVATE) || of.has(ACC_STATIC)).isPresent()) {
      return false; // Whatever is above, also where that was not found.
    }
    return ancestors(method.owner()).stream()
        .filter(name -> !types.containsKey(name))
        .anyMatch(
            name ->
                jdk.find(name)
                    .map(type -> type.methods().contains(method.signature()))
                    .orElse(true));
  }

  /** Returns the class and all its known supertypes. */
  public Set<String> ancestors(String name) {
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
}
