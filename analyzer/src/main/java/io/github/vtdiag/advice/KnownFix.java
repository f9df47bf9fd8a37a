package io.github.vtdiag.advice;

import java.util.List;
import java.util.Optional;

/**
 * One line of the known fixes: what is known of a library that pins.
 *
 * @param group its group id
 * @param artifact its artifact id
 * @param lastSeen the last version that was seen to pin
 * @param fixedIn the first version that does not; empty if none is known
 * @param holders what held the carrier: simple class names, each with or without a method; empty if
 *     any class of the library may be meant
 * @param evidence how this is known
 */
public record KnownFix(
    String group,
    String artifact,
    String lastSeen,
    Optional<String> fixedIn,
    List<Holder> holders,
    String evidence) {

  /** A class, by its simple name with those around it, and a method of it; empty for any. */
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

  /** Whether it was run: then whole stacks were seen, and not one monitor. */
  public boolean ran() {
    return evidence.startsWith("ran ");
  }

  /** The classes that held the carrier, as a clause has them: {@code A, B and C}. */
  String holderTypes() {
    List<String> types = holders.stream().map(Holder::type).distinct().toList();
    return types.size() < 2
        ? String.join("", types)
        : String.join(", ", types.subList(0, types.size() - 1)) + " and " + types.getLast();
  }

  /** Whether this is about a monitor that this method holds. */
  public boolean concerns(String className, String method) {
    return holders.isEmpty() || holders.stream().anyMatch(holder -> holder.is(className, method));
  }
}
