package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UnreadableClassException;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The objects on which a call can be made, as far as the program's own code creates them. It says
 * what a call is likely to run. {@link PointsTo} must not miss any object; this class leaves out
 * what unseen code may pass or set where the program itself passes or sets something.
 */
public final class Receivers {
  /** The most places that are followed, so that the search ends; beyond it nothing is known. */
  private static final int MAX_PLACES = 100;

  /** The most calls of the JDK in a row whose results depend on each other, as in a chain. */
  private static final int MAX_DEPTH = 2;

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final CallTargets calls;
  private final Callers callers;
  private final JdkCreations jdk;
  private final OwnStreams streams;

  /** The known values of fields and parameters. */
  private final Map<List<Object>, Set<Receiver>> known = new HashMap<>();

  /**
   * @param program if it was read without its calls, what methods of the JDK make is not known
   */
  public Receivers(Program program) {
    this(program, new Bodies(program));
  }

  Receivers(Program program, Bodies bodies) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.calls = new CallTargets(hierarchy, uses);
    this.callers = new Callers(uses, bodies, calls);
    this.jdk = new JdkCreations(program.calls(), hierarchy);
    this.streams = new OwnStreams(this, hierarchy, bodies, jdk);
  }

  /**
   * Returns what an argument of a call can be; unknown for code that cannot be followed.
   *
   * @param position 0 is the object it is made on, if the method is not static
   */
  public Set<Receiver> of(MethodName method, int bci, int position) {
    Optional<Origins> origins = origins(method, bci, position);
    if (origins.isEmpty()) {
      return Set.of(new Receiver.AtMost(TypeHierarchy.OBJECT));
    }
    Set<Receiver> all;
    try {
      all = of(bodies.of(method), origins.get());
    } catch (UnreadableClassException e) {
      return Set.of(new Receiver.AtMost(TypeHierarchy.OBJECT));
    }
    // An empty result means that something was missed: code that runs has an object.
    return all.isEmpty() ? Set.of(new Receiver.AtMost(TypeHierarchy.OBJECT)) : all;
  }

  /** Returns whether a class of the program wraps streams on memory or files, in a JDK's stream. */
  public boolean isOnQuiet(String type) {
    return streams.isOnQuiet(type);
  }

  /** The objects that an expression can give, as far as they are known. */
  Set<Receiver> of(Body body, Origins origins) {
    Set<Receiver> all = new LinkedHashSet<>();
    for (Origin origin : origins.all()) {
      all.addAll(of(body, origin, 0));
    }
    return all;
  }

  /**
   * Returns the position of the parameter that an argument of a call is, if it is nothing else;
   * {@code this} does not count.
   */
  public Optional<Integer> parameter(MethodName method, int bci, int position) {
    Optional<Origins> origins = origins(method, bci, position);
    if (origins.isEmpty() || origins.get().all().size() != 1) {
      return Optional.empty();
    }
    Origin origin = origins.get().all().iterator().next();
    Body body = bodies.of(method);
    return origin.isParameter() && (body.isStatic() || origin.slot() > 0)
        ? Optional.of(body.position(origin.slot()))
        : Optional.empty();
  }

  /** Returns the origins of an argument of a call, or of a value that a lambda captures. */
  private Optional<Origins> origins(MethodName method, int bci, int position) {
    try {
      Body body = bodies.of(method);
      if (!body.isKnown()) {
        return Optional.empty();
      }
      List<Origins> arguments = body.given(body.callAt(bci));
      return position < arguments.size() ? Optional.of(arguments.get(position)) : Optional.empty();
    } catch (UnreadableClassException e) {
      return Optional.empty(); // It is among the program's problems.
    }
  }

  private Set<Receiver> of(Body body, Origin origin, int depth) {
    List<Object> place =
        origin.isParameter()
            ? List.of(body.method, origin.slot(), origin.type())
            : origin.instruction() instanceof FieldInsnNode read
                ? List.of(read.owner, read.name, origin.type())
                : List.of(body.method, index(body, origin), origin.type(), depth);
    Set<Receiver> found = known.get(place);
    if (found == null) {
      found = new Search(body, origin, depth).found();
      known.put(place, found);
    }
    return found;
  }

  /** Returns the number of an instruction: the instruction itself would keep all code around it. */
  private static int index(Body body, Origin origin) {
    return origin.instruction() == null ? -1 : body.index(origin.instruction());
  }

  /** One search: everything that one origin can be. */
  private final class Search {
    private final Set<Receiver> found = new LinkedHashSet<>();
    private final Set<Object> seen = new HashSet<>();
    private final Deque<Runnable> next = new ArrayDeque<>();
    private final String asked;
    private final int depth;

    Search(Body body, Origin origin, int depth) {
      this.asked = origin.type();
      this.depth = depth;
      follow(body, origin, asked);
    }

    Set<Receiver> found() {
      while (!next.isEmpty()) {
        if (seen.size() > MAX_PLACES) {
          return Set.of(new Receiver.AtMost(asked));
        }
        next.removeFirst().run();
      }
      return found;
    }

    private void later(List<Object> place, Runnable run) {
      if (seen.add(place)) {
        next.add(run);
      }
    }

    private void add(Receiver receiver, String bound) {
      switch (receiver) {
        case Receiver.Exactly exactly -> {
          if (hierarchy.isSubtype(exactly.type(), bound)) {
            found.add(exactly);
          }
        }
        case Receiver.Lambda lambda -> found.add(lambda);
        case Receiver.OfJdk some -> found.add(some);
        case Receiver.AtMost most ->
            found.add(hierarchy.isSubtype(most.type(), bound) ? most : new Receiver.AtMost(bound));
      }
    }

    private void unknown(String bound) {
      found.add(new Receiver.AtMost(bound));
    }

    private void follow(Body body, Origins origins, String bound) {
      for (Origin origin : origins.all()) {
        follow(body, origin, bound);
      }
    }

    private void follow(Body body, Origin origin, String above) {
      AbstractInsnNode from = origin.instruction();
      String bound = hierarchy.isSubtype(origin.type(), above) ? origin.type() : above;
      boolean isMade = from instanceof InvokeDynamicInsnNode || from instanceof LdcInsnNode;
      if (!isMade && (from == null || from.getOpcode() != NEW) && saysEnough(bound)) {
        unknown(bound);
        return;
      }
      switch (from) {
        case null -> {
          if (origin.isParameter()) {
            parameter(body, origin.slot(), bound);
          } else {
            unknown(bound);
          }
        }
        case FieldInsnNode read -> {
          Optional<Field> field = hierarchy.field(read.owner, read.name);
          if (field.isPresent()) {
            field(field.get(), bound);
          } else {
            unknown(bound);
          }
        }
        case MethodInsnNode call -> result(body, call, bound);
        case InvokeDynamicInsnNode made -> add(JdkCreations.lambda(made, origin.type()), bound);
        case LdcInsnNode constant -> add(new Receiver.Exactly(origin.type()), bound);
        default -> {
          if (from.getOpcode() == NEW) {
            created(body, from, origin.type(), bound);
          } else {
            unknown(bound);
          }
        }
      }
    }

    /** Returns whether the type is a class of the program, which leaves few candidates. */
    private boolean saysEnough(String type) {
      return hierarchy.type(type).isPresent() && !hierarchy.isInterface(type);
    }

    /**
     * Notes a created object. A stream of the JDK that only wraps memory or files waits no more
     * than these.
     */
    private void created(Body body, AbstractInsnNode creation, String type, String bound) {
      if (depth < MAX_DEPTH && jdk.isStreamOnStream(type)) {
        for (AbstractInsnNode each : body.instructions()) {
          if (each instanceof MethodInsnNode call
              && call.getOpcode() == INVOKESPECIAL
              && call.name.equals("<init>")
              && call.owner.equals(type)
              && body.arguments(call).size() > 1
              && body.arguments(call).getFirst().isFrom(creation)) {
            Set<Receiver> below = new LinkedHashSet<>();
            for (Origin origin : body.arguments(call).get(1).all()) {
              below.addAll(of(body, origin, depth + 1));
            }
            if (streams.areQuiet(below)) {
              found.addAll(below);
              return;
            }
          }
        }
      }
      add(new Receiver.Exactly(type), bound);
    }

    private void parameter(Body body, int slot, String bound) {
      MethodName method = body.method;
      if (slot == 0 && !body.isStatic()) {
        add(new Receiver.AtMost(method.owner()), bound);
        return;
      }
      later(
          List.of(method, slot, bound),
          () -> {
            if (!method.name().equals("<init>") && hierarchy.overridesJdkMethod(method)) {
              unknown(bound);
            }
            if (!arguments(method, body.position(slot), bound)) {
              unknown(bound);
            }
          });
    }

    /** Follows the arguments of the method's calls; returns whether the program calls it. */
    private boolean arguments(MethodName method, int position, String bound) {
      List<Callers.Caller> of = callers.of(method);
      for (Callers.Caller each : of) {
        Body caller = bodies.of(each.method());
        List<Origins> given = caller.given(caller.callAt(each.bci()));
        if (position < given.size()) {
          follow(caller, given.get(position), bound);
        } else {
          unknown(bound);
        }
      }
      return !of.isEmpty();
    }

    private void field(Field field, String bound) {
      later(
          List.of(field.name(), bound),
          () -> {
            boolean isPut = false;
            for (MethodName user : uses.fieldUsers(field.name())) {
              Body body = bodies.of(user);
              if (!body.isKnown()) {
                continue;
              }
              for (AbstractInsnNode each : body.code()) {
                if (each instanceof FieldInsnNode put && Body.sets(put, field, hierarchy)) {
                  isPut |= !body.operand(put, 0).all().isEmpty();
                  follow(body, body.operand(put, 0), bound);
                }
              }
            }
            if (!isPut) {
              unknown(bound); // Set by reflection, or from outside.
            }
          });
    }

    private void result(Body body, MethodInsnNode call, String bound) {
      if (call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull")) {
        // In a loop it may be its own argument.
        later(
            List.of(body.method, body.index(call), bound),
            () -> follow(body, body.arguments(call).getFirst(), bound));
      } else if (hierarchy.type(call.owner).isEmpty()) {
        resultOfJdk(body, call, bound);
      } else {
        CallTargets.Targets targets = calls.of(call);
        if (targets.methods().isEmpty()) {
          unknown(bound);
        }
        for (MethodName target : targets.methods()) {
          returned(target, bound);
        }
      }
    }

    private void returned(MethodName method, String bound) {
      later(
          List.of(method, bound),
          () -> {
            Body called = bodies.of(method);
            if (!called.isKnown()) {
              unknown(bound);
              return;
            }
            called.returned().forEach(returned -> follow(called, returned, bound));
          });
    }

    private void resultOfJdk(Body body, MethodInsnNode call, String bound) {
      if (JdkCreations.opensFile(call.owner, call.name)) {
        found.add(JdkCreations.FILE);
        return;
      }
      List<Receiver> on = new ArrayList<>();
      if (call.getOpcode() == INVOKESTATIC) {
        on.add(new Receiver.Exactly(call.owner));
      } else if (depth < MAX_DEPTH) {
        for (Origin origin : body.arguments(call).getFirst().all()) {
          on.addAll(of(body, origin, depth + 1));
        }
      }
      if (on.isEmpty()) {
        unknown(bound);
      }
      if (call.name.equals("openStream") && on.equals(List.of(JdkCreations.FILE))) {
        found.add(JdkCreations.FILE);
        return;
      }
      for (Receiver each : on) {
        Set<MethodName> own =
            each instanceof Receiver.Exactly exactly ? calls.on(exactly.type(), call) : Set.of();
        if (!own.isEmpty()) {
          own.forEach(method -> returned(method, bound));
          continue;
        }
        for (Receiver made : jdk.of(each, new MethodName(call.owner, call.name, call.desc))) {
          add(made, bound);
        }
      }
    }
  }
}
