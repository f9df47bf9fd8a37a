package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;

import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Assumptions.Clients;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.Type;

/**
 * The callers that no instruction shows: code that is not on the class path, or a framework by
 * reflection. They may call a method or set a field. Reflection needs a reason: an annotation, the
 * form of a setter, or a name that some code loads.
 */
final class ForeignCallers {
  /** The methods that look up a method by its name. */
  private static final Set<String> LOOKUPS =
      Set.of(
          "getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;",
          "getDeclaredMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;",
          "findVirtual(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)"
              + "Ljava/lang/invoke/MethodHandle;",
          "findStatic(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)"
              + "Ljava/lang/invoke/MethodHandle;");

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Clients clients;

  /** The classes that look up methods by their names; null until they are needed. */
  private Set<String> lookingUp;

  ForeignCallers(TypeHierarchy hierarchy, UseIndex uses, Clients clients) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.clients = clients;
  }

  /** Returns whether unseen code may use a member with these flags. */
  boolean isOpen(int access) {
    return clients == Clients.UNSEEN && (access & (ACC_PUBLIC | ACC_PROTECTED)) != 0;
  }

  /** Returns whether code may run although a class that it needs was not found. */
  boolean mayRunWithout(ClassFile user) {
    return clients == Clients.UNSEEN || !(user.owner() instanceof Owner.Library);
  }

  boolean mayCall(MethodName name) {
    ClassFile type = hierarchy.type(name.owner()).orElseThrow();
    Method method = hierarchy.method(name).orElseThrow();
    boolean isPublic = method.has(ACC_PUBLIC);
    return !(type.owner() instanceof Owner.Library)
        || isOpen(method.access())
        || method.annotated()
        || type.isAnnotated()
        || !uses.stringLoaders(type.dotted()).isEmpty()
        || (isPublic && isSetter(name))
        || (name.name().equals("<init>")
            ? isPublic && !uses.literalLoaders(type.name()).isEmpty()
            : mayBeLookedUp(name, isPublic && type.has(ACC_PUBLIC)));
  }

  private static boolean isSetter(MethodName name) {
    return name.name().matches("set\\p{Lu}.*") && Type.getArgumentCount(name.descriptor()) == 1;
  }

  /** Returns whether a class that looks up methods has the name, and could mean this method. */
  private boolean mayBeLookedUp(MethodName name, boolean everybodySeesIt) {
    if (lookingUp == null) {
      lookingUp =
          LOOKUPS.stream()
              .flatMap(lookup -> uses.callers(lookup).stream())
              .map(MethodName::owner)
              .collect(Collectors.toSet());
    }
    List<String> knowing =
        uses.stringLoaders(name.name()).stream()
            .map(MethodName::owner)
            .filter(lookingUp::contains)
            .toList();
    return !knowing.isEmpty()
        && (everybodySeesIt
            || uses.literalLoaders(name.owner()).stream()
                .map(MethodName::owner)
                .anyMatch(knowing::contains));
  }

  /** Returns whether a field may be set by more than the known instructions. */
  boolean maySet(Field field) {
    return field.annotated() || isOpen(field.access());
  }
}
