package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Refuses classes whose objects are made without running a constructor: they have a monitor, but no
 * lock in their field. A mock is one, or the result of {@code Unsafe.allocateInstance}.
 */
final class WithoutConstructor {
  private static final String CLASS = "Ljava/lang/Class;";
  private static final String OBJECT = "Ljava/lang/Object;";

  /** The methods that create such objects; the first parameter that is a class names the class. */
  private static final List<String> MAKERS =
      List.of(
          "allocateInstance(" + CLASS + ")" + OBJECT,
          "newConstructorForSerialization(" + CLASS + ")Ljava/lang/reflect/Constructor;",
          "newConstructorForSerialization("
              + CLASS
              + "Ljava/lang/reflect/Constructor;)Ljava/lang/reflect/Constructor;",
          "newInstance(" + CLASS + ")" + OBJECT,
          "getInstantiatorOf(" + CLASS + ")Lorg/objenesis/instantiator/ObjectInstantiator;",
          "mock(" + CLASS + ")" + OBJECT,
          "mock(" + CLASS + "Ljava/lang/String;)" + OBJECT,
          "mock(" + CLASS + "Lorg/mockito/stubbing/Answer;)" + OBJECT,
          "mock(" + CLASS + "Lorg/mockito/MockSettings;)" + OBJECT);

  private static final Set<String> OWNERS =
      Set.of(
          "sun/misc/Unsafe",
          "sun/reflect/ReflectionFactory",
          "org/objenesis/Objenesis",
          "org/objenesis/ObjenesisBase",
          "org/objenesis/ObjenesisStd",
          "org/objenesis/ObjenesisHelper",
          "org/mockito/Mockito");

  private static final String SPRINGS_PROXIES =
      "org/springframework/aop/framework/ObjenesisCglibAopProxy";

  /** A call of such a method, and the classes that it may be given. */
  private record Making(ClassFile type, MethodName method, int line, Set<Pointee> classes) {}

  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private List<Making> makings;

  WithoutConstructor(UseIndex uses, Bodies bodies, PointsTo pointsTo) {
    this.uses = uses;
    this.bodies = bodies;
    this.pointsTo = pointsTo;
  }

  static Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    if (!(lock instanceof LockGroup.Instances of)) {
      return Optional.empty(); // Without a constructor the locked field is null today.
    }
    for (Making making : program.unconstructed().makings(program)) {
      for (String type : program.hierarchy().subtree(of.top())) {
        if (making.classes().stream().anyMatch(each -> mayBe(each, type, making, program))) {
          return Refusal.of(
              RefusalReason.NO_CONSTRUCTOR,
              ShortNames.where(making.method(), making.line())
                  + " may make instances of "
                  + ShortNames.simple(type)
                  + " without a constructor: they would have no lock");
        }
      }
    }
    return onSpringsProxies(of, program);
  }

  /**
   * Refuses a lock on Spring's proxies, which are made by Objenesis. They pass overridden methods
   * on to the real object, and run the rest themselves: final methods, and other classes' blocks
   * that lock them.
   */
  private static Optional<Refusal> onSpringsProxies(
      LockGroup.Instances lock, WholeProgram program) {
    ClassFile top = program.hierarchy().type(lock.top()).orElseThrow();
    if (program.hierarchy().type(SPRINGS_PROXIES).isEmpty()
        || top.has(ACC_FINAL)
        || !(top.owner() instanceof Owner.Application)) {
      return Optional.empty();
    }
    return lock.sites().stream()
        .filter(site -> runsOnProxy(site, program))
        .findFirst()
        .flatMap(
            site ->
                Refusal.of(
                    RefusalReason.NO_CONSTRUCTOR,
                    site.use().where()
                        + " may lock a proxy that Spring made of "
                        + ShortNames.simple(lock.top())
                        + " without a constructor: it would have no lock"));
  }

  private static boolean runsOnProxy(MonitorSite site, WholeProgram program) {
    MonitorRegion region = site.site().region();
    if (region.lock().kind() == LockExpression.Kind.THIS) {
      Method method = program.hierarchy().method(site.use().method).orElseThrow();
      return method.has(ACC_FINAL) && !method.has(ACC_PRIVATE) && !site.use().type.has(ACC_FINAL);
    }
    String name = region.lock().name();
    return name == null || !name.startsWith("this$");
  }

  /**
   * Returns whether a call may create an instance of the class. For a class object from elsewhere,
   * the owner of the calling code counts: the application means its own classes, a library may get
   * any.
   */
  private static boolean mayBe(Pointee given, String type, Making making, WholeProgram program) {
    boolean isLiteral = given instanceof Pointee.ClassLiteral;
    return (isLiteral || making.type().owner() instanceof Owner.Application)
        && program.aliasing().mayBeClassObject(given, type);
  }

  private List<Making> makings(WholeProgram program) {
    if (makings == null) {
      makings = new ArrayList<>();
      for (String signature : MAKERS) {
        for (MethodName caller : uses.callers(signature)) {
          Body body = bodies.of(caller);
          for (AbstractInsnNode each : body.instructions()) {
            if (each instanceof MethodInsnNode call
                && OWNERS.contains(call.owner)
                && signature.equals(call.name + call.desc)) {
              makings.add(
                  new Making(
                      program.hierarchy().type(caller.owner()).orElseThrow(),
                      caller,
                      body.line(each),
                      pointsTo.of(body, made(body, call))));
            }
          }
        }
      }
    }
    return makings;
  }

  private static Origins made(Body body, MethodInsnNode call) {
    int first = call.getOpcode() == INVOKESTATIC ? 0 : 1;
    Type[] types = Type.getArgumentTypes(call.desc);
    for (int i = 0; i < types.length; i++) {
      if (types[i].getDescriptor().equals(CLASS)) {
        return body.arguments(call).get(first + i);
      }
    }
    return Origins.UNKNOWN;
  }
}
