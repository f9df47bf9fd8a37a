package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Follows an object through the constructors of its superclasses, including those of libraries and
 * the JDK. It shows where the object goes, and which methods run on it, before the fields of its
 * own class are assigned.
 */
final class EscapeOfThis {
  /**
   * The most methods that a constructor may call with its object; with more, it counts as letting
   * it out.
   */
  private static final int MAX_METHODS = 400;

  private static final Set<String> HARMLESS =
      Set.of(
          "java/lang/Object.<init>()V",
          "java/lang/Object.getClass()Ljava/lang/Class;",
          "java/lang/System.identityHashCode(Ljava/lang/Object;)I");

  /** The types whose values are never the object itself when a call returns them. */
  private static final Set<String> VALUES =
      Set.of("java/lang/String", "java/lang/Class", "java/lang/Boolean", "java/lang/Integer");

  /**
   * The fate of the object.
   *
   * @param where the place that lets it out; empty if none does
   * @param run the methods that run with it
   */
  record Result(Optional<String> where, Set<MethodName> run) {}

  /** A method, with the slots of those of its parameters that are the object or lead to it. */
  private record Call(MethodName method, Set<Integer> slots) {}

  private final TypeHierarchy hierarchy;
  private final Predicate<String> isKnownWhole;
  private final FollowedCode codes;

  // The class of the object that is followed.
  private String self;
  private final Set<MethodName> run = new LinkedHashSet<>();
  private final Set<String> leadingFields = new HashSet<>();
  private final Set<Call> seen = new HashSet<>();
  private final Deque<Call> next = new ArrayDeque<>();
  private String leak;

  /**
   * @param codes finds the code of the program and the JDK
   * @param isKnownWhole whether all classes that extend or implement a type are known
   */
  EscapeOfThis(TypeHierarchy hierarchy, FollowedCode codes, Predicate<String> isKnownWhole) {
    this.hierarchy = hierarchy;
    this.codes = codes;
    this.isKnownWhole = isKnownWhole;
  }

  /** Follows the instances of a class and its subclasses until its superclass is constructed. */
  Result beforeFieldsOf(String type) {
    codes.forgetMost();
    self = type;
    run.clear();
    leadingFields.clear();
    leak = null;
    int fields;
    do {
      // A value read here may be stored by code that is examined later: repeat until nothing is
      // new.
      fields = leadingFields.size();
      seen.clear();
      startWithSuperConstructors(type);
      while (leak == null && !next.isEmpty()) {
        follow(next.removeLast());
      }
    } while (leak == null && fields < leadingFields.size());
    next.clear();
    return new Result(Optional.ofNullable(leak), Set.copyOf(run));
  }

  private void startWithSuperConstructors(String type) {
    for (MethodNode method : codes.declared(type).map(node -> node.methods).orElse(List.of())) {
      if (method.name.equals("<init>")) {
        for (AbstractInsnNode each : method.instructions) {
          if (each instanceof MethodInsnNode call
              && call.getOpcode() == INVOKESPECIAL
              && call.name.equals("<init>")
              && call.owner.equals(hierarchy.superName(type))) {
            enqueue(new Call(new MethodName(call.owner, call.name, call.desc), Set.of(0)));
          }
        }
      }
    }
  }

  private void enqueue(Call call) {
    String name = call.method().owner() + "." + call.method().signature();
    if (!HARMLESS.contains(name) && seen.add(call)) {
      next.add(call);
    }
  }

  private void leakIn(MethodName method) {
    if (leak == null) {
      leak = ShortNames.text(method);
    }
  }

  private void follow(Call call) {
    MethodName method = call.method();
    Optional<FollowedCode.Code> code = codes.of(method);
    run.add(method);
    if (code.isEmpty() || run.size() > MAX_METHODS) {
      leakIn(method);
      return;
    }
    new Walk(call, code.get()).walk();
  }

  /** The walk through one method that has the object. */
  private final class Walk {
    private final MethodName method;
    private final Set<Integer> slots;
    private final FollowedCode.Code code;

    /** The instructions that push the object, or something that leads to it. */
    private final Set<AbstractInsnNode> leading = new HashSet<>();

    Walk(Call call, FollowedCode.Code code) {
      this.method = call.method();
      this.slots = call.slots();
      this.code = code;
    }

    void walk() {
      int known;
      do {
        known = leading.size();
        for (int i = 0; i < code.frames().length && leak == null; i++) {
          AbstractInsnNode each = code.node().instructions.get(i);
          if (code.frames()[i] != null && each.getOpcode() >= 0) {
            step(each, code.frames()[i]);
          }
        }
      } while (leak == null && known < leading.size());
    }

    private void step(AbstractInsnNode each, Frame<Origins> frame) {
      switch (each) {
        case MethodInsnNode call -> call(call, frame);
        case InvokeDynamicInsnNode dynamic -> {
          int count = Type.getArgumentCount(dynamic.desc);
          for (int i = 0; i < count; i++) {
            if (leads(operand(frame, i))) {
              if (dynamic.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
                leading.add(each);
              } else {
                leakIn(method); // as in a string: toString runs
              }
            }
          }
        }
        case FieldInsnNode field -> field(field, frame);
        default -> {
          switch (each.getOpcode()) {
            case AASTORE -> {
              if (leads(operand(frame, 0))) {
                storeInto(operand(frame, 2));
              }
            }
            case AALOAD -> {
              if (leads(operand(frame, 1))) {
                leading.add(each);
              }
            }
            case ATHROW -> {
              if (leads(operand(frame, 0))) {
                leakIn(method);
              }
            }
            default -> {} // It is copied, compared, locked or returned.
          }
        }
      }
    }

