package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Code that finds fields by reflection. Code that finds the locked field may lock its object, or
 * expects its type. Code that finds all fields of a class may copy, compare or count a new one.
 */
final class ReflectedFields {
  private static final String CLASS = "java/lang/Class";
  private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
  private static final int NONE = -1;

  /**
   * A method that finds fields.
   *
   * @param type the position of the class, among receiver and arguments
   * @param name that of the field's name; {@link #NONE} if it finds all
   */
  private record Finder(String owner, String name, String descriptor, int type, int field) {
    String signature() {
      return name + descriptor;
    }
  }

  private static final List<Finder> FINDERS = finders();

  /**
   * A call of such a method, or a reference to it.
   *
   * @param classes gives the class objects that are searched, and is asked only about a field that
   *     may be found: to follow them back takes most of the time of a decision
   * @param field the name of the field; empty if it is no constant
   */
  private record Lookup(
      ClassFile user,
      MethodName method,
      int line,
      Supplier<Set<Pointee>> classes,
      Optional<String> field) {
    private static final Optional<String> ALL = Optional.of("");

    /** Returns whether it finds all fields of a class. */
    boolean findsAll() {
      return field.equals(ALL);
    }
  }

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private final IdentityHashMap<Lookup, Set<Pointee>> types = new IdentityHashMap<>();
  private List<Lookup> lookups;

