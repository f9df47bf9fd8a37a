package io.github.vtdiag.locksite;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Objects of a pool that are wrapped before they are lent. The wrapper is an object that got the
 * taken one, or a lambda or proxy with it. The user calls a method of the wrapper, or passes the
 * wrapper to a method of the pool, and that method puts the object back into the same queue.
 */
final class WrappedLoans {
  private static final String CLOSE = "close";

  /** The method that takes an object and returns its wrapper. */
  private final QueuePools pool;

  /** The field of the queue, as {@code com/example/Pool.free}. */
  private final String field;

  /** The methods of the pool's class. */
  private final List<MethodCode> methods;

  /** The methods of the wrapper's class; empty if it is unknown. */
  private final List<MethodCode> wrapper;

  /** True if the wrapper got code of the pool's class that puts an object back. */
  private final boolean runsPutter;

  /** True if the wrapper got the queue itself. */
  private final boolean hasQueue;

  private WrappedLoans(
      QueuePools pool,
      String field,
      List<MethodCode> methods,
      List<MethodCode> wrapper,
      boolean runsPutter,
      boolean hasQueue) {
    this.pool = pool;
    this.field = field;
    this.methods = methods;
    this.wrapper = wrapper;
    this.runsPutter = runsPutter;
    this.hasQueue = hasQueue;
  }

  /**
   * Returns the calls by which a caller gives back the wrapper that a method returns.
   *
   * @param take the index of the instruction that takes the object
   * @param classes returns the methods of the classes of that name
   */
  static QueuePools.GivesBack of(
      QueuePools pool,
      int take,
      String field,
      List<MethodCode> methods,
      Function<String, List<MethodCode>> classes) {
    BitSet origins = wrappers(pool, take);
    List<Integer> returned = origins.stream().filter(pool::returns).boxed().toList();
    if (returned.isEmpty()) {
      return (caller, call, lent) -> false;
    }
    List<MethodCode> wrapper =
        returned.stream()
            .flatMap(origin -> type(pool.code.instructions.get(origin)).stream())
            .distinct()
            .flatMap(type -> classes.apply(type).stream())
            .toList();
    WrappedLoans loans =
        new WrappedLoans(
            pool, field, methods, wrapper, hasPutter(pool, field, methods), hasQueue(pool, field));
    return loans::givesBack;
  }

  /** Returns the instructions of a method that make an object out of the taken one. */
  private static BitSet wrappers(QueuePools pool, int take) {
    BitSet origins = new BitSet();
    origins.set(take);
    int before;
    do {
      before = origins.cardinality();
      for (int i = 0; i < pool.code.size(); i++) {
        int arguments = arguments(pool.code.instructions.get(i));
        int index = i;
        boolean wraps =
            IntStream.range(0, arguments)
                .anyMatch(below -> hasOrigin(pool.top(index, below), origins));
        if (wraps) {
          made(pool, i).forEach(origins::set);
        }
      }
    } while (origins.cardinality() > before);
    origins.clear(take);
    return origins;
  }

  /** Returns the origins of the object that a call makes out of its arguments. */
  private static List<Integer> made(QueuePools pool, int index) {
    return pool.code.instructions.get(index) instanceof MethodInsnNode call
            && call.name.equals("<init>")
        ? pool.receiver(index, call).origins()
        : List.of(index);
  }

  private static boolean hasOrigin(Value value, BitSet origins) {
    return value.origins().stream().anyMatch(origin -> origin >= 0 && origins.get(origin));
  }

  private static int arguments(AbstractInsnNode instruction) {
    return switch (instruction) {
      case MethodInsnNode call -> Type.getArgumentCount(call.desc);
      case InvokeDynamicInsnNode call -> Type.getArgumentCount(call.desc);
      default -> 0;
    };
  }

  /** Returns the class of the object that an instruction makes; empty if it is no class. */
  private static Optional<String> type(AbstractInsnNode instruction) {
    return switch (instruction) {
      case TypeInsnNode made when made.getOpcode() == Opcodes.NEW -> Optional.of(made.desc);
      case MethodInsnNode call when Type.getReturnType(call.desc).getSort() == Type.OBJECT ->
          Optional.of(Type.getReturnType(call.desc).getInternalName());
      default -> Optional.empty();
    };
  }

  /**
   * Returns whether a method makes a lambda of its own class that puts an object into the queue.
   */
  private static boolean hasPutter(QueuePools pool, String field, List<MethodCode> methods) {
    return IntStream.range(0, pool.code.size())
        .mapToObj(pool.code.instructions::get)
        .flatMap(
            instruction ->
                instruction instanceof InvokeDynamicInsnNode call
                    ? Stream.of(call.bsmArgs)
                    : Stream.of())
        .anyMatch(
            argument ->
                argument instanceof Handle handle
                    && handle.getOwner().equals(owner(field))
                    && putsAnyArgument(methods, handle.getName(), handle.getDesc(), field));
  }