    private void field(FieldInsnNode field, Frame<Origins> frame) {
      String name = field.name + " " + field.desc;
      switch (field.getOpcode()) {
        case PUTSTATIC -> {
          if (leads(operand(frame, 0))) {
            leakIn(method);
          }
        }
        case PUTFIELD -> {
          if (leads(operand(frame, 0))) {
            leadingFields.add(name);
            storeInto(operand(frame, 1));
          }
        }
        case GETFIELD -> {
          if (leads(operand(frame, 0)) && leadingFields.contains(name)) {
            leading.add(field);
          }
        }
        default -> {}
      }
    }

    /**
     * Marks a new object as leading to the object; an older one is known to others, so the object
     * leaks.
     */
    private void storeInto(Origins holder) {
      for (Origin origin : holder.all()) {
        AbstractInsnNode from = origin.instruction();
        if (leads(origin)) {
          continue;
        }
        if (from != null && EscapeOfThis.isCreation(from)) {
          leading.add(from);
        } else {
          leakIn(method);
        }
      }
    }

    private void call(MethodInsnNode call, Frame<Origins> frame) {
      boolean isStatic = call.getOpcode() == INVOKESTATIC;
      Type[] types = Type.getArgumentTypes(call.desc);
      int count = types.length + (isStatic ? 0 : 1);
      Set<Integer> given = new LinkedHashSet<>();
      int slot = 0;
      for (int i = 0; i < count; i++) {
        if (leads(operand(frame, count - 1 - i))) {
          given.add(slot);
        }
        slot += isStatic ? types[i].getSize() : i == 0 ? 1 : types[i - 1].getSize();
      }
      if (given.isEmpty()) {
        return;
      }
      Origins receiver = isStatic ? Origins.NONE : operand(frame, count - 1);
      if (call.name.equals("<init>") && given.stream().anyMatch(each -> each > 0)) {
        storeInto(receiver);
        given.add(0);
      }
      Type returned = Type.getReturnType(call.desc);
      if (returned.getSort() >= Type.ARRAY
          && !VALUES.contains(returned.getInternalName())
          && !HARMLESS.contains(call.owner + "." + call.name + call.desc)) {
        leading.add(call);
      }
      List<MethodName> targets = targets(call, receiver);
      if (targets.isEmpty()) {
        leakIn(method);
      }
      targets.forEach(target -> enqueue(new Call(target, Set.copyOf(given))));
    }

    /** Returns the methods that a call runs; empty if they are unknown. */
    private List<MethodName> targets(MethodInsnNode call, Origins receiver) {
      Set<MethodName> targets = new LinkedHashSet<>();
      MethodName named = codes.resolve(call.owner, call);
      boolean isExact =
          call.getOpcode() == INVOKESTATIC
              || call.getOpcode() == INVOKESPECIAL
              || (named != null
                  && (codes.has(named, ACC_FINAL | ACC_PRIVATE | ACC_STATIC)
                      || codes
                          .declared(named.owner())
                          .filter(type -> (type.access & ACC_FINAL) != 0)
                          .isPresent()));
      if (isExact) {
        return named == null ? List.of() : List.of(named);
      }
      for (Origin origin : receiver.all()) {
        AbstractInsnNode from = origin.instruction();
        if (from != null && EscapeOfThis.isCreation(from)) {
          add(codes.resolve(origin.type(), call), targets);
        } else if (origin.slot() == 0 && isSelf()) {
          add(named, targets);
          for (String type : hierarchy.subtree(self)) {
            add(codes.resolve(type, call), targets);
          }
        } else if (isKnownWhole.test(call.owner)) {
          for (String type : hierarchy.subtree(call.owner)) {
            add(codes.resolve(type, call), targets);
          }
        } else {
          return List.of();
        }
      }
      targets.removeIf(target -> codes.has(target, ACC_ABSTRACT));
      return new ArrayList<>(targets);
    }

    private static void add(MethodName target, Set<MethodName> targets) {
      if (target != null) {
        targets.add(target);
      }
    }

    /** Returns whether the method runs on the object itself, not on one that leads to it. */
    private boolean isSelf() {
      return slots.contains(0)
          && (code.node().access & ACC_STATIC) == 0
          && (hierarchy.isSubtype(self, method.owner())
              || hierarchy.isSubtype(method.owner(), self));
    }

    private boolean leads(Origins origins) {
      return origins.all().containsAll(Origins.UNKNOWN.all())
          || origins.all().stream().anyMatch(this::leads);
    }

    private boolean leads(Origin origin) {
      return slots.contains(origin.slot()) || leading.contains(origin.instruction());
    }

    private static Origins operand(Frame<Origins> frame, int depth) {
      return frame.getStack(frame.getStackSize() - 1 - depth);
    }
  }

  private static boolean isCreation(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case NEW, ANEWARRAY -> true;
      default -> false;
    };
  }
}
