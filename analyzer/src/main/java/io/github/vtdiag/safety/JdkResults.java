package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The results of calls whose code is not followed, where more is known than the declared type. Such
 * results are the lock of a class loader and the elements of a collection that no other code has.
 * Others are an attribute under a name of its own, and a field that is read by reflection.
 */
final class JdkResults {
  private static final String LOADING_LOCK = "getClassLoadingLock";
  private static final String CLASS_LOADER = "java/lang/ClassLoader";

  /**
   * The methods that use an attribute of a session or an entry of a map; the name is the first
   * argument.
   */
  private static final Set<String> WITH_KEY =
      Set.of(
          "getAttribute", "setAttribute", "removeAttribute", "get", "put", "remove", "containsKey");

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final CallTargets calls;
  private final ForeignCallers foreign;
  private final OwnCollections collections;

  /** An expression that gives the object. */
  record Place(Body body, Origins origins) {}

  /** The sources of a call's result: all of these. */
  record Result(Set<Pointee> pointees, List<Place> places, List<Field> fields) {}

  JdkResults(
      TypeHierarchy hierarchy,
      UseIndex uses,
      Bodies bodies,
      CallTargets calls,
      ForeignCallers foreign) {
    this.calls = calls;
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
    this.foreign = foreign;
    this.collections = new OwnCollections(hierarchy, uses, bodies, foreign);
  }

  /** Returns the sources of a call's result; empty if nothing is known. */
  Optional<Result> of(Body body, MethodInsnNode call) {
    if (isLoadingLock(body, call)) {
      return loadingLock();
    }
    if (call.owner.equals("java/util/Objects") && call.name.startsWith("requireNonNull")) {
      List<Place> places = new ArrayList<>();
      int last = call.name.equals("requireNonNullElse") ? 1 : 0;
      for (int i = 0; i <= last; i++) {
        places.add(new Place(body, body.arguments(call).get(i)));
      }
      return call.name.equals("requireNonNullElseGet")
          ? Optional.empty()
          : Optional.of(new Result(Set.of(), places, List.of()));
    }
    if (call.owner.equals("java/lang/reflect/Field") && call.name.equals("get")) {
      return readField(body, call);
    }
    Optional<Result> attribute = attribute(body, call);
    return attribute.isPresent() || hierarchy.type(call.owner).isPresent()
        ? attribute
        : collections.element(body, call);
  }

  /**
   * Returns whether the call asks a class loader what to lock. It calls the method itself, or by
   * reflection in a method of the same name, whose class has that name as a string.
   */
  private boolean isLoadingLock(Body body, MethodInsnNode call) {
    if (call.name.equals(LOADING_LOCK)) {
      return call.desc.equals("(Ljava/lang/String;)Ljava/lang/Object;")
          && hierarchy.isSubtype(call.owner, CLASS_LOADER);
    }
    return body.method.name().equals(LOADING_LOCK)
        && Set.of("java/lang/reflect/Method", "java/lang/invoke/MethodHandle").contains(call.owner)
        && call.name.startsWith("invoke")
        && uses.stringLoaders(LOADING_LOCK).stream()
            .anyMatch(loader -> outermost(loader.owner()).equals(outermost(body.method.owner())));
  }

  /** Returns the loader itself, or the object that it makes for each name. */
  private Optional<Result> loadingLock() {
    List<Place> places = new ArrayList<>();
    for (String loader : hierarchy.subtree(CLASS_LOADER)) {
      MethodName override =
          new MethodName(loader, LOADING_LOCK, "(Ljava/lang/String;)Ljava/lang/Object;");
      if (hierarchy.method(override).isPresent()) {
        Body body = bodies.of(override);
        if (!body.isKnown()) {
          return Optional.empty();
        }
        body.returned().forEach(returned -> places.add(new Place(body, returned)));
      }
    }
    return Optional.of(
        new Result(
            Set.of(new Pointee.AtMost(CLASS_LOADER), new Pointee.Exactly(TypeHierarchy.OBJECT)),
            places,
            List.of()));
  }