  /** Returns whether a method passes the queue to an object that it makes. */
  private static boolean hasQueue(QueuePools pool, String field) {
    return IntStream.range(0, pool.code.size())
        .anyMatch(
            i ->
                pool.code.instructions.get(i) instanceof MethodInsnNode call
                    && call.name.equals("<init>")
                    && IntStream.range(0, Type.getArgumentCount(call.desc))
                        .mapToObj(below -> pool.field(pool.top(i, below)))
                        .anyMatch(Optional.of(field)::equals));
  }

  private static String owner(String field) {
    return field.substring(0, field.lastIndexOf('.'));
  }

  private boolean givesBack(QueuePools caller, int index, int lent) {
    if (!(caller.code.instructions.get(index) instanceof MethodInsnNode call)) {
      return false;
    }
    boolean passed =
        IntStream.range(0, Type.getArgumentCount(call.desc))
            .anyMatch(below -> caller.top(index, below).origins().contains(lent));
    boolean called = caller.receiver(index, call).origins().contains(lent);
    return (passed && call.owner.equals(owner(field)) && putsAnyPart(call.name, call.desc))
        || (called && isPutter(call));
  }

  /** Returns whether a method of the wrapper puts the wrapped object back. */
  private boolean isPutter(MethodInsnNode call) {
    return (runsPutter && call.name.equals(CLOSE) && call.desc.equals("()V"))
        || named(wrapper, call.name, call.desc)
            .flatMap(code -> QueuePools.of(code).stream())
            .anyMatch(this::putsWrapped);
  }

  private boolean putsWrapped(QueuePools flow) {
    Set<Integer> self = parts(flow, Set.of(Value.parameter(0)));
    return IntStream.range(0, flow.code.size())
        .anyMatch(
            i ->
                flow.code.instructions.get(i) instanceof MethodInsnNode call
                    && IntStream.range(0, Type.getArgumentCount(call.desc))
                        .anyMatch(below -> isOf(flow.top(i, below), self))
                    && (isPutIntoQueue(flow, i, call)
                        || (call.owner.equals(owner(field))
                            && (putsAnyArgument(methods, call.name, call.desc, field)
                                || putsAnyPart(call.name, call.desc)))));
  }

  private boolean isPutIntoQueue(QueuePools flow, int index, MethodInsnNode call) {
    Optional<String> queue = flow.field(flow.receiver(index, call));
    return QueueCalls.isPut(call)
        && queue.isPresent()
        && (queue.get().equals(field) || (hasQueue && !owner(queue.get()).equals(owner(field))));
  }

  /** Returns whether a method of the pool puts a part of an argument into the queue. */
  private boolean putsAnyPart(String name, String descriptor) {
    return named(methods, name, descriptor)
        .filter(code -> !code.name.equals(pool.code.name))
        .flatMap(code -> QueuePools.of(code).stream())
        .anyMatch(
            flow -> {
              Set<Integer> parts = parts(flow, parameters(flow.code));
              return IntStream.range(0, flow.code.size())
                  .anyMatch(
                      i ->
                          flow.code.instructions.get(i) instanceof MethodInsnNode call
                              && QueueCalls.isPut(call)
                              && isOf(flow.argument(i, call, 0), parts)
                              && flow.field(flow.receiver(i, call)).equals(Optional.of(field)));
            });
  }

  private static boolean putsAnyArgument(
      List<MethodCode> methods, String name, String descriptor, String field) {
    return named(methods, name, descriptor)
        .anyMatch(
            code ->
                IntStream.range(0, Type.getArgumentCount(descriptor))
                    .anyMatch(i -> QueuePools.putsArgument(code, i, field)));
  }

  private static Stream<MethodCode> named(
      List<MethodCode> methods, String name, String descriptor) {
    return methods.stream().filter(code -> code.name.equals(name) && code.desc.equals(descriptor));
  }

  /** Returns the origins of the parameters but {@code this}. */
  private static Set<Integer> parameters(MethodCode code) {
    Set<Integer> origins = new HashSet<>();
    int slot = code.isStatic() ? 0 : 1;
    for (Type type : Type.getArgumentTypes(code.desc)) {
      origins.add(Value.parameter(slot));
      slot += type.getSize();
    }
    return origins;
  }

  /** Returns these origins and those of what is read from their fields or by their getters. */
  private static Set<Integer> parts(QueuePools flow, Set<Integer> wholes) {
    Set<Integer> origins = new HashSet<>(wholes);
    for (int i = 0; i < flow.code.size(); i++) {
      boolean reads =
          switch (flow.code.instructions.get(i)) {
            case FieldInsnNode read when read.getOpcode() == Opcodes.GETFIELD ->
                isOf(flow.top(i, 0), origins);
            case MethodInsnNode call when call.desc.startsWith("()") ->
                isOf(flow.receiver(i, call), origins);
            default -> false;
          };
      if (reads) {
        origins.add(i);
      }
    }
    return origins;
  }

  private static boolean isOf(Value value, Set<Integer> origins) {
    return value.origins().stream().anyMatch(origins::contains);
  }
}
