package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.FieldName;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.JdkResults.Place;
import io.github.vtdiag.safety.JdkResults.Result;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The elements of a JDK collection that only one field has. The collection is created empty for the
 * field and never leaves it, so everything that is put into it is known.
 */
final class OwnCollections {
  /** The methods that return an element. */
  private static final Set<String> GIVE =
      Set.of(
          "get",
          "getOrDefault",
          "put",
          "putIfAbsent",
          "computeIfAbsent",
          "computeIfPresent",
          "compute",
          "merge",
          "replace",
          "remove",
          "set",
          "peek",
          "poll",
          "pop",
          "element",
          "take",
          "getAndSet",
          "getFirst",
          "getLast");

  /** The methods that store their arguments, and the results of functions among them. */
  private static final Set<String> TAKE =
      Set.of(
          "put",
          "putIfAbsent",
          "getOrDefault",
          "computeIfAbsent",
          "computeIfPresent",
          "compute",
          "merge",
          "replace",
          "add",
          "addFirst",
          "addLast",
          "offer",
          "offerFirst",
          "offerLast",
          "push",
          "set",
          "compareAndSet",
          "getAndSet");

  /**
   * The methods that do not store their arguments, and return nothing through which something can
   * be stored.
   */
  private static final Set<String> ASK =
      Set.of(
          "get",
          "remove",
          "contains",
          "containsKey",
          "containsValue",
          "indexOf",
          "equals",
          "size",
          "isEmpty",
          "clear",
          "keySet",
          "values",
          "iterator",
          "forEach",
          "removeIf",
          "hashCode",
          "toString",
          "peek",
          "poll",
          "pop",
          "element",
          "take",
          "getFirst",
          "getLast",
          "wait",
          "notify",
          "notifyAll");

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final ForeignCallers foreign;
  private final Map<FieldName, Optional<Result>> known = new HashMap<>();

