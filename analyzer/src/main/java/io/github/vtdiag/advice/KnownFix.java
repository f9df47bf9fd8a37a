package io.github.vtdiag.advice;

import java.util.List;
import java.util.Optional;

/**
 * A known fix of a library that pins; one line of the list.
 *
 * @param group its group id
 * @param artifact its artifact id
 * @param lastSeen the last version that was seen to pin
 * @param fixedIn the first version that does not pin; empty if none is known
 * @param holders the code that held the carrier: simple class names, each with or without a method;
 *     empty if it may be any class of the library
 * @param ran whether the fixed version was run: then whole stacks were seen, without a monitor
 * @param evidence how this is known
 */
public record KnownFix(
    String group,
    String artifact,
    String lastSeen,
    Optional<String> fixedIn,
    List<Holder> holders,
    boolean ran,
    String evidence) {

  /**
   * A class by its simple name, with the names of enclosing classes, and a method of it; an empty
   * method stands for any.
   */
  public record Holder(String type, String method) {
    boolean is(String className, String methodName) {
      String simple = className.substring(className.lastIndexOf('.') + 1);
      return (simple.equals(type) || simple.startsWith(type + "$"))
          && (method.isEmpty() || method.equals(methodName));
    }
  }

  public KnownFix {
    holders = List.copyOf(holders);
  }

  public String library() {
    return group + ":" + artifact;
  }

  /** Returns the classes that held the carrier, as part of a clause: {@code A, B and C}. */
  String holderTypes() {
    List<String> types = holders.stream().map(Holder::type).distinct().toList();
    return types.size() < 2
        ? String.join("", types)
        : String.join(", ", types.subList(0, types.size() - 1)) + " and " + types.getLast();
  }

  /** Returns whether this is about a monitor that this method holds. */
  public boolean concerns(String className, String method) {
    return holders.isEmpty() || holders.stream().anyMatch(holder -> holder.is(className, method));
  }
}
