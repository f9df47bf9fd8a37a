package io.github.vtdiag.safety;

import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import io.github.vtdiag.safety.MonitorUses.WaitSite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds the classes that have to move with chosen ones: those with another site of the same locks,
 * and so on. A class moves with all its monitors and with the classes nested in it. Obstacles to a
 * patch of the sources do not count; it is enough to know where every object is locked.
 */
final class MovingTogether {
  private final WholeProgram program;
  private final TypeHierarchy hierarchy;
  private final Aliasing aliasing;

  MovingTogether(WholeProgram program) {
    this.program = program;
    this.hierarchy = program.hierarchy();
    this.aliasing = program.aliasing();
  }

  Together with(Predicate<String> isChosen) {
    if (!program.unread().isEmpty()) {
      return new Together.Unknown(program.unread().getFirst().text());
    }
    Map<Object, List<MonitorUse>> uses = new LinkedHashMap<>();
    Map<String, Set<Object>> locksOf = new LinkedHashMap<>();
    for (MonitorSite site : program.uses().sites()) {
      Object key = key(site.use().target, site);
      uses.computeIfAbsent(key, k -> new ArrayList<>()).add(site.use());
      locksOf.computeIfAbsent(site.use().type.dotted(), k -> new LinkedHashSet<>()).add(key);
    }
    // Code that waits for a lock, or notifies, has to know of it too.
    for (WaitSite call : program.uses().calls()) {
      uses.computeIfAbsent(key(call.use().target, call), k -> new ArrayList<>()).add(call.use());
    }
    Map<Object, LockedObjects> locks = new LinkedHashMap<>();
    uses.forEach((key, at) -> locks.put(key, objects(key, at)));
    Set<String> moving = new LinkedHashSet<>();
    Set<Object> seen = new HashSet<>();
    List<Object> next = new ArrayList<>();
    Consumer<String> move =
        type -> {
          if (moving.add(type)) {
            locksOf.forEach(
                (name, keys) -> {
                  if (name.equals(type) || name.startsWith(type + "$")) {
                    moving.add(name);
                    keys.stream().filter(seen::add).forEach(next::add);
                  }
                });
          }
        };
    locksOf.keySet().stream().filter(isChosen).forEach(move);
    while (!next.isEmpty()) {
      Object key = next.removeLast();
      LockedObjects moved = locks.get(key);
      Optional<String> unknown = unknown(moved, uses.get(key));
      if (unknown.isPresent()) {
        return new Together.Unknown(unknown.get());
      }
      nativeLocks(moved).forEach(move);
      for (Map.Entry<Object, LockedObjects> other : locks.entrySet()) {
        if (other.getKey().equals(key) || mayBeSame(moved, other.getValue())) {
          uses.get(other.getKey()).forEach(use -> move.accept(use.type.dotted()));
        }
      }
    }
    return new Together.Classes(moving);
  }

  /** The objects that the places with one key lock. */
  private sealed interface LockedObjects {
    record Instances(String top, Set<String> tree) implements LockedObjects {}

    record ClassObject(String type) implements LockedObjects {}

    /** The object in a field or a local variable that no other code has. */
    record Confined() implements LockedObjects {}

    record Within(Set<Pointee> pointees) implements LockedObjects {}
  }

  /** Returns the key of a place. Places with the same key lock the same objects. */
  private Object key(Target target, Object otherwise) {
    return switch (target) {
      case Target.Instance(String type) -> new Identity.Instances(program.uses().top(type));
      case Target.ClassObject(String type) -> new Identity.ClassObject(type);
      case Target.OfField of -> of.field().name();
      case Target.OfVariable variable -> variable;
      case Target.None none -> otherwise;
    };
  }

  private LockedObjects objects(Object key, List<MonitorUse> uses) {
    return switch (key) {
      case Identity.Instances of ->
          new LockedObjects.Instances(of.type(), hierarchy.subtree(of.type()));
      case Identity.ClassObject of -> new LockedObjects.ClassObject(of.type());
      case Target.OfVariable of -> new LockedObjects.Confined();
      default -> {
        if (uses.getFirst().target instanceof Target.OfField of
            && program.confinement().isConfined(of.field())) {
          yield new LockedObjects.Confined();
        }
        Set<Pointee> pointees = new LinkedHashSet<>();
        uses.forEach(use -> pointees.addAll(use.pointees()));
        yield new LockedObjects.Within(pointees);
      }
    };
  }

  /** Returns the reason why it is unknown where else these are locked. */
  private Optional<String> unknown(LockedObjects objects, List<MonitorUse> uses) {
    for (MonitorUse given : program.uses().givenToJdk()) {
      if (mayBeSame(objects, new LockedObjects.Within(given.pointees()))) {
        return Optional.of(
            given.where()
                + " passes the JDK an object to lock, which may be "
                + describe(objects, uses));
      }
    }
    return switch (objects) {
      case LockedObjects.Instances of ->
          Rules.unknownAncestor(of.top(), hierarchy).map(Refusal::reason);
      case LockedObjects.ClassObject of ->
          hierarchy.isKnown(of.type())
              ? Optional.empty()
              : Optional.of("the class file of " + of.type().replace('/', '.') + " was not found");
      case LockedObjects.Confined owned -> Optional.empty();
      case LockedObjects.Within of ->
          of.pointees().contains(new Pointee.AtMost(TypeHierarchy.OBJECT))
              ? Optional.of(uses.getFirst().where() + " may lock any object")
              : Optional.empty();
    };
  }

  private static String describe(LockedObjects objects, List<MonitorUse> uses) {
    return switch (objects) {
      case LockedObjects.Instances of -> "an instance of " + ShortNames.simple(of.top());
      case LockedObjects.ClassObject of -> ShortNames.simple(of.type()) + ".class";
      case LockedObjects.Confined owned -> "the object locked in " + uses.getFirst().where();
      case LockedObjects.Within within -> "the object locked in " + uses.getFirst().where();
    };
  }

  /**
   * Returns the classes with a method that is native and synchronized: it has no code with a site.
   */
  private List<String> nativeLocks(LockedObjects objects) {
    return switch (objects) {
      case LockedObjects.Instances of -> nativeLocks(of.tree(), false);
      case LockedObjects.ClassObject of -> nativeLocks(Set.of(of.type()), true);
      case LockedObjects.Confined owned -> List.of();
      case LockedObjects.Within within -> List.of();
    };
  }

  private List<String> nativeLocks(Set<String> types, boolean isStatic) {
    return types.stream()
        .filter(type -> Rules.nativeMethod(Set.of(type), isStatic, hierarchy).isPresent())
        .map(type -> type.replace('/', '.'))
        .toList();
  }

  /**
   * Returns whether places with different keys may lock the same object. Two classes, two class
   * objects or two confining fields share none.
   */
  private boolean mayBeSame(LockedObjects one, LockedObjects other) {
    if (one instanceof LockedObjects.Within(Set<Pointee> pointees)) {
      return switch (other) {
        case LockedObjects.Instances of ->
            pointees.stream().anyMatch(pointee -> aliasing.mayBeIn(pointee, of.tree()));
        case LockedObjects.ClassObject of ->
            pointees.stream().anyMatch(pointee -> aliasing.mayBeClassObject(pointee, of.type()));
        case LockedObjects.Confined owned -> false;
        case LockedObjects.Within of ->
            pointees.stream()
                .anyMatch(a -> of.pointees().stream().anyMatch(b -> aliasing.mayBeSame(a, b)));
      };
    }
    return other instanceof LockedObjects.Within && mayBeSame(other, one);
  }
}