  ReflectedFields(TypeHierarchy hierarchy, UseIndex uses, Bodies bodies, PointsTo pointsTo) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
    this.pointsTo = pointsTo;
  }

  private static List<Finder> finders() {
    String field = "Ljava/lang/reflect/Field;";
    List<Finder> finders = new ArrayList<>();
    for (String name : List.of("getDeclaredField", "getField")) {
      finders.add(new Finder(CLASS, name, "(Ljava/lang/String;)" + field, 0, 1));
      finders.add(new Finder(CLASS, name + "s", "()[" + field, 0, NONE));
    }
    String named = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/";
    for (String name :
        List.of("findGetter", "findSetter", "findStaticGetter", "findStaticSetter")) {
      finders.add(new Finder(LOOKUP, name, named + "MethodHandle;", 1, 2));
    }
    for (String name : List.of("findVarHandle", "findStaticVarHandle")) {
      finders.add(new Finder(LOOKUP, name, named + "VarHandle;", 1, 2));
    }
    String updater = "java/util/concurrent/atomic/AtomicReferenceFieldUpdater";
    finders.add(
        new Finder(
            updater,
            "newUpdater",
            "(Ljava/lang/Class;Ljava/lang/Class;Ljava/lang/String;)L" + updater + ";",
            0,
            2));
    finders.add(
        new Finder(
            "jdk/internal/misc/Unsafe",
            "objectFieldOffset",
            "(Ljava/lang/Class;Ljava/lang/String;)J",
            1,
            2));
    return List.copyOf(finders);
  }

  static Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    return switch (lock) {
      case LockGroup.Instances of -> program.reflected().refuse(of.top(), null, program);
      case LockGroup.ClassObject of -> program.reflected().refuse(of.type(), null, program);
      case LockGroup.OfField of ->
          program.reflected().refuse(of.field().name().owner(), of.field().name().name(), program);
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  /**
   * @param owner the class that has the lock's field
   * @param field the field that is locked; null if there is none
   */
  private Optional<Refusal> refuse(String owner, String field, WholeProgram program) {
    Set<String> tree = hierarchy.subtree(owner);
    for (Lookup each : lookups()) {
      if (each.findsAll() ? mayFindAll(each, owner, tree, program) : mayFind(each, owner, field)) {
        boolean isOne = types(each).stream().anyMatch(of -> mayBe(of, tree, program));
        if (isOne) {
          return Refusal.of(
              RefusalReason.REFLECTION,
              ShortNames.where(each.method(), each.line())
                  + (each.findsAll()
                      ? " may find all fields of "
                          + ShortNames.simple(owner)
                          + " by reflection, a new lock among them"
                      : " may find the field "
                          + ShortNames.simple(owner)
                          + "."
                          + field
                          + " by reflection and lock what it holds"));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a call may find all fields of the class. The list of field readers covers
   * libraries that take any class they are given.
   */
  private boolean mayFindAll(Lookup lookup, String owner, Set<String> tree, WholeProgram program) {
    return mayKnowFieldsOf(owner, lookup.user())
        || types(lookup).stream().anyMatch(of -> isOneClass(of) && mayBe(of, tree, program));
  }

  /** Returns whether code names a class of some, as a literal or as that of an object. */
  boolean namesOneOf(Set<String> classes, Body body, Origins type, WholeProgram program) {
    return types(body, type, new HashSet<>()).stream()
        .anyMatch(of -> isOneClass(of) && mayBe(of, classes, program));
  }

  private static boolean isOneClass(Pointee pointee) {
    return switch (pointee) {
      case Pointee.ClassLiteral literal -> true;
      case Pointee.ClassOf of -> !of.type().equals(TypeHierarchy.OBJECT);
      case Pointee.Exactly exactly -> false;
      case Pointee.AtMost most -> false;
    };
  }

  /**
   * Returns whether a call may find the field. A name that only a library knows must come from a
   * string in code that means this field.
   */
  private boolean mayFind(Lookup lookup, String owner, String field) {
    if (field == null) {
      return false;
    }
    return lookup.field().isPresent()
        ? lookup.field().get().equals(field)
        : mayKnowFieldsOf(owner, lookup.user())
            || uses.stringLoaders(field).stream()
                .map(loader -> hierarchy.type(loader.owner()).orElseThrow())
                .anyMatch(user -> mayMeanFieldOf(owner, user));
  }

  /**
   * Returns whether code can know by itself which fields a class has: that of the application, and
   * of the same jar. Other code in the jar of a whole program is a library, even if nothing tells
   * which.
   */
  private boolean mayKnowFieldsOf(String owner, ClassFile user) {
    return user.owner() instanceof Owner.Application || isOfOwner(owner, user);
  }

  private boolean mayMeanFieldOf(String owner, ClassFile user) {
    return !(user.owner() instanceof Owner.Library) || isOfOwner(owner, user);
  }

  private boolean isOfOwner(String owner, ClassFile user) {
    return user.owner().equals(hierarchy.type(owner).orElseThrow().owner());
  }

  private static boolean mayBe(Pointee type, Set<String> tree, WholeProgram program) {
    return tree.stream().anyMatch(each -> program.aliasing().mayBeClassObject(type, each));
  }

  private synchronized Set<Pointee> types(Lookup lookup) {
    return types.computeIfAbsent(lookup, of -> of.classes().get());
  }

  private synchronized List<Lookup> lookups() {
    if (lookups == null) {
      lookups = new ArrayList<>();
      for (Finder finder : FINDERS) {
        for (MethodName caller : uses.callers(finder.signature())) {
          ClassFile user = hierarchy.type(caller.owner()).orElseThrow();
          Body body = bodies.of(caller);
          if (!body.isKnown()) {
            lookups.add(
                new Lookup(user, caller, -1, ReflectedFields::anyClass, name(finder, null, null)));
          }
          for (AbstractInsnNode each : body.instructions()) {
            if (isCall(each, finder)) {
              lookups.add(lookup(user, body, (MethodInsnNode) each, finder));
            } else if (isReference(each, finder)) {
              lookups.add(
                  new Lookup(
                      user,
                      caller,
                      body.line(each),
                      ReflectedFields::anyClass,
                      name(finder, null, null)));
            }
          }
        }
      }
      findTransientReaders();
    }
    return lookups;
  }

  /** Finds calls that tell a library to read transient fields, too, such as a new lock. */
  private void findTransientReaders() {
    for (TransientReader reader : TransientReader.ALL) {
      for (MethodName caller : uses.callers(reader.signature())) {
        ClassFile user = hierarchy.type(caller.owner()).orElseThrow();
        if (user.owner() instanceof Owner.Library) {
          continue; // Such as the reader itself, which hands on what it was told.
        }
        Body body = bodies.of(caller);
        for (AbstractInsnNode each : body.instructions()) {
          if (each instanceof MethodInsnNode call && reader.mayReadAll(body, call)) {
            Set<Pointee> types = new LinkedHashSet<>();
            if (reader.object().isPresent()) {
              Origins object = body.arguments(call).get(reader.object().get());
              pointsTo.of(body, object).forEach(of -> types.add(classOf(of)));
            } else {
              types.addAll(anyClass());
            }
            lookups.add(new Lookup(user, caller, body.line(each), () -> types, Lookup.ALL));
          }
        }
      }
    }
  }

  private static boolean isCall(AbstractInsnNode instruction, Finder finder) {
    return instruction instanceof MethodInsnNode call
        && call.owner.equals(finder.owner())
        && finder.signature().equals(call.name + call.desc);
  }

  private static boolean isReference(AbstractInsnNode instruction, Finder finder) {
    if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      for (Object argument : dynamic.bsmArgs) {
        if (argument instanceof Handle handle
            && handle.getOwner().equals(finder.owner())
            && finder.signature().equals(handle.getName() + handle.getDesc())) {
          return true;
        }
      }
    }
    return false;
  }

  private Lookup lookup(ClassFile user, Body body, MethodInsnNode call, Finder finder) {
    MethodName method = body.method;
    int index = body.index(call);
    return new Lookup(
        user,
        method,
        body.line(call),
        () -> {
          Body again = bodies.of(method);
          MethodInsnNode here = (MethodInsnNode) again.instruction(index);
          Origins type = again.arguments(here).get(finder.type());
          return types(again, type, new HashSet<>());
        },
        name(finder, body, call));
  }

  /** Returns the name; empty if it is no constant. */
  private static Optional<String> name(Finder finder, Body body, MethodInsnNode call) {
    if (finder.field() == NONE) {
      return Lookup.ALL;
    }
    if (call == null) {
      return Optional.empty();
    }
    Set<Origin> names = body.arguments(call).get(finder.field()).all();
    return names.size() == 1
            && names.iterator().next().instruction() instanceof LdcInsnNode constant
            && constant.cst instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }

  private static Set<Pointee> anyClass() {
    return Set.of(new Pointee.AtMost(CLASS));
  }

  /** Returns the class objects that an expression can be. */
  private Set<Pointee> types(Body body, Origins origins, Set<AbstractInsnNode> seen) {
    Set<Pointee> types = new LinkedHashSet<>();
    for (Origin origin : origins.all()) {
      if (!(origin.instruction() instanceof MethodInsnNode call)) {
        types.addAll(pointsTo.of(body, Origins.of(origin)));
      } else if (call.name.equals("getClass") && call.desc.equals("()Ljava/lang/Class;")) {
        for (Pointee of : pointsTo.of(body, body.operand(call, 0))) {
          types.add(classOf(of));
        }
      } else if (call.owner.equals(CLASS) && call.name.equals("getSuperclass")) {
        if (seen.add(call)) {
          types.addAll(Pointee.superclasses(types(body, body.operand(call, 0), seen), hierarchy));
        }
      } else {
        types.addAll(named(body, call).orElseGet(() -> pointsTo.of(body, Origins.of(origin))));
      }
    }
    return types;
  }

  private static Pointee classOf(Pointee object) {
    return switch (object) {
      case Pointee.Exactly of -> new Pointee.ClassLiteral(of.type());
      case Pointee.AtMost of -> new Pointee.ClassOf(of.type());
      case Pointee.ClassLiteral of -> new Pointee.ClassLiteral(CLASS);
      case Pointee.ClassOf of -> new Pointee.ClassLiteral(CLASS);
    };
  }

  private static Optional<Set<Pointee>> named(Body body, MethodInsnNode call) {
    if (!call.owner.equals(CLASS) || !call.name.equals("forName") || !isOnString(call)) {
      return Optional.empty();
    }
    Set<Origin> names = body.arguments(call).getFirst().all();
    return names.size() == 1
            && names.iterator().next().instruction() instanceof LdcInsnNode constant
            && constant.cst instanceof String text
        ? Optional.of(Set.of(new Pointee.ClassLiteral(text.replace('.', '/'))))
        : Optional.empty();
  }

  private static boolean isOnString(MethodInsnNode call) {
    return call.getOpcode() == INVOKESTATIC
        && Type.getArgumentTypes(call.desc)[0].getInternalName().equals("java/lang/String");
  }
}
