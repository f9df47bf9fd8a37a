package io.github.vtdiag.safety;

import static io.github.vtdiag.program.TypeHierarchy.OBJECT;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.H_INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.H_INVOKESTATIC;
import static org.objectweb.asm.Opcodes.H_INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.LDC;
import static org.objectweb.asm.Opcodes.NEW;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Recursion under a lock. When it overflows the stack, the JVM still releases a monitor. {@code
 * unlock()} is a call, for which there is no room left either, and the lock is held for ever.
 *
 * <p>A method counts if it calls itself, on whatever object. It may do so through private methods
 * and lambdas. Methods of any access and class count in a short chain of calls, each of which can
 * lead to few methods. In a large program nearly everything returns on longer paths, which mostly
 * have a bound. Calls with an object created for them, or a constant, have a bound, too: they do
 * something else than before.
 */
final class Recursion {
  /** The most calls on a path back to the method, including the one under the lock. */
  private static final int MOST_CALLS = 4;

  /**
   * The most targets of a call that is followed; a call with more has another purpose than
   * recursion.
   */
  private static final int FEW = 3;

  /** They ask the object that they are given for its text. */
  private static final Set<String> TEXTS =
      Set.of("java/lang/String.valueOf", "java/lang/StringBuilder.append");

  private final TypeHierarchy hierarchy;
  private final Bodies bodies;
  private final CallTargets targets;
  private final UseIndex uses;
  private final Receivers receivers;

  /** The methods that each method calls with what it was given, or found. */
  private final Map<MethodName, Set<MethodName>> called = new HashMap<>();

