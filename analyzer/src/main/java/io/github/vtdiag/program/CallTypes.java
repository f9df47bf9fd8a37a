package io.github.vtdiag.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;

/**
 * The types of a call graph: their supertypes, their methods, and which of them are instantiated.
 */
final class CallTypes {
  private static final int[] NONE = {};

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Type> types = new ArrayList<>();
  private final KeyTable declared = new KeyTable();
  private final BitSet abstracts = new BitSet();
  private final Consumer<String> reader;
  private int live;

  /** A type, as far as it is known; its place in the hierarchy is empty until it is read. */
  static final class Type {
    boolean looked;
    boolean checked;
    boolean found;
    boolean isJdk;
    boolean live;
    int access;
    int parent = -1;
    int[] interfaces = NONE;

    /** The number of the first of its methods, and the number after the last. */
    int firstMethod;

    int endOfMethods;

    /** The instantiated types at and below this one. */
    final IntList liveBelow = new IntList();
  }

  /**
   * @param reader reads an unknown class, if it can, and adds it here
   */
  CallTypes(Consumer<String> reader) {
    this.reader = reader;
  }

  int number(String name) {
    // A lambda that captures something is slow to create under C1 alone, here and elsewhere.
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    numbers.put(name, types.size());
    names.add(name);
    types.add(new Type());
    return types.size() - 1;
  }

  /** Returns the number of instantiated types. */
  int live() {
    return live;
  }

  int size() {
    return types.size();
  }

  Type get(int number) {
    return types.get(number);
  }

  String name(int number) {
    return names.get(number);
  }

  String dotted(int number) {
    return name(number).replace('/', '.');
  }

  static long key(int type, int signature) {
    return ((long) type << 32) | signature;
  }

  void declare(int type, int signature, int method, boolean isAbstract) {
    declared.put(key(type, signature), method);
    abstracts.set(method, isAbstract);
  }

  int declared(int type, int signature) {
    return declared.get(key(type, signature));
  }

  /** Returns a type, which is read now if it was not before. */
  Type look(int number) {
    Type type = types.get(number);
    if (!type.looked) {
      type.looked = true;
      reader.accept(name(number));
    }
    if (type.found && !type.checked) {
      type.checked = true;
      if (isOwnAncestor(number)) {
        type.parent = -1; // No JVM loads such a class, but a jar can have it.
        type.interfaces = NONE;
      }
    }
    return type;
  }

  private boolean isOwnAncestor(int number) {
    Set<Integer> seen = new LinkedHashSet<>();
    List<Integer> next = new ArrayList<>(List.of(number));
    while (!next.isEmpty()) {
      Type each = types.get(next.removeLast());
      List<Integer> above = new ArrayList<>();
      if (each.parent >= 0) {
        above.add(each.parent);
      }
      for (int face : each.interfaces) {
        above.add(face);
      }
      for (int one : above) {
        if (one == number) {
          return true;
        }
        if (seen.add(one)) {
          next.add(one);
        }
      }
    }
    return false;
  }

  /** Returns the method that a call finds on an object of a type (JVMS 5.4.6). */
  int resolve(int type, int signature) {
    for (int at = type; at >= 0; at = look(at).parent) {
      look(at);
      int method = declared.get(key(at, signature));
      if (method >= 0) {
        return method;
      }
    }
    int found = -1;
    for (int at = type; at >= 0; at = look(at).parent) {
      for (int each : look(at).interfaces) {
        int method = resolve(each, signature);
        if (method >= 0 && (found < 0 || abstracts.get(found))) {
          found = method;
        }
      }
    }
    return found;
  }

  boolean isBelow(int type, int ancestor) {
    if (type == ancestor) {
      return true;
    }
    Type each = look(type);
    if (each.parent >= 0 && isBelow(each.parent, ancestor)) {
      return true;
    }
    for (int face : each.interfaces) {
      if (isBelow(face, ancestor)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the one abstract method of an interface that lambdas can implement; -1 if they cannot.
   */
  int functionalMethod(int number, Predicate<Integer> isOfObject) {
    Set<Integer> above = new LinkedHashSet<>();
    addAncestors(number, above);
    int found = -1;
    for (int each : above) {
      Type type = get(each);
      if (!type.found || (type.access & Opcodes.ACC_INTERFACE) == 0) {
        if (each == number) {
          return -1;
        }
        continue;
      }
      for (int method = type.firstMethod; method < type.endOfMethods; method++) {
        if (abstracts.get(method) && !isOfObject.test(method)) {
          if (found >= 0) {
            return -1;
          }
          found = method;
        }
      }
    }
    return found;
  }

  /** Counts a type as instantiated; returns whether it was not before. */
  boolean create(int number) {
    Type type = look(number);
    if (type.live || !type.found || (type.access & Opcodes.ACC_ABSTRACT) != 0) {
      return false;
    }
    type.live = true;
    live++;
    Set<Integer> above = new LinkedHashSet<>();
    addAncestors(number, above);
    for (int each : above) {
      types.get(each).liveBelow.add(number);
    }
    return true;
  }

  private void addAncestors(int number, Set<Integer> above) {
    if (above.add(number)) {
      Type type = look(number);
      if (type.parent >= 0) {
        addAncestors(type.parent, above);
      }
      for (int each : type.interfaces) {
        addAncestors(each, above);
      }
    }
  }
}
