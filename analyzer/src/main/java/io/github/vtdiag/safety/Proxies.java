package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ASM9;

import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The interfaces of which the application makes proxies. A call on a proxy gives what its handler
 * returns, which can be anything. Libraries make proxies, too; theirs are assumed to return what
 * the object behind them returns.
 */
final class Proxies {
  private static final String NEW_INSTANCE =
      "newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;"
          + "Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;";

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final BiFunction<Body, Origins, Set<Pointee>> pointsTo;

  /** The interfaces of proxies; null until they are needed. */
  private Set<String> interfaces;

  /** Tells whether the application makes proxies of interfaces that no code names. */
  private boolean ofAny;

  private final Map<String, Boolean> forEverybody = new HashMap<>();

  Proxies(
      TypeHierarchy hierarchy,
      UseIndex uses,
      Bodies bodies,
      BiFunction<Body, Origins, Set<Pointee>> pointsTo) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
    this.pointsTo = pointsTo;
  }

  /** Returns whether an object of the type may be a proxy. */
  boolean mayBeOne(String type) {
    if (!hierarchy.isInterface(type)) {
      return false;
    }
    if (interfaces == null) {
      interfaces = Set.of();
      ofAny = true; // The answer while the search itself runs.
      ofAny = findAll();
    }
    return interfaces.stream().anyMatch(made -> hierarchy.isSubtype(made, type))
        || (ofAny && hierarchy.subtree(type).stream().anyMatch(this::isForEverybody));
  }

  /**
   * Returns whether it is an interface that the application can name, not one of a library's
   * internals.
   */
  private boolean isForEverybody(String type) {
    if (!hierarchy.isInterface(type)) {
      return false;
    }
    Optional<ClassFile> file =
        hierarchy.type(type).filter(each -> each.owner() instanceof Owner.Library);
    return file.isEmpty() || forEverybody.computeIfAbsent(type, of -> isPublic(file.get()));
  }

  /**
   * Returns whether a type is public by the flags in its source: for a protected one, the class
   * file itself says public.
   */
  private static boolean isPublic(ClassFile type) {
    int[] access = {type.has(ACC_PUBLIC) ? ACC_PUBLIC : 0};
    new ClassReader(type.bytes())
        .accept(
            new ClassVisitor(ASM9) {
              @Override
              public void visitInnerClass(String name, String outer, String inner, int flags) {
                if (name.equals(type.name())) {
                  access[0] &= flags;
                }
              }
            },
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return access[0] != 0;
  }

  /** Notes the interfaces that are named; returns whether there are others. */
  private boolean findAll() {
    Set<String> found = new LinkedHashSet<>();
    boolean others = false;
    for (MethodName maker : uses.callers(NEW_INSTANCE)) {
      if (hierarchy.type(maker.owner()).orElseThrow().owner() instanceof Owner.Library) {
        continue;
      }
      Body body = bodies.of(maker);
      for (AbstractInsnNode each : body.instructions()) {
        if (each instanceof MethodInsnNode call && NEW_INSTANCE.equals(call.name + call.desc)) {
          for (Pointee named : named(body, body.arguments(call).get(1))) {
            if (named instanceof Pointee.ClassLiteral literal) {
              found.add(literal.type());
            } else {
              others = true;
            }
          }
        }
      }
    }
    interfaces = found;
    return others;
  }

  /** Returns the class objects that may be in an array. */
  private Set<Pointee> named(Body body, Origins arrays) {
    Set<Pointee> named = new LinkedHashSet<>();
    for (Origin array : arrays.all()) {
      if (array.instruction() == null || array.instruction().getOpcode() != ANEWARRAY) {
        named.add(new Pointee.AtMost("java/lang/Class"));
        continue;
      }
      for (AbstractInsnNode store : body.instructions()) {
        if (store.getOpcode() == AASTORE && body.operand(store, 2).isFrom(array.instruction())) {
          named.addAll(pointsTo.apply(body, body.operand(store, 0)));
        }
      }
    }
    return named;
  }
}
