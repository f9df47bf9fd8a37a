package vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.MULTIANEWARRAY;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import vtdiag.program.ClassFile;
import vtdiag.program.ClassFile.Field;
import vtdiag.program.MethodName;
import vtdiag.program.Program;
import vtdiag.program.TypeHierarchy;
import vtdiag.program.UseIndex;
import vtdiag.safety.Origins.Origin;

/**
 * Follows an object backwards through the program: a parameter to what callers pass, a field to
 * what is put into it, a call to what is returned. It is asked only where the type alone says too
 * little: an {@code Object} may be anything.
 */
final class PointsTo {
  /** Beyond this many steps the declared type is all that is said. */
  private static final int MAX_DEPTH = 6;

  /** And after so many in all: what is asked of a large program must end. */
  private static final int MAX_STEPS = 3_000;

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;

  /** What calls and fields were found to give, by what tells them apart. */
  private final Map<List<String>, Set<Pointee>> known = new HashMap<>();

  private int steps;

  PointsTo(Program program, Bodies bodies) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
  }

  /** Everything that the object can be. */
  Set<Pointee> of(Body body, Origins origins) {
    Set<Pointee> pointees = new LinkedHashSet<>();
    for (Origin origin : origins.all()) {
      Optional<List<String>> name = name(origin);
      Set<Pointee> found = name.map(known::get).orElse(null);
      if (found == null) {
        found = new LinkedHashSet<>();
        steps = 0;
        add(body, origin, 0, new HashSet<>(), found);
        if (name.isPresent()) {
          known.put(name.get(), found);
        }
      }
      pointees.addAll(found);
    }
    return pointees;
  }

  /** Empty where it depends on the place. */
  private static Optional<List<String>> name(Origin origin) {
    return switch (origin.instruction()) {
      case FieldInsnNode field -> Optional.of(List.of(field.owner, field.name, origin.type()));
      case MethodInsnNode call
          when !call.name.equals("getClass") && call.getOpcode() != INVOKESPECIAL ->
          Optional.of(List.of(call.owner, call.name, call.desc, origin.type()));
      case null, default -> Optional.empty();
    };
  }

  /** The instruction that reads the field: itself, or in the accessor that it calls. */
  Optional<FieldInsnNode> fieldRead(AbstractInsnNode instruction) {
    if (instruction instanceof FieldInsnNode field) {
      return Optional.of(field);
    }
    if (instruction instanceof MethodInsnNode call
        && call.getOpcode() == INVOKESTATIC
        && call.name.startsWith("access$")) {
      MethodName accessor = new MethodName(call.owner, call.name, call.desc);
      if (hierarchy.method(accessor).isPresent()) {
        return bodies.of(accessor).accessedField();
      }
    }
    return Optional.empty();
  }

  private void add(Body body, Origins origins, int depth, Set<Object> path, Set<Pointee> pointees) {
    for (Origin origin : origins.all()) {
      add(body, origin, depth, path, pointees);
    }
  }

  private void add(Body body, Origin origin, int depth, Set<Object> path, Set<Pointee> pointees) {
    Set<Pointee> found = new LinkedHashSet<>();
    addUncast(body, origin, depth, path, found);
    found.forEach(bound -> narrow(bound, origin.type()).ifPresent(pointees::add));
  }

  /** What is left of a bound where a cast or a declaration lets only one type through. */
  private Optional<Pointee> narrow(Pointee bound, String type) {
    return switch (bound) {
      case Pointee.Exactly exactly ->
          hierarchy.isSubtype(exactly.type(), type) ? Optional.of(bound) : Optional.empty();
      case Pointee.AtMost most ->
          Optional.of(hierarchy.isSubtype(most.type(), type) ? bound : new Pointee.AtMost(type));
      case Pointee.ClassLiteral literal -> onlyIfClass(bound, type);
      case Pointee.ClassOf of -> onlyIfClass(bound, type);
    };
  }

  private Optional<Pointee> onlyIfClass(Pointee bound, String type) {
    return hierarchy.isSubtype("java/lang/Class", type) ? Optional.of(bound) : Optional.empty();
  }

  private void addUncast(
      Body body, Origin origin, int depth, Set<Object> path, Set<Pointee> pointees) {
    AbstractInsnNode from = origin.instruction();
    Pointee declared = new Pointee.AtMost(origin.type());
    if (from != null && isCreation(from)) {
      pointees.add(new Pointee.Exactly(origin.type()));
    } else if (from instanceof LdcInsnNode ldc) {
      pointees.add(
          ldc.cst instanceof Type type && type.getSort() != Type.METHOD
              ? new Pointee.ClassLiteral(type.getInternalName())
              : new Pointee.Exactly(origin.type()));
    } else if (!saysTooLittle(origin.type()) || depth == MAX_DEPTH || ++steps > MAX_STEPS) {
      pointees.add(declared);
    } else if (origin.isParameter()) {
      Object here = List.of(body.method, origin.slot());
      if (path.add(here)) {
        addArguments(body, origin, depth, path, pointees);
        path.remove(here);
      }
    } else if (from != null && fieldRead(from).isPresent()) {
      addField(fieldRead(from).get(), declared, depth, path, pointees);
    } else if (from instanceof MethodInsnNode call) {
      addResult(body, call, declared, depth, path, pointees);
    } else {
      pointees.add(declared);
    }
  }

  private static boolean isCreation(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case NEW, NEWARRAY, ANEWARRAY, MULTIANEWARRAY -> true;
      default -> false;
    };
  }

  /** Whether an object of that type can be one of many classes of the program, or a Class. */
  private boolean saysTooLittle(String type) {
    if (type.equals(TypeHierarchy.OBJECT) || hierarchy.isSubtype("java/lang/Class", type)) {
      return true;
    }
    return hierarchy.isInterface(type)
        || (hierarchy.type(type).isEmpty() && !hierarchy.subclasses(type).isEmpty());
  }

  private void addArguments(
      Body body, Origin parameter, int depth, Set<Object> path, Set<Pointee> pointees) {
    MethodName method = body.method;
    if (parameter.slot() == 0 && !body.isStatic()) {
      pointees.add(new Pointee.AtMost(parameter.type())); // this, in an interface
      return;
    }
    if (hierarchy.overridesJdkMethod(method) || method.name().equals("main")) {
      pointees.add(new Pointee.AtMost(parameter.type()));
      return;
    }
    int position = body.position(parameter.slot());
    boolean isCalled = false;
    for (MethodName name : uses.callers(method.signature())) {
      Body caller = bodies.of(name);
      if (!caller.isKnown()) {
        pointees.add(new Pointee.AtMost(parameter.type()));
        continue;
      }
      for (AbstractInsnNode each : caller.instructions()) {
        if (each instanceof MethodInsnNode call && mayCall(call, method)) {
          isCalled = true;
          add(caller, caller.arguments(call).get(position), depth + 1, path, pointees);
        } else if (each instanceof InvokeDynamicInsnNode lambda && refersTo(lambda, method)) {
          isCalled = true;
          List<Origins> captured = caller.arguments(lambda, lambda.desc, false);
          if (position < captured.size()) {
            add(caller, captured.get(position), depth + 1, path, pointees);
          } else {
            pointees.add(new Pointee.AtMost(parameter.type()));
          }
        } else if (each instanceof LdcInsnNode ldc && ldc.cst instanceof Handle) {
          pointees.add(new Pointee.AtMost(parameter.type()));
        }
      }
    }
    if (!isCalled) {
      // By reflection, or from outside: the program does not say with what.
      pointees.add(new Pointee.AtMost(parameter.type()));
    }
  }

  private static boolean refersTo(InvokeDynamicInsnNode lambda, MethodName method) {
    for (Object argument : lambda.bsmArgs) {
      if (argument instanceof Handle handle
          && handle.getName().equals(method.name())
          && handle.getDesc().equals(method.descriptor())) {
        return true;
      }
    }
    return false;
  }

  private boolean mayCall(MethodInsnNode call, MethodName method) {
    if (!call.name.equals(method.name()) || !call.desc.equals(method.descriptor())) {
      return false;
    }
    if (call.getOpcode() == INVOKESPECIAL || call.getOpcode() == INVOKESTATIC) {
      return hierarchy.isSubtype(call.owner, method.owner());
    }
    // An interface's method may be implemented by a superclass that does not know the interface.
    return hierarchy.isInterface(call.owner)
        || hierarchy.isSubtype(call.owner, method.owner())
        || hierarchy.isSubtype(method.owner(), call.owner);
  }

  private void addField(
      FieldInsnNode read, Pointee declared, int depth, Set<Object> path, Set<Pointee> pointees) {
    Optional<Field> field = hierarchy.field(read.owner, read.name);
    if (field.isEmpty()) {
      pointees.add(declared);
      return;
    }
    if (!path.add(field.get().name())) {
      return;
    }
    for (MethodName user : uses.fieldUsers(field.get().name())) {
      Body body = bodies.of(user);
      if (!body.isKnown()) {
        pointees.add(declared);
        continue;
      }
      for (AbstractInsnNode each : body.instructions()) {
        if (each instanceof FieldInsnNode put
            && (put.getOpcode() == PUTFIELD || put.getOpcode() == PUTSTATIC)
            && put.name.equals(read.name)
            && hierarchy.field(put.owner, put.name).equals(field)) {
          add(body, body.operand(put, 0), depth + 1, path, pointees);
        }
      }
    }
    path.remove(field.get().name());
  }

  private void addResult(
      Body body,
      MethodInsnNode call,
      Pointee declared,
      int depth,
      Set<Object> path,
      Set<Pointee> pointees) {
    if (call.name.equals("getClass") && call.desc.equals("()Ljava/lang/Class;")) {
      for (Origin receiver : body.operand(call, 0).all()) {
        pointees.add(new Pointee.ClassOf(receiver.type()));
      }
      return;
    }
    Object here = List.of(call.owner, call.name, call.desc);
    if (!path.add(here)) {
      return;
    }
    List<MethodName> targets = targets(call);
    if (targets.isEmpty()) {
      pointees.add(declared);
    }
    for (MethodName target : targets) {
      Body called = bodies.of(target);
      if (!called.isKnown()) {
        pointees.add(declared);
        continue;
      }
      for (AbstractInsnNode each : called.instructions()) {
        if (each.getOpcode() == ARETURN) {
          add(called, called.operand(each, 0), depth + 1, path, pointees);
        }
      }
    }
    path.remove(here);
  }

  /** The methods with code that a call can run; none where one may be outside the program. */
  private List<MethodName> targets(MethodInsnNode call) {
    if (hierarchy.type(call.owner).isEmpty()) {
      return List.of();
    }
    List<MethodName> targets = new ArrayList<>();
    for (String at = call.owner; at != null; at = hierarchy.superName(at)) {
      MethodName inherited = new MethodName(at, call.name, call.desc);
      if (hierarchy.method(inherited).isPresent()) {
        if (!hierarchy.method(inherited).get().has(ACC_ABSTRACT)) {
          targets.add(inherited);
        }
        break;
      }
    }
    if (call.getOpcode() != INVOKESTATIC && call.getOpcode() != INVOKESPECIAL) {
      for (String below : hierarchy.subtree(call.owner)) {
        for (String at = below;
            at != null && !at.equals(call.owner);
            at = hierarchy.superName(at)) {
          MethodName override = new MethodName(at, call.name, call.desc);
          Optional<ClassFile.Method> method = hierarchy.method(override);
          if (method.isPresent()
              && !method.get().has(ACC_ABSTRACT)
              && !targets.contains(override)) {
            targets.add(override);
          }
        }
      }
    }
    boolean isNative =
        targets.stream().anyMatch(name -> hierarchy.method(name).orElseThrow().has(ACC_NATIVE));
    return isNative || uses.mayBeLambda(call.owner) ? List.of() : targets;
  }
}
