package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.MULTIANEWARRAY;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Follows an object backwards through the program: a parameter to the arguments of its callers, a
 * field to the values put into it, a call to the values returned. It is used only if the type alone
 * says too little: an {@code Object} may be anything. A method that no code can call passes nothing
 * on.
 */
final class PointsTo {
  /**
   * The most places that are followed, so that the search ends; beyond it only the declared type is
   * known.
   */
  private static final int MAX_PLACES = 4_000;

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final CallTargets calls;
  private final ForeignCallers foreign;
  private final JdkResults jdk;
  private final JdkLockFields jdkFields;
  private final Proxies proxies;

  /** The known contents of fields, by what tells them apart. */
  private final Map<Object, Set<Pointee>> known = new HashMap<>();

  PointsTo(Program program, Bodies bodies, Assumptions assumptions) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.calls = new CallTargets(hierarchy, uses);
    this.foreign = new ForeignCallers(hierarchy, uses, assumptions.clients());
    this.jdk = new JdkResults(hierarchy, uses, bodies, calls, foreign);
    this.jdkFields =
        new JdkLockFields(
            hierarchy, uses, bodies, assumptions.clients() != Assumptions.Clients.UNSEEN);
    this.proxies = new Proxies(hierarchy, uses, bodies, this::of);
  }

  /** Returns everything that the object can be. */
  Set<Pointee> of(Body body, Origins origins) {
    Set<Pointee> pointees = new LinkedHashSet<>();
    for (Origin origin : origins.all()) {
      if (origin.instruction() instanceof FieldInsnNode field) {
        List<String> name = List.of(field.owner, field.name, origin.type());
        Set<Pointee> found = known.get(name);
        if (found == null) {
          found = new Search(body, origin).found();
          known.put(name, found);
        }
        pointees.addAll(found);
      } else {
        pointees.addAll(new Search(body, origin).found());
      }
    }
    return pointees;
  }

  /** Returns the instruction that reads the field: itself, or in the accessor that it calls. */
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

  private static boolean isCreation(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case NEW, NEWARRAY, ANEWARRAY, MULTIANEWARRAY -> true;
      default -> false;
    };
  }

  /**
   * Returns whether an object of that type can be one of many classes of the program, or a Class.
   */
  private boolean saysTooLittle(String type) {
    if (type.equals(TypeHierarchy.OBJECT) || hierarchy.isSubtype("java/lang/Class", type)) {
      return true;
    }
    return hierarchy.isInterface(type)
        || (hierarchy.type(type).isEmpty() && !hierarchy.subclasses(type).isEmpty());
  }

  /** One search: everything that one origin can be. */
  private final class Search {
    private final Set<Pointee> found = new LinkedHashSet<>();
    private final Set<Object> seen = new HashSet<>();
    private final Deque<Runnable> next = new ArrayDeque<>();
    private final String asked;

    /** True if superclasses of the classes that were found are meant, too. */
    private boolean ofSuperclasses;

    Search(Body body, Origin origin) {
      this.asked = origin.type();
      follow(body, origin, asked);
    }

    Set<Pointee> found() {
      Pointee anything = new Pointee.AtMost(asked);
      // Once it can be anything, the rest of the search adds nothing.
      while (!next.isEmpty() && !found.contains(anything)) {
        if (seen.size() > MAX_PLACES) {
          return Set.of(anything);
        }
        next.removeFirst().run();
      }
      if (ofSuperclasses) {
        found.addAll(Pointee.superclasses(found, hierarchy));
      }
      return found;
    }

    /** Follows a place later, and once, if its objects pass as instances of a type. */
    private void later(Object place, String bound, Runnable run) {
      if (seen.add(List.of(place, bound))) {
        next.add(run);
      }
    }

    private void add(Pointee pointee, String bound) {
      narrow(pointee, bound).ifPresent(found::add);
    }

    /** Narrows a pointee where a cast or a declaration lets only one type through. */
    private Optional<Pointee> narrow(Pointee pointee, String type) {
      return switch (pointee) {
        case Pointee.Exactly exactly ->
            hierarchy.isSubtype(exactly.type(), type) ? Optional.of(pointee) : Optional.empty();
        case Pointee.AtMost most ->
            Optional.of(
                hierarchy.isSubtype(most.type(), type) ? pointee : new Pointee.AtMost(type));
        case Pointee.ClassLiteral literal -> onlyIfClass(pointee, type);
        case Pointee.ClassOf of -> onlyIfClass(pointee, type);
      };
    }

    private Optional<Pointee> onlyIfClass(Pointee pointee, String type) {
      return hierarchy.isSubtype("java/lang/Class", type) ? Optional.of(pointee) : Optional.empty();
    }

    private void follow(Body body, Origins origins, String bound) {
      for (Origin origin : origins.all()) {
        follow(body, origin, bound);
      }
    }

    private void follow(JdkResults.Result result, String bound) {
      result.pointees().forEach(each -> add(each, bound));
      result.places().forEach(place -> follow(place.body(), place.origins(), bound));
      result.fields().forEach(each -> field(each, bound));
    }

    private void follow(Body body, Origin origin, String above) {
      AbstractInsnNode from = origin.instruction();
      String bound = hierarchy.isSubtype(above, origin.type()) ? above : origin.type();
      if (!bound.equals(above) && !hierarchy.isSubtype(bound, above)) {
        bound = above; // Neither says more: one of them is an interface.
      }
      if (from != null && isCreation(from)) {
        add(new Pointee.Exactly(origin.type()), bound);
      } else if (from instanceof LdcInsnNode ldc) {
        add(
            ldc.cst instanceof Type type && type.getSort() != Type.METHOD
                ? new Pointee.ClassLiteral(type.getInternalName())
                : new Pointee.Exactly(origin.type()),
            bound);
      } else if (!saysTooLittle(bound)) {
        add(new Pointee.AtMost(bound), bound);
      } else if (origin.isParameter()) {
        parameter(body, origin.slot(), bound);
      } else if (from != null && fieldRead(from).isPresent()) {
        FieldInsnNode read = fieldRead(from).get();
        Optional<Field> field = hierarchy.field(read.owner, read.name);
        if (field.isPresent()) {
          field(field.get(), bound);
        } else if (!neverRuns(body, read.owner)) {
          jdkField(read, bound);
        }
      } else if (from instanceof MethodInsnNode call) {
        result(body, call, bound);
      } else {
        add(new Pointee.AtMost(bound), bound);
      }
    }

    private void parameter(Body body, int slot, String bound) {
      MethodName method = body.method;
      later(
          List.of(method, slot),
          bound,
          () -> {
            boolean isReceiver = slot == 0 && !body.isStatic(); // of an interface
            if (isReceiver
                || method.name().equals("main")
                || hierarchy.overridesJdkMethod(method)
                || foreign.isOpen(hierarchy.method(method).orElseThrow().access())) {
              add(new Pointee.AtMost(bound), bound);
            } else {
              arguments(method, body.position(slot), bound);
            }
          });
    }

    private void arguments(MethodName method, int position, String bound) {
      boolean isCalled = false;
      for (MethodName name : uses.callers(method.signature())) {
        Body caller = bodies.of(name);
        if (!caller.isKnown()) {
          isCalled = true;
          add(new Pointee.AtMost(bound), bound);
          continue;
        }
        for (AbstractInsnNode each : caller.instructions()) {
          if (each instanceof MethodInsnNode call && calls.mayRun(call, method)) {
            isCalled = true;
            follow(caller, caller.arguments(call).get(position), bound);
          } else if (each instanceof InvokeDynamicInsnNode lambda
              && Arrays.stream(lambda.bsmArgs).anyMatch(of -> calls.refersTo(of, method))) {
            isCalled = true;
            List<Origins> captured = caller.arguments(lambda, lambda.desc, false);
            if (position < captured.size()) {
              follow(caller, captured.get(position), bound);
            } else {
              add(new Pointee.AtMost(bound), bound);
            }
          } else if (each instanceof LdcInsnNode ldc && calls.refersTo(ldc.cst, method)) {
            isCalled = true;
            add(new Pointee.AtMost(bound), bound);
          }
        }
      }
      if (!isCalled && foreign.mayCall(method)) {
        add(new Pointee.AtMost(bound), bound);
      }
    }

    private void jdkField(FieldInsnNode read, String bound) {
      jdkFields
          .of(read)
          .ifPresentOrElse(
              contents -> later(read.owner, bound, () -> follow(contents, bound)),
              () -> add(new Pointee.AtMost(bound), bound));
    }

    private void field(Field field, String bound) {
      later(
          field.name(),
          bound,
          () -> {
            boolean isPut = false;
            for (MethodName user : uses.fieldUsers(field.name())) {
              Body body = bodies.of(user);
              if (!body.isKnown()) {
                isPut = true;
                add(new Pointee.AtMost(bound), bound);
                continue;
              }
              for (AbstractInsnNode each : body.instructions()) {
                if (each instanceof FieldInsnNode put && Body.sets(put, field, hierarchy)) {
                  isPut |= !body.operand(put, 0).all().isEmpty();
                  follow(body, body.operand(put, 0), bound);
                }
              }
            }
            if (!isPut || foreign.maySet(field)) {
              add(new Pointee.AtMost(bound), bound); // Set by reflection, or from outside.
            }
          });
    }

    /** Returns whether an instruction needs a class that is missing, or whose superclass is. */
    private boolean neverRuns(Body body, String owner) {
      if (foreign.mayRunWithout(hierarchy.type(body.method.owner()).orElseThrow())) {
        return false;
      }
      for (String at = owner; at != null && !at.startsWith("["); at = hierarchy.superName(at)) {
        if (!hierarchy.isKnown(at)) {
          return true;
        }
      }
      return false;
    }

    private void result(Body body, MethodInsnNode call, String bound) {
      if (call.name.equals("getClass") && call.desc.equals("()Ljava/lang/Class;")) {
        for (Origin receiver : body.operand(call, 0).all()) {
          add(new Pointee.ClassOf(receiver.type()), bound);
        }
        return;
      }
      if (call.owner.equals("java/lang/Class") && call.name.equals("getSuperclass")) {
        ofSuperclasses = true;
        later(
            List.of(body.method, body.index(call)),
            bound,
            () -> follow(body, body.operand(call, 0), bound));
        return;
      }
      if (neverRuns(body, call.owner)) {
        return;
      }
      Optional<JdkResults.Result> summary = jdk.of(body, call);
      if (summary.isPresent()) {
        later(List.of(body.method, body.index(call)), bound, () -> follow(summary.get(), bound));
        return;
      }
      if (hierarchy.type(call.owner).isEmpty()) {
        add(new Pointee.AtMost(bound), bound);
        return;
      }
      CallTargets.Targets targets = calls.of(call);
      if (targets.outside() || proxies.mayBeOne(call.owner)) {
        add(new Pointee.AtMost(bound), bound);
        return;
      }
      for (MethodName target : targets.methods()) {
        if (call.getOpcode() == INVOKESTATIC && givesArgumentsBack(target)) {
          later(
              List.of(body.method, body.index(call), target),
              bound,
              () -> {
                Body called = bodies.of(target);
                for (Origin origin : returned(called)) {
                  int position = called.position(origin.slot());
                  follow(body, body.arguments(call).get(position), bound);
                }
              });
        } else {
          later(target, bound, () -> returned(target, bound));
        }
      }
    }

    private void returned(MethodName target, String bound) {
      Body called = bodies.of(target);
      if (!called.isKnown()) {
        add(new Pointee.AtMost(bound), bound);
      }
      called.returned().forEach(returned -> follow(called, returned, bound));
    }

    /** Returns whether a method returns only arguments of the same call. */
    private boolean givesArgumentsBack(MethodName method) {
      Body body = bodies.of(method);
      return body.isKnown() && returned(body).stream().allMatch(Origin::isParameter);
    }

    private Set<Origin> returned(Body body) {
      Set<Origin> returned = new LinkedHashSet<>();
      body.returned().forEach(each -> returned.addAll(each.all()));
      return returned;
    }
  }
}