  private static String outermost(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  /**
   * Follows an attribute whose name is only in one constant, if that is used only to get and set
   * it. Then everything put under this name is known.
   */
  private Optional<Result> attribute(Body body, MethodInsnNode call) {
    if (!Set.of("getAttribute", "get").contains(call.name)
        || !Type.getReturnType(call.desc).getInternalName().equals(TypeHierarchy.OBJECT)
        || Type.getArgumentCount(call.desc) == 0) {
      return Optional.empty();
    }
    Set<Origin> keys = body.arguments(call).get(1).all();
    if (keys.size() != 1
        || call.getOpcode() == INVOKESTATIC
        || !(keys.iterator().next().instruction() instanceof FieldInsnNode read)
        || read.getOpcode() != GETSTATIC) {
      return Optional.empty();
    }
    Optional<Field> key = hierarchy.field(read.owner, read.name);
    if (key.isEmpty()
        || !key.get().has(ACC_FINAL)
        || !key.get().has(ACC_STATIC)
        || !key.get().descriptor().equals("Ljava/lang/String;")
        || foreign.isOpen(key.get().access())) {
      return Optional.empty();
    }
    List<Place> put = new ArrayList<>();
    if (uses.mayBeLambda(call.owner)) {
      return Optional.empty();
    }
    // A library and the JDK return the stored object; an application's method is followed.
    for (MethodName target : calls.of(call).methods()) {
      if (!(hierarchy.type(target.owner()).orElseThrow().owner() instanceof Owner.Library)) {
        Body own = bodies.of(target);
        if (!own.isKnown()) {
          return Optional.empty();
        }
        own.returned().forEach(returned -> put.add(new Place(own, returned)));
      }
    }
    for (MethodName user : uses.fieldUsers(key.get().name())) {
      if (!addPuts(bodies.of(user), key.get(), put)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Result(Set.of(), put, List.of()));
  }

  /** Adds the values stored under a key; returns false if the key has other uses. */
  private boolean addPuts(Body body, Field key, List<Place> put) {
    if (!body.isKnown()) {
      return false;
    }
    for (AbstractInsnNode each : body.instructions()) {
      if (!(each instanceof FieldInsnNode read)
          || read.getOpcode() != GETSTATIC
          || !read.name.equals(key.name().name())
          || hierarchy.field(read.owner, read.name).filter(key::equals).isEmpty()) {
        continue;
      }
      int asKey = 0;
      for (AbstractInsnNode use : body.instructions()) {
        if (use instanceof MethodInsnNode call
            && WITH_KEY.contains(call.name)
            && call.getOpcode() != INVOKESTATIC
            && Type.getArgumentCount(call.desc) > 0
            && body.arguments(call).get(1).isFrom(read)) {
          List<Origins> arguments = body.arguments(call);
          if (arguments.stream().filter(argument -> argument.isFrom(read)).count() > 1) {
            return false;
          }
          arguments.subList(2, arguments.size()).forEach(value -> put.add(new Place(body, value)));
          asKey++;
        } else if (Uses.mayLeak(body, use, read)) {
          return false;
        }
      }
      if (asKey == 0) {
        return false;
      }
    }
    return true;
  }

  /** Follows a field that is looked up in the same method, by a name that is a constant there. */
  private Optional<Result> readField(Body body, MethodInsnNode call) {
    Set<Pointee> pointees = new LinkedHashSet<>();
    List<Field> fields = new ArrayList<>();
    for (Origin origin : body.arguments(call).getFirst().all()) {
      if (!(origin.instruction() instanceof MethodInsnNode lookup)
          || !lookup.owner.equals("java/lang/Class")
          || !lookup.name.equals("getDeclaredField")) {
        return Optional.empty();
      }
      Optional<String> name = constant(body.arguments(lookup).get(1));
      if (name.isEmpty()) {
        return Optional.empty();
      }
      Optional<Set<String>> types = types(body, body.arguments(lookup).getFirst());
      if (types.isEmpty()) {
        return Optional.empty();
      }
      Map<String, Field> declared = uses.fields(name.get());
      boolean isFound = false;
      for (String type : types.get()) {
        if (declared.containsKey(type)) {
          fields.add(declared.get(type));
          isFound = true;
        } else if (hierarchy.jdkFields(type).containsKey(name.get())) {
          hierarchy
              .jdkFields(type)
              .get(name.get())
              .ifPresent(of -> pointees.add(new Pointee.AtMost(of)));
          isFound = true;
        }
      }
      if (!isFound) {
        return Optional.empty();
      }
    }
    return Optional.of(new Result(pointees, List.of(), fields));
  }

  private static Optional<String> constant(Origins origins) {
    return origins.all().size() == 1
            && origins.all().iterator().next().instruction() instanceof LdcInsnNode ldc
            && ldc.cst instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }

  /** Returns the classes, of the program and of the JDK, that a {@code Class} can be. */
  private Optional<Set<String>> types(Body body, Origins origins) {
    Set<String> types = new LinkedHashSet<>();
    for (Origin origin : origins.all()) {
      if (origin.instruction() instanceof LdcInsnNode ldc
          && ldc.cst instanceof Type type
          && type.getSort() == Type.OBJECT) {
        types.add(type.getInternalName());
      } else if (origin.instruction() instanceof MethodInsnNode call
          && call.owner.equals("java/lang/Class")
          && call.name.equals("forName")
          && constant(body.arguments(call).getFirst()).isPresent()) {
        types.add(constant(body.arguments(call).getFirst()).get().replace('.', '/'));
      } else if (origin.instruction() instanceof MethodInsnNode call
          && call.name.equals("getClass")
          && call.desc.equals("()Ljava/lang/Class;")) {
        for (Origin receiver : body.operand(call, 0).all()) {
          types.addAll(hierarchy.subtree(receiver.type()));
          if (hierarchy.type(receiver.type()).isEmpty()) {
            types.addAll(named(body.method.owner(), receiver.type()));
          }
        }
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(types);
  }

  /**
   * Finds the JDK's subclasses of a class that the strings in another class name, or begin to name.
   */
  private Set<String> named(String owner, String above) {
    Set<String> named = new LinkedHashSet<>();
    for (Method method : hierarchy.type(owner).orElseThrow().methods().values()) {
      for (AbstractInsnNode each : bodies.of(method.name()).code()) {
        if (each instanceof LdcInsnNode ldc && ldc.cst instanceof String text) {
          // Often a string is only the beginning of the name that code looks for.
          String beginning = text.startsWith("java.") ? text.replace('.', '/') : "";
          hierarchy.jdkClassesFrom(beginning).stream()
              .filter(type -> hierarchy.isSubtype(type, above))
              .forEach(named::add);
        }
      }
    }
    return named;
  }
}