  OwnCollections(TypeHierarchy hierarchy, UseIndex uses, Bodies bodies, ForeignCallers foreign) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
    this.foreign = foreign;
  }

  /**
   * Returns the sources of the element that a call on a collection returns; empty if others may
   * have the collection.
   */
  Optional<Result> element(Body body, MethodInsnNode call) {
    if (!GIVE.contains(call.name)
        || call.getOpcode() == INVOKESTATIC
        || !Type.getReturnType(call.desc).getInternalName().equals(TypeHierarchy.OBJECT)) {
      return Optional.empty();
    }
    Set<Pointee> pointees = new LinkedHashSet<>();
    List<Place> places = new ArrayList<>();
    Set<Origin> receivers = body.arguments(call).getFirst().all();
    for (Origin receiver : receivers) {
      Optional<Result> held =
          receiver.instruction() instanceof FieldInsnNode read
              ? hierarchy.field(read.owner, read.name).flatMap(this::held)
              : Optional.empty();
      if (held.isEmpty()) {
        return Optional.empty();
      }
      pointees.addAll(held.get().pointees());
      places.addAll(held.get().places());
    }
    return receivers.isEmpty()
        ? Optional.empty()
        : Optional.of(new Result(pointees, places, List.of()));
  }

  private Optional<Result> held(Field field) {
    Optional<Result> held = known.get(field.name());
    if (held == null) {
      held = foreign.isOpen(field.access()) || field.annotated() ? Optional.empty() : find(field);
      known.put(field.name(), held);
    }
    return held;
  }

  private Optional<Result> find(Field field) {
    Set<Pointee> pointees = new LinkedHashSet<>();
    List<Place> places = new ArrayList<>();
    boolean isMade = false;
    for (MethodName user : uses.fieldUsers(field.name())) {
      Body body = bodies.of(user);
      if (!body.isKnown()) {
        return Optional.empty();
      }
      for (AbstractInsnNode each : body.instructions()) {
        if (!(each instanceof FieldInsnNode access)
            || !access.name.equals(field.name().name())
            || hierarchy.field(access.owner, access.name).filter(field::equals).isEmpty()) {
          continue;
        }
        List<AbstractInsnNode> sources = new ArrayList<>();
        if (access.getOpcode() == PUTFIELD || access.getOpcode() == PUTSTATIC) {
          for (Origin origin : body.operand(access, 0).all()) {
            if (origin.instruction() == null
                || origin.instruction().getOpcode() != NEW
                || !origin.type().startsWith("java/util/")
                || hierarchy.type(origin.type()).isPresent()) {
              return Optional.empty();
            }
            sources.add(origin.instruction());
            isMade = true;
          }
        } else {
          sources.add(access);
        }
        for (AbstractInsnNode source : sources) {
          for (AbstractInsnNode use : body.instructions()) {
            if (!use.equals(access) && !isFine(body, use, source, field, pointees, places)) {
              return Optional.empty();
            }
          }
        }
      }
    }
    return isMade ? Optional.of(new Result(pointees, places, List.of())) : Optional.empty();
  }

  /**
   * Notes what an instruction puts into the collection; returns false if others may do so
   * afterwards.
   */
  private boolean isFine(
      Body body,
      AbstractInsnNode use,
      AbstractInsnNode collection,
      Field field,
      Set<Pointee> pointees,
      List<Place> places) {
    if (use instanceof FieldInsnNode put
        && (put.getOpcode() == PUTFIELD || put.getOpcode() == PUTSTATIC)
        && hierarchy.field(put.owner, put.name).filter(field::equals).isPresent()) {
      return true;
    }
    if (!(use instanceof MethodInsnNode call)
        || call.getOpcode() == INVOKESTATIC
        || !body.arguments(call).getFirst().isFrom(collection)) {
      return !Uses.mayLeak(body, use, collection);
    }
    List<Origins> arguments = body.arguments(call);
    List<Origins> given = arguments.subList(1, arguments.size());
    if (hierarchy.type(call.owner).isPresent()
        || given.stream().anyMatch(argument -> argument.isFrom(collection))) {
      return false;
    }
    if (call.name.equals("<init>")) {
      for (Type type : Type.getArgumentTypes(call.desc)) {
        if (type.getSort() >= Type.ARRAY && !type.getClassName().equals("java.util.Comparator")) {
          return false;
        }
      }
      return true;
    }
    if (TAKE.contains(call.name)) {
      for (Origins argument : given) {
        if (!addGiven(body, argument, pointees, places)) {
          return false;
        }
      }
      return true;
    }
    return ASK.contains(call.name);
  }

  /** Notes an argument, or the results of an argument that is a function. */
  private boolean addGiven(Body body, Origins argument, Set<Pointee> pointees, List<Place> places) {
    for (Origin origin : argument.all()) {
      if (origin.instruction() instanceof InvokeDynamicInsnNode lambda) {
        if (lambda.bsmArgs.length < 2
            || !(lambda.bsmArgs[1] instanceof Handle handle)
            || !addReturned(handle, pointees, places)) {
          return false;
        }
      } else if (origin.type().startsWith("java/util/function/")) {
        return false;
      }
    }
    places.add(new Place(body, argument));
    return true;
  }

  private boolean addReturned(Handle handle, Set<Pointee> pointees, List<Place> places) {
    if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
      pointees.add(new Pointee.Exactly(handle.getOwner()));
      return true;
    }
    MethodName name = new MethodName(handle.getOwner(), handle.getName(), handle.getDesc());
    if (handle.getTag() != Opcodes.H_INVOKESTATIC || hierarchy.method(name).isEmpty()) {
      return false;
    }
    Body lambda = bodies.of(name);
    if (!lambda.isKnown()) {
      return false;
    }
    lambda.returned().forEach(returned -> places.add(new Place(lambda, returned)));
    return true;
  }
}