  Recursion(Program program, Bodies bodies) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.targets = new CallTargets(hierarchy, uses);
    this.receivers = new Receivers(program, bodies);
  }

  Optional<Refusal> refuse(LockGroup lock) {
    for (MonitorSite site : lock.sites()) {
      Optional<List<MethodName>> way =
          privateWay(site).or(() -> wayThroughJdk(site)).or(() -> anyWay(site));
      if (way.isPresent()) {
        return Refusal.of(
            RefusalReason.RECURSION,
            site.use().where()
                + " calls itself while it holds the lock"
                + through(way.get())
                + ": if that overflows the stack, unlock() may fail, and the lock stays held");
      }
    }
    return Optional.empty();
  }

  private static String through(List<MethodName> way) {
    return way.isEmpty()
        ? ""
        : way.stream().map(ShortNames::text).collect(Collectors.joining(", ", " (through ", ")"));
  }

  private Optional<List<MethodName>> privateWay(MonitorSite site) {
    String owner = site.use().method.owner();
    return wayBack(
        site,
        Integer.MAX_VALUE,
        (body, calls) -> called(body, calls, true),
        method ->
            method.owner().equals(owner) && hierarchy.method(method).orElseThrow().has(ACC_PRIVATE)
                ? called(bodies.of(method), bodies.of(method).calls(bci -> true), true)
                : Set.of());
  }

  private Optional<List<MethodName>> anyWay(MonitorSite site) {
    return wayBack(
        site, MOST_CALLS, (body, calls) -> called(body, calls, false), this::calledOnAnyWay);
  }

  private Set<MethodName> calledOnAnyWay(MethodName method) {
    Set<MethodName> known = called.get(method);
    if (known == null) {
      known = called(bodies.of(method), bodies.of(method).calls(bci -> true), false);
      called.put(method, known);
    }
    return known;
  }

  /** Finds the methods between a call under the lock and the next call of the same method. */
  private Optional<List<MethodName>> wayBack(
      MonitorSite site,
      int most,
      BiFunction<Body, List<AbstractInsnNode>, Set<MethodName>> first,
      Function<MethodName, Set<MethodName>> next) {
    MethodName start = site.use().method;
    Body body = bodies.of(start);
    Map<MethodName, MethodName> callers = new HashMap<>();
    Set<MethodName> last = first.apply(body, body.calls(site.site().region()::holdsAt));
    last.forEach(method -> callers.put(method, start));
    for (int i = 1; i < most && !last.isEmpty() && !callers.containsKey(start); i++) {
      Set<MethodName> more = new LinkedHashSet<>();
      for (MethodName at : last) {
        for (MethodName each : next.apply(at)) {
          if (callers.putIfAbsent(each, at) == null) {
            more.add(each);
          }
        }
      }
      last = more;
    }
    if (!callers.containsKey(start)) {
      return Optional.empty();
    }
    List<MethodName> way = new ArrayList<>();
    for (MethodName at = callers.get(start); !at.equals(start); at = callers.get(at)) {
      way.addFirst(at);
    }
    return Optional.of(way);
  }

  /**
   * Returns the methods of the program that calls run, and those of lambdas created there.
   *
   * @param withAnything whether calls with objects created for them count, too
   */
  private Set<MethodName> called(Body body, List<AbstractInsnNode> calls, boolean withAnything) {
    Set<MethodName> found = new LinkedHashSet<>();
    for (AbstractInsnNode each : calls) {
      switch (each) {
        case MethodInsnNode call -> {
          if (withAnything || !isGivenOther(body, call)) {
            add(body, call, withAnything, found);
          }
        }
        case InvokeDynamicInsnNode lambda -> {
          for (Object argument : lambda.bsmArgs) {
            if (argument instanceof Handle handle) {
              add(
                  null,
                  new MethodInsnNode(
                      opcode(handle), handle.getOwner(), handle.getName(), handle.getDesc()),
                  withAnything,
                  found);
            }
          }
        }
        default -> {}
      }
    }
    return found;
  }

  /** Returns whether an argument is a constant or created in the same method. */
  private static boolean isGivenOther(Body body, MethodInsnNode call) {
    return body.arguments(call).stream()
        .skip(call.getOpcode() == INVOKESTATIC ? 0 : 1)
        .anyMatch(
            given ->
                !given.all().isEmpty()
                    && given.all().stream().allMatch(origin -> isMade(origin.instruction())));
  }

  private static boolean isMade(AbstractInsnNode from) {
    return from != null
        && switch (from.getOpcode()) {
          case NEW, LDC, GETSTATIC -> true;
          default -> false;
        };
  }

  private static int opcode(Handle handle) {
    return switch (handle.getTag()) {
      case H_INVOKESTATIC -> INVOKESTATIC;
      case H_INVOKEVIRTUAL -> INVOKEVIRTUAL;
      case H_INVOKEINTERFACE -> INVOKEINTERFACE;
      default -> INVOKESPECIAL;
    };
  }

  /**
   * Adds the program's own methods that a call runs. A call of a method of the JDK adds none.
   *
   * @param body where it is; null of a reference to a method
   */
  private void add(Body body, MethodInsnNode call, boolean many, Set<MethodName> found) {
    if (hierarchy.type(call.owner).isEmpty()) {
      return;
    }
    Set<MethodName> methods = targets.of(call).methods();
    if (many || methods.size() <= FEW) {
      found.addAll(methods);
    }
    if (body != null && call.getOpcode() == INVOKEINTERFACE && uses.mayBeLambda(call.owner)) {
      receivers.of(body, body.arguments(call).getFirst()).stream()
          .flatMap(each -> each instanceof Receiver.Lambda lambda ? Stream.of(lambda.body()) : null)
          .filter(method -> hierarchy.method(method).isPresent())
          .forEach(found::add);
    }
  }

  /**
   * Returns the way on which a method calls itself through a type of the JDK: on its own object, on
   * another object of its class, or as the lambda that it is. An object that was made elsewhere
   * does not count: it is one that this object wraps, as streams do.
   */
  private Optional<List<MethodName>> wayThroughJdk(MonitorSite site) {
    MethodName start = site.use().method;
    Body body = bodies.of(start);
    for (AbstractInsnNode each : body.calls(site.site().region()::holdsAt)) {
      if (each instanceof MethodInsnNode call && hierarchy.type(call.owner).isEmpty()) {
        boolean isText =
            TEXTS.contains(call.owner + "." + call.name)
                && call.desc.startsWith("(L" + OBJECT + ";)");
        boolean isVirtual = call.getOpcode() != INVOKESTATIC && call.getOpcode() != INVOKESPECIAL;
        if (isText || (isVirtual && !call.owner.startsWith("["))) {
          Origins on = isText ? body.operand(call, 0) : body.arguments(call).getFirst();
          MethodName named =
              isText
                  ? new MethodName(OBJECT, "toString", "()Ljava/lang/String;")
                  : new MethodName(call.owner, call.name, call.desc);
          if (receivers.of(body, on).stream().anyMatch(it -> runs(it, named, start))) {
            return Optional.of(List.of());
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean runs(Receiver on, MethodName named, MethodName method) {
    return switch (on) {
      case Receiver.Lambda lambda -> lambda.body().equals(method);
      case Receiver.AtMost most ->
          named.signature().equals(method.signature())
              && hierarchy.type(most.type()).isPresent()
              && hierarchy.isSubtype(most.type(), method.owner());
      case Receiver.Exactly exactly -> false;
      case Receiver.OfJdk some -> false;
    };
  }
}
